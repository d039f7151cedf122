package ctf

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"synchroscope/internal/raced"
	"synchroscope/trace"
)

const crowdMetadata = `/* CTF 1.8 */
trace { major = 1; minor = 8; byte_order = le; };
clock { name = c; };
typealias integer { size = 64; align = 8; map = clock.c.value; } := time;
typealias integer { size = 64; align = 8; } := u64;
stream { event.header := struct { time timestamp; }; };
event { name = "block"; fields := struct { u64 n; integer { size = 8; align = 8; } bytes[n]; u64 mark; }; };
`

// A block is an event of the trace that crowd writes.
type block struct {
	time, size, mark uint64
}

// crowd writes a trace of these streams; bytes are holes, which take no space on the disk.
func crowd(t *testing.T, streams [][]block) []*Trace {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "metadata"), []byte(crowdMetadata), false)
	for i, blocks := range streams {
		f, err := os.Create(filepath.Join(dir, fmt.Sprintf("s%04d", i)))
		if err != nil {
			t.Fatal(err)
		}
		off := int64(0)
		for _, b := range blocks {
			head := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, b.time), b.size)
			tail := binary.LittleEndian.AppendUint64(nil, b.mark)
			_, err := f.WriteAt(head, off)
			off += 16 + int64(b.size)
			if _, err2 := f.WriteAt(tail, off); err != nil || err2 != nil {
				t.Fatal(err, err2)
			}
			off += 8
		}
		f.Close()
	}
	return openAll(t, dir)
}

// What many streams hold of large events at a time does not add up: a hundred of them, each
// standing on an event of 15 MiB, are read with the memory of a few.
func TestCrowdOfLargeEvents(t *testing.T) {
	raced.Elsewhere(t, "TestAheadIsTheSame", "TestCountIsReading")
	const n = 100
	streams := make([][]block, n)
	for i := range streams {
		at := uint64(i)
		streams[i] = []block{{at, 15 << 20, at}, {n + at, 0, at}, {2*n + at, 0, at}}
	}
	traces := crowd(t, streams)
	for name, o := range map[string]Options{"plain": {Ahead: -1}, "ahead": {Ahead: 1}, "usual": {}} {
		t.Run(name, func(t *testing.T) {
			before := allocated()
			r := newCrowdReader(t, traces, o)
			for i := uint64(0); ; i++ {
				e, err := r.Next()
				if err == io.EOF && i == 3*n {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				if got := uint64(e.Int(e.Class.Field("mark"))); e.Time != int64(i) || got != i%n {
					t.Fatalf("event %d has time %d, mark %d", i, e.Time, got)
				}
			}
			if took := allocated() - before; took > 64<<20 || len(r.Anomalies()) > 0 {
				t.Errorf("%d bytes were allocated, anomalies %v", took, r.Anomalies())
			}
		})
	}
	t.Run("count", func(t *testing.T) {
		before := allocated()
		r := newCrowdReader(t, traces, Options{})
		if c, err := r.Count(); err != nil || c[0] != 3*n {
			t.Errorf("%d events: %v", c, err)
		}
		if took := allocated() - before; took > 128<<20 {
			t.Errorf("%d bytes were allocated", took)
		}
	})
}

// Thousands of streams take little each.
func TestCrowdOfStreams(t *testing.T) {
	raced.Alone(t)
	const n = 4000
	streams := make([][]block, n)
	for i := range streams {
		streams[i] = []block{{uint64(i), 3, 0}}
	}
	traces := crowd(t, streams)
	before := allocated()
	r := newCrowdReader(t, traces, Options{})
	events := 0
	for _, err := r.Next(); err != io.EOF; _, err = r.Next() {
		if errors.Is(err, syscall.EMFILE) {
			t.Skipf("so many files cannot be open: %v", err)
		}
		if err != nil {
			t.Fatal(err)
		}
		events++
	}
	if took := allocated() - before; events != n || took > 48<<20 {
		t.Errorf("%d events, %d bytes were allocated", events, took)
	}
}

// Events that are larger than their windows, here and there, are the same events in whatever way they are
// read: with windows that hold all of them, from any position and any time on.
func TestLargeEventsInNarrowWindows(t *testing.T) {
	raced.Elsewhere(t, "TestAheadIsTheSame", "TestCountIsReading")
	rng := rand.New(rand.NewPCG(1, 2))
	streams := make([][]block, 5)
	for i := range streams {
		at := uint64(0)
		for range 40 {
			at += rng.Uint64N(20)
			streams[i] = append(streams[i], block{at, rng.Uint64N(1 << (3 + rng.Uint64N(10))), rng.Uint64()})
		}
	}
	traces := crowd(t, streams)
	all := func(r *Reader) string {
		var out strings.Builder
		for {
			e, err := r.Next()
			if err == io.EOF {
				return out.String()
			}
			if err != nil {
				t.Fatal(err)
			}
			out.Write(trace.AppendTime(nil, e.Time))
			fmt.Fprintf(&out, " %d: %d x %d\n", e.Stream, uint64(e.Int(e.Class.Field("mark"))), e.Len(e.Class.Field("bytes")))
		}
	}
	want := all(newCrowdReader(t, traces, Options{Window: 1 << 20, Ahead: -1}))
	if n := strings.Count(want, "\n"); n != 200 {
		t.Fatalf("%d events", n)
	}
	lines := strings.SplitAfter(want, "\n")
	for _, ahead := range []int{-1, 1, 7} {
		o := Options{Window: 1, Ahead: ahead}
		if got := all(newCrowdReader(t, traces, o)); got != want {
			t.Fatalf("decoding ahead after %d events\n%s\nwant\n%s", ahead, got, want)
		}
		one := newCrowdReader(t, traces, o)
		for n := range 200 {
			two := newCrowdReader(t, traces, o)
			if err := two.Seek(one.Position()); err != nil {
				t.Fatal(err)
			}
			if got := all(two); got != strings.Join(lines[n:], "") {
				t.Fatalf("from event %d on, ahead %d\n%s", n, ahead, got)
			}
			e, err := one.Next()
			if err != nil {
				t.Fatal(err)
			}
			three := newCrowdReader(t, traces, o)
			if err := three.SeekTime(e.Time); err != nil {
				t.Fatal(err)
			}
			if got := all(three); !strings.HasSuffix(want, got) || !strings.Contains(got, lines[n]) {
				t.Fatalf("from time %d on, ahead %d\n%s", e.Time, ahead, got)
			}
		}
		if c, err := newCrowdReader(t, traces, o).Count(); err != nil || c[0] != 200 {
			t.Errorf("%d counted: %v", c, err)
		}
	}
}

func newCrowdReader(t *testing.T, traces []*Trace, o Options) *Reader {
	t.Helper()
	r, err := NewReader(traces, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}
