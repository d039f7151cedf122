package ctf

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"synchroscope/trace"
	"synchroscope/trace/ctf/schema"
	"synchroscope/trace/ctf/writer"
)

// userSpace is the metadata of an instrumented server: what LTTng's user-space
// tracer writes, with contexts, strings, sequences, enumerations and floats.
func userSpace() *schema.Trace {
	t := writer.LTTng("web", "2a6422d0-6cee-11e0-8c08-cb07d7b3a564", "b4f1ee9c-22a4-4f0e-a3a2-5f6a1b3d9c10", 1_700_000_000_000_000_000)
	field := func(name string, t *trace.Type) trace.Member { return trace.Member{Name: "_" + name, Type: t} }
	sequence := func(of *trace.Type, length string) *trace.Type {
		return trace.NewArray(of, 0, &trace.Ref{Path: []string{length}})
	}
	level := writer.Uint(8, false)
	level.Labels = []trace.Mapping{{Label: "debug"}, {Label: "info", Low: 1, High: 1}, {Label: "error", Low: 2, High: 255}}
	double := &trace.Type{Kind: trace.Float, Size: 64, Align: 8}
	event := func(id uint64, name string, members ...trace.Member) *schema.Event {
		return &schema.Event{ID: id, Name: "web:" + name, Payload: trace.NewStruct(1, members)}
	}
	s := t.Streams[0]
	s.EventContext = trace.NewStruct(1, []trace.Member{
		field("vpid", writer.Int(32, false)), field("vtid", writer.Int(32, false)), field("procname", writer.Chars(17)),
	})
	s.Events = []*schema.Event{
		event(0, "request", field("id", writer.Uint(64, false)), field("method", writer.Text()), field("path", writer.Text()), field("agent", writer.Text())),
		event(1, "query", field("id", writer.Uint(64, false)), field("sql", writer.Text()),
			field("_params_length", writer.Uint(32, false)), field("params", sequence(writer.Int(64, false), "__params_length"))),
		event(2, "log", field("level", level), field("file", writer.Text()), field("line", writer.Uint(32, false)),
			field("_msg_length", writer.Uint(32, false)), field("msg", sequence(writer.Chars(1).Elem, "__msg_length"))),
		event(3, "response", field("id", writer.Uint(64, false)), field("status", writer.Uint(16, false)), field("seconds", double), field("type", writer.Text())),
		event(4, "alloc", field("size", writer.Uint(64, false)), field("ptr", writer.Uint(64, false))),
	}
	return t
}

// writeUserSpace writes such a trace with so many streams and events in each. It is
// the same whenever it is written.
func writeUserSpace(t testing.TB, dir string, streams, events int) {
	t.Helper()
	d, err := writer.Create(dir, userSpace(), writer.Options{Packets: true})
	if err != nil {
		t.Fatal(err)
	}
	for i := range streams {
		s, err := d.Stream(fmt.Sprint("channel0_", i), writer.StreamOptions{Instance: uint64(i), CPU: int32(i), PacketSize: 128 << 10, PacketAlign: 4096})
		if err != nil {
			t.Fatal(err)
		}
		serve(d.Writer, s, rand.New(rand.NewPCG(1, uint64(i))), events)
		if err := s.Err(); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
}

// serve writes the events of one stream.
func serve(w *writer.Writer, s *writer.Stream, chance *rand.Rand, events int) {
	const letters = "abcdefghijklmnopqrstuvwxyz/-_ 0123456789"
	text := func() string { // of 5 to 40 characters
		b := make([]byte, 5+chance.IntN(36))
		for i := range b {
			b[i] = letters[chance.IntN(len(letters))]
		}
		return string(b)
	}
	now, id := uint64(1e9), int64(0)
	for range events {
		now += 200 + chance.Uint64N(2000)
		c := w.ClassByID(0, chance.Uint64N(5))
		s.Begin(c, now)
		s.Int(4711)
		s.Int(int64(4711 + s.Content()%7))
		s.String("web-server")
		switch id++; c.ID {
		case 0:
			s.Int(id)
			s.String("GET")
			s.String(text())
			s.String(text())
		case 1:
			s.Int(id)
			s.String(text())
			n := chance.IntN(6)
			s.Int(int64(n))
			for range n {
				s.Int(chance.Int64())
			}
		case 2:
			s.Int(chance.Int64N(4))
			s.String("server.go")
			s.Int(chance.Int64N(2000))
			msg := text()
			s.Int(int64(len(msg)))
			s.String(msg)
		case 3:
			s.Int(id)
			s.Int(200)
			s.Float(chance.Float64())
			s.String(text())
		case 4:
			s.Int(chance.Int64N(4096))
			s.Int(chance.Int64())
		}
		if s.End() != nil {
			return
		}
	}
}

// TestUserSpace writes the trace that other readers are compared on, where a directory to be made
// is given, and reads a small one otherwise.
func TestUserSpace(t *testing.T) {
	dir, streams, events := os.Getenv("SYNCHROSCOPE_BENCH_MAKE"), 4, 5000
	if dir == "" {
		dir = t.TempDir() + "/ust"
	} else {
		streams, _ = strconv.Atoi(os.Getenv("SYNCHROSCOPE_BENCH_STREAMS"))
		streams = max(streams, 1)
		events = 3_000_000 / streams
	}
	writeUserSpace(t, dir, streams, events)
	r := newReader(t, openAll(t, dir))
	counts, err := r.Count()
	if err != nil || len(counts) != 1 || counts[0] != int64(streams*events) {
		t.Errorf("%v events are counted of %d: %v", counts, streams*events, err)
	}
	if a := r.Anomalies(); len(a) > 0 {
		t.Errorf("anomalies: %v", a)
	}
}
