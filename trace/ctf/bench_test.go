package ctf

import (
	"io"
	"os"
	"testing"
)

// benchTrace is the trace that BenchmarkRead reads: a directory with a metadata
// file, by default one the tests unpack.
func benchTrace(b *testing.B) string {
	if dir := os.Getenv("SYNCHROSCOPE_BENCH_TRACE"); dir != "" {
		return dir
	}
	return unpack(b, "many-threads.tar.gz")
}

// BenchmarkRead decodes and merges all events of a trace.
func BenchmarkRead(b *testing.B) {
	dirs, err := Discover(benchTrace(b))
	if err != nil || len(dirs) == 0 {
		b.Fatalf("no trace: %v", err)
	}
	t, err := Open(dirs[0])
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(t.Info().Bytes)
	b.ReportAllocs()
	b.ResetTimer()
	events := 0
	for range b.N {
		r, err := NewReader([]*Trace{t}, Options{})
		if err != nil {
			b.Fatal(err)
		}
		for {
			if _, err := r.Next(); err == io.EOF {
				break
			} else if err != nil {
				b.Fatal(err)
			}
			events++
		}
		r.Close()
	}
	b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
}

// BenchmarkOpen reads and lays out the metadata of a trace.
func BenchmarkOpen(b *testing.B) {
	dirs, err := Discover(benchTrace(b))
	if err != nil || len(dirs) == 0 {
		b.Fatalf("no trace: %v", err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Open(dirs[0]); err != nil {
			b.Fatal(err)
		}
	}
}
