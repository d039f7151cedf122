package writer_test

import (
	"io"
	"testing"

	"synchroscope/trace/ctf/writer"
)

// One event is a context switch of LTTng's, 28 bytes with its header and context.
func BenchmarkSwitch(b *testing.B) {
	w, err := writer.New(kernel(), writer.CTF18)
	if err != nil {
		b.Fatal(err)
	}
	s, err := w.NewStream(io.Discard, writer.StreamOptions{})
	if err != nil {
		b.Fatal(err)
	}
	c := w.Class(0, "sched_switch")
	b.ReportAllocs()
	for i := range b.N {
		s.Begin(c, uint64(i)*100)
		s.Int(20)
		s.String("swapper/0")
		s.Int(int64(i & 1023))
		s.Int(1)
		s.Int(0)
		if err := s.End(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mevents/s")
}

// One event is a packet with a variant, a sequence and bit-fields.
func BenchmarkNet(b *testing.B) {
	w, err := writer.New(kernel(), writer.CTF18)
	if err != nil {
		b.Fatal(err)
	}
	s, err := w.NewStream(io.Discard, writer.StreamOptions{})
	if err != nil {
		b.Fatal(err)
	}
	c, addr := w.Class(0, "net"), []byte{10, 0, 0, 1}
	b.ReportAllocs()
	for i := range b.N {
		s.Begin(c, uint64(i)*100)
		s.Int(20)
		s.String("bash")
		s.Int(4)
		s.Bytes(addr)
		s.Int(6)
		s.Int(5)
		s.Int(7)
		s.Int(300)
		s.Float(0.5)
		s.Int(0)
		if err := s.End(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mevents/s")
}

// Nothing is allocated for an event.
func TestAllocations(t *testing.T) {
	w, err := writer.New(kernel(), writer.CTF18)
	if err != nil {
		t.Fatal(err)
	}
	s, err := w.NewStream(io.Discard, writer.StreamOptions{PacketSize: 4096})
	if err != nil {
		t.Fatal(err)
	}
	c, now := w.Class(0, "sched_switch"), uint64(0)
	write := func() {
		now++
		s.Begin(c, now)
		s.Int(1)
		s.String("task")
		for range 3 {
			s.Int(2)
		}
		if err := s.End(); err != nil {
			t.Fatal(err)
		}
	}
	if n := testing.AllocsPerRun(1000, write); n != 0 {
		t.Errorf("%v allocations for an event", n)
	}
}
