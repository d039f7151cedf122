package main

import (
	"fmt"
	"io"
	"slices"
	"testing"
	"text/tabwriter"

	"synchroscope/sync/baseline"
	"synchroscope/sync/hull"
)

// A syncRow is what the methods make of one scenario, over its seeds.
type syncRow struct {
	scenario string
	methods  []methodCell // in the order of a comparison
	runs     int
	behind   []uint64 // seeds in which the median of hull is worse than the best of the others
	far      int      // those in which it is so by more than a hundredth of the bound
}

// A methodCell is one method in one scenario.
type methodCell struct {
	name       string
	medians    []int64 // true error, by seed
	worst      int64
	bounds     []int64 // the largest, by seed
	violations int     // messages, over all seeds
	inTree     int
	ahead      int // seeds in which hull's median is no worse than this one
}

func (r *syncRow) add(t *testing.T, seed uint64, c *comparison) {
	if r.methods == nil {
		r.methods = make([]methodCell, len(c.Methods))
	}
	r.runs++
	best := int64(-1)
	for i, o := range c.Methods {
		m := &r.methods[i]
		m.name = o.Method
		m.violations += o.Violations
		m.inTree += o.InTree
		if o.Truth == nil {
			t.Errorf("%s, seed %d, %s: no instant to compare with the truth", r.scenario, seed, o.Method)
			continue
		}
		m.medians = append(m.medians, o.Truth.Median)
		m.worst = max(m.worst, o.Truth.Worst)
		m.bounds = append(m.bounds, o.Truth.Bound)
		// One that leaves hosts out is not better for it.
		if o.Truth.Instants < c.Methods[0].Truth.Instants || o.Truth.Median >= c.Methods[0].Truth.Median {
			m.ahead++
		}
		if i > 0 && o.Truth.Instants == c.Methods[0].Truth.Instants && (best < 0 || o.Truth.Median < best) {
			best = o.Truth.Median
		}
	}
	own := c.Methods[0]
	if own.Truth == nil {
		return
	}
	if best >= 0 && own.Truth.Median > best {
		r.behind = append(r.behind, seed)
		if own.Truth.Median > best+own.Truth.Bound/100 {
			r.far++
		}
	}
	if own.Truth.Outside > 0 {
		t.Errorf("%s, seed %d: %d of %d instants are outside the bound, by %d ns at most", r.scenario, seed, own.Truth.Outside, own.Truth.Bounded, own.Truth.Excess)
	}
	if own.Truth.Bounded < own.Truth.Instants {
		t.Errorf("%s, seed %d: %d of %d instants have no bound", r.scenario, seed, own.Truth.Instants-own.Truth.Bounded, own.Truth.Instants)
	}
	if own.Violations > 0 {
		t.Errorf("%s, seed %d: %d messages are received before they are sent", r.scenario, seed, own.Violations)
	}
	for _, k := range own.solution.Links {
		if k.Class == hull.Fail {
			t.Errorf("%s, seed %d: link %d - %d fails", r.scenario, seed, k.A, k.B)
		}
	}
}

// A syncTable is all of it.
type syncTable []*syncRow

func (table syncTable) print(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "SCENARIO\tRUNS\tMETHOD\tMEDIAN ERROR (OF RUNS: LEAST, MEDIAN, MOST)\tWORST\tBOUND (MEDIAN, WORST)\tVIOLATIONS (USED)")
	runs, behind, far := 0, 0, 0
	ahead := make(map[string]int)
	for _, r := range table {
		r.print(w)
		runs += r.runs
		behind += len(r.behind)
		far += r.far
		for _, m := range r.methods {
			ahead[m.name] += m.ahead
		}
	}
	w.Flush()
	fmt.Fprintf(out, "\nThe median error of hull is no worse than that of\n")
	for _, name := range baseline.Names()[1:] {
		fmt.Fprintf(out, "  %-18s in %d of %d runs\n", name, ahead[name], runs)
	}
	fmt.Fprintf(out, "  %-18s in %d, by no more than a hundredth of the bound in %d\n", "the best of them", runs-behind, runs-far)
}

func (r *syncRow) print(w io.Writer) {
	for _, m := range r.methods {
		if len(m.medians) == 0 {
			continue
		}
		slices.Sort(m.medians)
		slices.Sort(m.bounds)
		n := len(m.medians)
		fmt.Fprintf(w, "%s\t%d\t%s\t%s, %s, %s\t%s\t", r.scenario, n, m.name, micros(m.medians[0]), micros(m.medians[(n-1)/2]), micros(m.medians[n-1]), micros(m.worst))
		if m.bounds[n-1] > 0 {
			fmt.Fprintf(w, "%s, %s", micros(m.bounds[(n-1)/2]), micros(m.bounds[n-1]))
		} else {
			fmt.Fprint(w, "none")
		}
		fmt.Fprintf(w, "\t%d (%d)\n", m.violations, m.inTree)
	}
	if len(r.behind) > 0 {
		fmt.Fprintf(w, "%s\t\thull behind in %v\n", r.scenario, r.behind)
	}
}
