package history_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
)

const benchEvents = 2_000_000

var crowds = []int{200, 2_000, 20_000}

// built are the trees of the benchmarks, made once per run.
var built = make(map[int]*bench)

type bench struct {
	h         *history.History
	l         *load
	quarks    int
	intervals int
}

func build(b *testing.B, dir string, threads int, prepare bool) *bench {
	b.Helper()
	f, err := os.Create(filepath.Join(dir, fmt.Sprint(threads)))
	if err != nil {
		b.Fatal(err)
	}
	w, err := history.Create(f, 0, history.Options{})
	if err != nil {
		b.Fatal(err)
	}
	l := newLoad(w, threads)
	changes := record(l, w)
	if !prepare {
		b.ResetTimer()
	}
	for _, c := range changes {
		if err := w.Modify(c.t, c.q, c.v); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Finish(l.now + 1); err != nil {
		b.Fatal(err)
	}
	if !prepare {
		b.StopTimer()
	}
	s := w.History().Stats()
	if !prepare {
		b.ReportMetric(float64(s.Intervals)/b.Elapsed().Seconds()/1e6, "Mintervals/s")
		b.ReportMetric(float64(s.Bytes)/float64(s.Intervals), "B/interval")
		b.ReportMetric(float64(s.Intervals)/1e6, "Mintervals")
		f.Close()
		return nil
	}
	return &bench{w.History(), l, w.Attributes().Len(), int(s.Intervals)}
}

type change struct {
	t int64
	q attribute.Quark
	v history.Value
}

var recorded = make(map[int][]change)

// record makes the changes of a load without a tree, so that building is
// measured without the load.
func record(l *load, w *history.Writer) []change {
	if c, ok := recorded[len(l.threads)]; ok {
		l.now = c[len(c)-1].t
		return c
	}
	clear(recorded)
	runtime.GC()
	changes := make([]change, 0, benchEvents*3)
	l.modify = func(t int64, q attribute.Quark, v history.Value) error {
		changes = append(changes, change{t, q, v})
		return nil
	}
	for range benchEvents {
		_ = l.event()
	}
	recorded[len(l.threads)] = changes
	return changes
}

func BenchmarkBuild(b *testing.B) {
	for _, threads := range crowds {
		b.Run(fmt.Sprint(threads), func(b *testing.B) {
			if b.N > 1 {
				b.Skip("one build is one run: -benchtime 1x")
			}
			build(b, b.TempDir(), threads, false)
		})
	}
}

var benchDir string

func TestMain(m *testing.M) {
	code := m.Run()
	if benchDir != "" {
		os.RemoveAll(benchDir)
	}
	os.Exit(code)
}

func ready(b *testing.B, threads int) *bench {
	b.Helper()
	if built[threads] == nil {
		if benchDir == "" {
			var err error
			if benchDir, err = os.MkdirTemp("", "history"); err != nil {
				b.Fatal(err)
			}
		}
		built[threads] = build(b, benchDir, threads, true)
		clear(recorded)
		runtime.GC()
		b.ResetTimer()
	}
	return built[threads]
}

func BenchmarkPoint(b *testing.B) {
	for _, threads := range crowds {
		b.Run(fmt.Sprint(threads), func(b *testing.B) {
			x := ready(b, threads)
			r := rand.New(rand.NewPCG(3, 4))
			for range b.N {
				t := &x.l.threads[r.IntN(threads)]
				q := t.status
				if r.IntN(2) == 0 {
					q = t.call
				}
				if _, err := x.h.Point(context.Background(), q, r.Int64N(x.l.now)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkFull(b *testing.B) {
	for _, threads := range crowds {
		b.Run(fmt.Sprint(threads), func(b *testing.B) {
			x := ready(b, threads)
			r := rand.New(rand.NewPCG(3, 4))
			for range b.N {
				n := 0
				if err := x.h.Full(context.Background(), r.Int64N(x.l.now), func(history.Interval) bool { n++; return true }); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkPixels asks for the status of 50 threads in 1920 columns.
func BenchmarkPixels(b *testing.B) {
	for _, threads := range crowds {
		for _, part := range []int64{1, 100} {
			b.Run(fmt.Sprintf("%d/1:%d", threads, part), func(b *testing.B) {
				x := ready(b, threads)
				r := rand.New(rand.NewPCG(3, 4))
				var qs []attribute.Quark
				for range 50 {
					qs = append(qs, x.l.threads[r.IntN(threads)].status)
				}
				span := x.l.now / part
				begin := (x.l.now - span) / 2
				edges := make([]int64, 1921)
				for i := range edges {
					edges[i] = begin + span*int64(i)/1920
				}
				for range b.N {
					if _, err := x.h.Pixels(context.Background(), qs, edges); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
