package history_test

import (
	"context"
	"fmt"
	"testing"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
)

// BenchmarkManyValues asks how long each CPU had each thread, over all of a trace and over a half of it whose ends are in the
// midst of nodes.
func BenchmarkManyValues(b *testing.B) {
	for _, events := range []int{benchEvents, 50 * benchEvents} {
		for _, threads := range crowds {
			for _, part := range []string{"all", "half"} {
				b.Run(fmt.Sprintf("%dx%d/%s", threads, events/benchEvents, part), func(b *testing.B) {
					x := ready(b, threads, events)
					begin, end := int64(0), x.l.Now
					if part == "half" {
						begin, end = x.l.Now/7+1, x.l.Now/14*9+3
					}
					benchTotals(b, x.h, x.h.Attributes().Match("CPUs/*/Current_thread"), begin, end)
				})
			}
		}
	}
}

// benchTotals asks for the totals of attributes once more when all that is kept of them is.
func benchTotals(b *testing.B, h *history.History, qs []attribute.Quark, begin, end int64) {
	values := 0
	ask := func() {
		totals, err := h.Totals(context.Background(), qs, begin, end)
		if err != nil {
			b.Fatal(err)
		}
		values = 0
		for _, of := range totals {
			values += len(of)
		}
	}
	ask()
	done := work(b)
	for range b.N {
		ask()
	}
	done()
	b.ReportMetric(float64(values), "values")
}

// BenchmarkManyInPixels asks for the picture of which thread each CPU had: how long each in each column, or one of them, or merely
// where there was one throughout.
func BenchmarkManyInPixels(b *testing.B) {
	for _, events := range []int{benchEvents, 50 * benchEvents} {
		for _, threads := range crowds {
			for _, asked := range []string{"each", "one", "none"} {
				b.Run(fmt.Sprintf("%dx%d/%s", threads, events/benchEvents, asked), func(b *testing.B) {
					x := ready(b, threads, events)
					edges := make([]int64, 1921)
					for i := range edges {
						edges[i] = x.l.Now * int64(i) / 1920
					}
					qs := x.h.Attributes().Match("CPUs/*/Current_thread")
					shares := 0
					use := func(_ int, runs []history.Run) {
						for _, r := range runs {
							shares += len(r.Mix)
						}
					}
					ask := func() (err error) {
						shares = 0
						switch asked {
						case "each":
							return x.h.EachRow(context.Background(), qs, edges, use)
						case "one":
							return x.h.EachRowOf(context.Background(), qs, edges, []history.Value{history.Int(int64(threads / 2))}, use)
						}
						return x.h.EachRowOf(context.Background(), qs, edges, nil, use)
					}
					if err := ask(); err != nil {
						b.Fatal(err)
					}
					done := work(b)
					for range b.N {
						if err := ask(); err != nil {
							b.Fatal(err)
						}
					}
					done()
					b.ReportMetric(float64(shares), "shares")
				})
			}
		}
	}
}
