package ctf

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"synchroscope/trace"
)

// Each benchmark reads whole traces: the one in the directory that
// SYNCHROSCOPE_BENCH_TRACE names or, without it, a recorded one and a written one.

func benchTraces(b *testing.B, run func(b *testing.B, t *Trace)) {
	sub := func(name string, dir func(b *testing.B) string) {
		b.Run(name, func(b *testing.B) {
			dirs, err := Discover(dir(b))
			if err != nil || len(dirs) == 0 {
				b.Fatalf("no trace: %v", err)
			}
			t, err := Open(dirs[0])
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			b.ResetTimer()
			run(b, t)
		})
	}
	if dir := os.Getenv("SYNCHROSCOPE_BENCH_TRACE"); dir != "" {
		sub(filepath.Base(dir), func(*testing.B) string { return dir })
		return
	}
	sub("kernel", func(b *testing.B) string { return unpack(b, "many-threads.tar.gz") })
	sub("userspace", func(b *testing.B) string {
		dir := filepath.Join(b.TempDir(), "ust")
		writeUserSpace(b, dir, 4, 50_000)
		return dir
	})
}

// benchEvents merges the events of a trace, one a turn, and gives each to visit.
func benchEvents(b *testing.B, t *Trace, visit func(e *trace.Event)) {
	fresh := func() *Reader {
		r, err := NewReader([]*Trace{t}, Options{})
		if err != nil {
			b.Fatal(err)
		}
		return r
	}
	r := fresh()
	defer func() { r.Close() }()
	for range b.N {
		e, err := r.Next()
		if err == io.EOF {
			r.Close()
			r = fresh()
			e, err = r.Next()
		}
		if err != nil {
			b.Fatal(err)
		}
		visit(e)
	}
}

// BenchmarkNext merges events by time. Their fields can be asked for, and are not.
func BenchmarkNext(b *testing.B) {
	benchTraces(b, func(b *testing.B, t *Trace) { benchEvents(b, t, func(*trace.Event) {}) })
}

// BenchmarkFields merges events and reads every field of each: every number, text and element.
func BenchmarkFields(b *testing.B) {
	benchTraces(b, func(b *testing.B, t *Trace) {
		table, sum := leavesOf(b, t), 0
		benchEvents(b, t, func(e *trace.Event) { sum += visit(e, table[e.Class.Index]) })
	})
}

// BenchmarkText merges events and writes each as a line of text.
func BenchmarkText(b *testing.B) {
	benchTraces(b, func(b *testing.B, t *Trace) {
		line := make([]byte, 0, 1<<16)
		benchEvents(b, t, func(e *trace.Event) { line = e.AppendText(line[:0]) })
	})
}

// BenchmarkCount finds out how many events there are, stream by stream; a turn is an event.
func BenchmarkCount(b *testing.B) {
	benchTraces(b, func(b *testing.B, t *Trace) {
		for done := 0; done < b.N; {
			r, err := NewReader([]*Trace{t}, Options{})
			if err != nil {
				b.Fatal(err)
			}
			n, err := r.Count()
			if err != nil || n[0] == 0 {
				b.Fatalf("%d events: %v", n, err)
			}
			done += int(n[0])
			r.Close()
		}
	})
}

// BenchmarkOpen reads and lays out the metadata of a trace.
func BenchmarkOpen(b *testing.B) {
	benchTraces(b, func(b *testing.B, t *Trace) {
		for b.Loop() {
			if _, err := Open(t.Dir()); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// leavesOf returns the fields of each class of a trace that have values of their own.
func leavesOf(b *testing.B, t *Trace) [][]*trace.Field {
	model, _, err := readMetadata(t.dir)
	if err != nil {
		b.Fatal(err)
	}
	r := newReader(b, []*Trace{t})
	table := make([][]*trace.Field, 0, len(r.Classes()))
	for _, s := range model.Streams {
		for _, ev := range s.Events {
			c := r.Classes()[len(table)]
			leaves := appendLeaves(nil, c.Field, "", ev.Payload)
			leaves = appendLeaves(leaves, c.Context, "", ev.Context)
			table = append(table, appendLeaves(leaves, c.Context, "", s.EventContext))
		}
	}
	return table
}

func appendLeaves(leaves []*trace.Field, find func(string) *trace.Field, path string, t *trace.Type) []*trace.Field {
	if t == nil {
		return leaves
	}
	for _, m := range t.Members {
		name := path + m.Name
		if m.Name[0] == '_' {
			name = path + m.Name[1:]
		}
		if m.Type.Kind == trace.Struct || m.Type.Kind == trace.Variant {
			leaves = appendLeaves(leaves, find, name+".", m.Type)
		} else if f := find(name); f != nil {
			leaves = append(leaves, f)
		}
	}
	return leaves
}

// visit reads the values of all fields.
func visit(e *trace.Event, leaves []*trace.Field) (sum int) {
	for _, f := range leaves {
		switch t := f.Type(); {
		case t.Kind == trace.Float:
			sum += int(e.Float(f))
		case t.Kind == trace.String || t.Kind == trace.Array && t.Elem.Text:
			sum += len(e.Bytes(f))
		case t.Kind == trace.Array:
			for i := range e.Len(f) {
				sum += int(e.At(f, i))
			}
		default:
			sum += int(e.Int(f))
		}
	}
	return sum
}
