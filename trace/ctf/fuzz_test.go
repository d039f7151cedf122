package ctf

import (
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"runtime/metrics"
	"strings"
	"testing"

	"synchroscope/trace"
)

// seeds yields the metadata and the streams of the traces written by hand.
func seeds(f *testing.F, add func(metadata, stream []byte)) {
	files, err := filepath.Glob("testdata/packets/*")
	if err != nil || len(files) == 0 {
		f.Fatalf("no traces to begin with: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		var metadata []byte
		for part := range strings.SplitSeq(string(text), "\n\n") {
			command, input, _ := strings.Cut(part, "\n")
			input, _, _ = strings.Cut(input, "----")
			if command == "metadata" {
				metadata = marked(input)
			} else if strings.HasPrefix(command, "stream ") {
				stream, err := assemble(input)
				if err != nil {
					f.Fatal(err)
				}
				add(metadata, stream)
			}
		}
	}
}

// FuzzPacket reads any bytes as a stream, with any metadata: nothing may
// panic or loop, and every byte is accounted for in the end.
func FuzzPacket(f *testing.F) {
	n := 0
	seeds(f, func(metadata, stream []byte) { n++; f.Add(metadata, stream) })
	if n == 0 {
		f.Fatal("no streams to begin with")
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, metadata, stream []byte) {
		if len(stream) > maxFuzzed || len(metadata) > maxFuzzed {
			return
		}
		before := allocated()
		model, err := languageOf(metadata).parse(metadata)
		if err != nil {
			return
		}
		pl, err := newPlan(model)
		if n := allocated() - before; n > 1<<30 {
			t.Fatalf("%d bytes were allocated for %d of metadata", n, len(metadata))
		}
		if err != nil {
			return
		}
		readAny(t, pl, dir, stream)
	})
}

// FuzzStream is FuzzPacket with metadata that is in order, that of real traces too where they
// are at hand: so what is found is in the reading of packets and events.
func FuzzStream(f *testing.F) {
	var plans []*plan
	add := func(metadata, stream []byte) {
		model, err := languageOf(metadata).parse(metadata)
		if err != nil {
			return
		}
		pl, err := newPlan(model)
		if err != nil {
			return
		}
		f.Add(uint16(len(plans)), stream[:min(len(stream), maxFuzzed/8)])
		plans = append(plans, pl)
	}
	seeds(f, add)
	for _, name := range []string{"lttng-crash", "CTF2-7.0-lttng-crash", "CTF2-7.0-smalltrace", "CTF2-vl-ints", "packet-seq-num", "ctf-sequence-empty", "multi-domains"} {
		if _, err := os.Stat(filepath.Join(shared, name+".tar.gz")); err != nil {
			continue
		}
		for _, tr := range openAll(f, unpack(f, name+".tar.gz")) {
			metadata, err := os.ReadFile(filepath.Join(tr.dir, metadataName))
			if err != nil {
				f.Fatal(err)
			}
			for _, s := range tr.streams {
				stream, err := os.ReadFile(filepath.Join(tr.dir, s.files[0].name))
				if err != nil {
					f.Fatal(err)
				}
				add(metadata, stream)
			}
		}
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, which uint16, stream []byte) {
		if len(stream) <= maxFuzzed {
			readAny(t, plans[int(which)%len(plans)], dir, stream)
		}
	})
}

// maxFuzzed bounds what is fuzzed, in bytes.
const maxFuzzed = 1 << 16

// readAny reads bytes as a stream of a trace: at once and decoding ahead through a narrow window,
// and from a position in the midst of it. It is the same each time.
func readAny(t *testing.T, pl *plan, dir string, stream []byte) {
	if err := os.WriteFile(filepath.Join(dir, "s"), stream, 0o644); err != nil {
		t.Fatal(err)
	}
	before := allocated()
	tr := &Trace{dir: dir, plan: pl, streams: []*chain{{files: []streamFile{{name: "s"}}}}}
	const taken = 7
	var position []byte
	first, rest := readSome(t, tr, Options{Window: 1, Ahead: -1}, nil, len(stream), func(r *Reader, events int) bool {
		if events == taken {
			position = r.Position()
		}
		return events > taken
	})
	if again, _ := readSome(t, tr, Options{Window: 1, Ahead: 1}, nil, len(stream), nil); again != first {
		t.Fatalf("%s: decoding ahead it is %s", first, again)
	}
	if position != nil {
		if _, again := readSome(t, tr, Options{Ahead: 1}, position, len(stream), func(*Reader, int) bool { return true }); again != rest {
			t.Fatalf("%s from a position: %s", rest, again)
		}
	}
	if n := allocated() - before; n > 64<<20 {
		t.Fatalf("%d bytes were allocated for %d", n, len(stream))
	}
}

// readSome reads a stream of n bytes, or what is left of it from a position, and returns what stands for all that was read, and
// for those of its events that are late.
func readSome(t *testing.T, tr *Trace, o Options, position []byte, n int, late func(r *Reader, events int) bool) (all, rest string) {
	r, err := NewReader([]*Trace{tr}, o)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if position != nil {
		if err := r.Seek(position); err != nil {
			t.Fatalf("a position just taken is refused: %v", err)
		}
	}
	sum, end := fnv.New64a(), fnv.New64a()
	var text []byte
	events := 0
	for ; ; events++ {
		e, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if events > 8*n {
			t.Fatalf("more than %d events in %d bytes", events, n)
		}
		text = trace.AppendTime(text[:0], e.Time)
		text = trace.AppendTime(text, e.Recorded)
		if events < 100 {
			text = e.AppendContext(append(e.AppendText(text), ' '))
			use(e)
		}
		sum.Write(text)
		if late != nil && late(r, events) {
			end.Write(text[:20])
		}
	}
	if r.Bytes() != int64(n) {
		t.Fatalf("%d of %d bytes consumed", r.Bytes(), n)
	}
	what := fmt.Sprintf("%d losses, %+v", len(r.Losses()), r.Anomalies())
	return fmt.Sprintf("%d events %x, %s", events, sum.Sum64(), what), fmt.Sprintf("%x, %s", end.Sum64(), what)
}

// allocated is how many bytes have been allocated so far.
func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// use calls the accessors on whatever the event has.
func use(e *trace.Event) {
	for _, name := range []string{"s", "l", "n", "x", "fd", "name"} {
		f := e.Class.Field(name)
		e.Int(f)
		e.Float(f)
		e.Bytes(f)
		e.At(f, e.Len(f)-1)
	}
}
