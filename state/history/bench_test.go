package history_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
)

const benchEvents = 2_000_000

var crowds = []int{200, 2_000, 20_000}

func newBench(b *testing.B, name string, threads int) (*history.Writer, *historytest.Load) {
	b.Helper()
	f, err := os.Create(name)
	if err != nil {
		b.Fatal(err)
	}
	w, err := history.Create(f, 0, history.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return w, historytest.NewLoad(w, threads, false)
}

type change struct {
	t int64
	q attribute.Quark
	v history.Value
}

// noted is a recorder of changes that are to be made later.
type noted struct {
	*history.Writer
	changes *[]change
}

func (n noted) Modify(t int64, q attribute.Quark, v history.Value) error {
	*n.changes = append(*n.changes, change{t, q, v})
	return nil
}

// BenchmarkBuild measures building alone: the changes are made before.
func BenchmarkBuild(b *testing.B) {
	for _, threads := range crowds {
		changes := make([]change, 0, benchEvents*3)
		b.Run(fmt.Sprint(threads), func(b *testing.B) {
			dir := b.TempDir()
			var cpu time.Duration
			for n := range b.N {
				b.StopTimer()
				w, l := newBench(b, filepath.Join(dir, fmt.Sprint(n)), threads)
				if len(changes) == 0 {
					l.Recorder = noted{w, &changes}
					for range benchEvents {
						_ = l.Event()
					}
				}
				b.StartTimer()
				cpu -= historytest.ProcessorTime()
				for _, c := range changes {
					if err := w.Modify(c.t, c.q, c.v); err != nil {
						b.Fatal(err)
					}
				}
				if err := w.Finish(changes[len(changes)-1].t + 1); err != nil {
					b.Fatal(err)
				}
				b.StopTimer()
				cpu += historytest.ProcessorTime()
				if n == b.N-1 {
					s := w.History().Stats()
					b.ReportMetric(float64(s.Intervals)*float64(b.N)/cpu.Seconds()/1e6, "Mintervals/s")
					b.ReportMetric(float64(s.Bytes)/float64(s.Intervals), "B/interval")
				}
			}
		})
	}
}

// work reports the processor time of a turn.
func work(b *testing.B) func() {
	b.ResetTimer()
	began := historytest.ProcessorTime()
	return func() { b.ReportMetric(float64(historytest.ProcessorTime()-began)/float64(b.N)/1e3, "cpu-µs/op") }
}

// built are the trees of the benchmarks of queries, made once per run.
var (
	built    = make(map[string]*bench)
	benchDir string
)

type bench struct {
	h    *history.History
	l    *historytest.Load
	name string // of the file
}

func TestMain(m *testing.M) {
	code := m.Run()
	if benchDir != "" {
		os.RemoveAll(benchDir)
	}
	os.Exit(code)
}

func ready(b *testing.B, threads, events int) *bench {
	b.Helper()
	key := fmt.Sprintf("%d-%d", threads, events)
	if built[key] == nil {
		if benchDir == "" {
			var err error
			if benchDir, err = os.MkdirTemp("", "history"); err != nil {
				b.Fatal(err)
			}
		}
		name := filepath.Join(benchDir, key)
		w, l := newBench(b, name, threads)
		for range events {
			if err := l.Event(); err != nil {
				b.Fatal(err)
			}
		}
		if err := w.Finish(l.Now + 1); err != nil {
			b.Fatal(err)
		}
		built[key] = &bench{w.History(), l, name}
		runtime.GC()
		b.ResetTimer()
	}
	return built[key]
}

func BenchmarkPoint(b *testing.B) {
	for _, threads := range crowds {
		b.Run(fmt.Sprint(threads), func(b *testing.B) {
			x := ready(b, threads, benchEvents)
			r := rand.New(rand.NewPCG(3, 4))
			defer work(b)()
			for range b.N {
				t := &x.l.Threads[r.IntN(threads)]
				q := t.Status
				if r.IntN(2) == 0 {
					q = t.Call
				}
				if _, err := x.h.Point(context.Background(), q, r.Int64N(x.l.Now)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkFull(b *testing.B) {
	for _, threads := range crowds {
		b.Run(fmt.Sprint(threads), func(b *testing.B) {
			x := ready(b, threads, benchEvents)
			r := rand.New(rand.NewPCG(3, 4))
			defer work(b)()
			for range b.N {
				n := 0
				if err := x.h.Full(context.Background(), r.Int64N(x.l.Now), func(history.Interval) bool { n++; return true }); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkPixels asks for the status of 50 threads in 1920 columns, row by row as the views do: of
// neighbours, as a view shows them, and of any.
func BenchmarkPixels(b *testing.B) {
	for _, threads := range crowds {
		for _, part := range []int64{1, 100} {
			b.Run(fmt.Sprintf("%d/1:%d", threads, part), func(b *testing.B) {
				benchPixels(b, ready(b, threads, benchEvents), part, true)
			})
		}
		b.Run(fmt.Sprintf("%d/scattered", threads), func(b *testing.B) {
			benchPixels(b, ready(b, threads, benchEvents), 1, false)
		})
	}
}

// BenchmarkZoomedOut asks for all of a trace fifty times as long.
func BenchmarkZoomedOut(b *testing.B) {
	for _, threads := range crowds {
		for _, rows := range []string{"neighbours", "scattered"} {
			b.Run(fmt.Sprintf("%dx50/%s", threads, rows), func(b *testing.B) {
				benchPixels(b, ready(b, threads, 50*benchEvents), 1, rows == "neighbours")
			})
		}
	}
}

// BenchmarkFirst asks for what BenchmarkZoomedOut does, of a tree that was just opened, with an empty cache; what the system holds of the file it
// keeps. It counts what is read.
func BenchmarkFirst(b *testing.B) {
	for _, threads := range crowds {
		for _, rows := range []string{"neighbours", "scattered"} {
			b.Run(fmt.Sprintf("%dx50/%s", threads, rows), func(b *testing.B) {
				benchFirst(b, ready(b, threads, 50*benchEvents), rows == "neighbours")
			})
		}
	}
}

func benchFirst(b *testing.B, x *bench, neighbours bool) {
	f, err := os.Open(x.name)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	counted := &counting{File: f}
	qs, edges := x.picture(1, neighbours)
	var cpu time.Duration
	for range b.N {
		b.StopTimer()
		h, err := history.Open(counted)
		if err != nil {
			b.Fatal(err)
		}
		runtime.GC()
		counted.reads.Store(0)
		counted.bytes.Store(0)
		b.StartTimer()
		cpu -= historytest.ProcessorTime()
		if err := h.EachRow(context.Background(), qs, edges, func(int, []history.Run) {}); err != nil {
			b.Fatal(err)
		}
		cpu += historytest.ProcessorTime()
	}
	b.ReportMetric(float64(cpu)/float64(b.N)/1e3, "cpu-µs/op")
	b.ReportMetric(float64(counted.reads.Load()), "reads/op")
	b.ReportMetric(float64(counted.bytes.Load())/1e6, "MB-read/op")
}

// counting is a file that counts what several read of it.
type counting struct {
	history.File
	reads, bytes atomic.Int64
}

func (f *counting) ReadAt(p []byte, off int64) (int, error) {
	f.reads.Add(1)
	f.bytes.Add(int64(len(p)))
	return f.File.ReadAt(p, off)
}

// picture is the status of 50 threads in 1920 columns, over the middle of a trace.
func (x *bench) picture(part int64, neighbours bool) (qs []attribute.Quark, edges []int64) {
	r := rand.New(rand.NewPCG(3, 4))
	first := r.IntN(len(x.l.Threads) - 50)
	for i := range 50 {
		if neighbours {
			qs = append(qs, x.l.Threads[first+i].Status)
		} else {
			qs = append(qs, x.l.Threads[r.IntN(len(x.l.Threads))].Status)
		}
	}
	span := x.l.Now / part
	begin := (x.l.Now - span) / 2
	edges = make([]int64, 1921)
	for i := range edges {
		edges[i] = begin + span*int64(i)/1920
	}
	return qs, edges
}

func benchPixels(b *testing.B, x *bench, part int64, neighbours bool) {
	qs, edges := x.picture(part, neighbours)
	b.ReportAllocs()
	runs := 0
	ask := func() {
		if err := x.h.EachRow(context.Background(), qs, edges, func(_ int, row []history.Run) { runs += len(row) }); err != nil {
			b.Fatal(err)
		}
	}
	ask()
	defer work(b)()
	for range b.N {
		ask()
	}
}
