package query_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
	"synchroscope/state/query"
)

// BenchmarkEfforts asks how busy fifty threads were over a half of a trace, and of one that is fifty times as long.
func BenchmarkEfforts(b *testing.B) {
	for _, events := range []int{2_000_000, 100_000_000} {
		for _, threads := range []int{200, 2_000, 20_000} {
			f, err := os.Create(filepath.Join(b.TempDir(), "tree"))
			if err != nil {
				b.Fatal(err)
			}
			w, err := history.Create(f, 0, history.Options{})
			if err != nil {
				b.Fatal(err)
			}
			l := historytest.NewLoad(w, threads, false)
			made := false
			b.Run(fmt.Sprintf("%dx%d", threads, events/2_000_000), func(b *testing.B) {
				for ; !made; made = true {
					for range events {
						if err := l.Event(); err != nil {
							b.Fatal(err)
						}
					}
					if err := w.Finish(l.Now + 1); err != nil {
						b.Fatal(err)
					}
				}
				qs := make([]attribute.Quark, 50)
				for i := range qs {
					qs[i] = l.Threads[threads/2+i].Status
				}
				ask := func() {
					// The load has the status where the kernel model has it two levels up.
					parents := make([]attribute.Quark, len(qs))
					for i, q := range qs {
						parents[i] = w.Attributes().Parent(q)
					}
					if _, err := query.NewGauge(w.History(), l.Now/7+1, l.Now/14*9+3).Efforts(context.Background(), parents); err != nil {
						b.Fatal(err)
					}
				}
				ask()
				b.ResetTimer()
				began := historytest.ProcessorTime()
				for range b.N {
					ask()
				}
				b.ReportMetric(float64(historytest.ProcessorTime()-began)/float64(b.N)/1e3, "cpu-µs/op")
			})
			f.Close()
		}
	}
}
