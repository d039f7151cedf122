package main

import (
	"fmt"
	"io"
	"strings"

	"synchroscope/sync/network"
)

// A syncReport is what `sync --json` prints: the solution, and comparisons if any were asked for.
type syncReport struct {
	network.Report
	Between []network.ComparisonReport `json:"between,omitempty"`
}

func newSyncReport(s *network.Solution, compared []network.Comparison) syncReport {
	r := syncReport{Report: s.Report()}
	for i := range compared {
		r.Between = append(r.Between, compared[i].Report())
	}
	return r
}

// betweenText prints comparisons for people.
func betweenText(out io.Writer, compared []network.Comparison) error {
	for i := range compared {
		r := compared[i].Report()
		bound := "without a bound"
		if r.Error != nil {
			bound = fmt.Sprintf("known to %s at best, %s at worst", micros(r.Error.Min), micros(r.Error.Max))
		}
		shown := offsets{Begin: r.Offset.Begin, Middle: r.Offset.Middle, End: r.Offset.End}
		if _, err := fmt.Fprintf(out, "\n%s less %s by %s: %s at the beginning, in the middle and at the end, %s\n", r.B, r.A, strings.Join(r.Path, " - "), shown, bound); err != nil {
			return err
		}
	}
	return nil
}
