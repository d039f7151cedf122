package main

import (
	"fmt"
	"math"
	"os"
	"slices"
	"text/tabwriter"
)

// A table is what is printed in the end.
type table struct{ rows [][4]string }

func (t *table) row(what, figure, target string, kept bool) {
	verdict := ""
	switch {
	case target != "" && kept:
		verdict = "kept"
	case target != "":
		verdict = "MISSED"
	}
	t.rows = append(t.rows, [4]string{what, figure, target, verdict})
}

func (t *table) print() {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, r := range t.rows {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", r[0], r[1], r[2], r[3])
	}
	w.Flush()
}

// quantile is the value that a share of all is at or below; 0 of none.
func quantile(values []float64, share float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[max(0, int(math.Ceil(share*float64(len(sorted))))-1)]
}
