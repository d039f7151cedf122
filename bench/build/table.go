package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// compare prints the costs of both, each as the median with the lowest and the highest, and how many times those of
// babeltrace2 are those of build.
func compare(w io.Writer, events int64, built, decoded []cost) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%d runs of each, in turn\tsynchroscope build\tbabeltrace2 -c sink.utils.dummy\tratio\n", len(built))
	row := func(what, format string, of func(cost) float64) float64 {
		b, d := spread(built, of), spread(decoded, of)
		text := func(s [3]float64) string { return fmt.Sprintf(format+" ("+format+" to "+format+")", s[1], s[0], s[2]) }
		fmt.Fprintf(t, "%s\t%s\t%s\t%.2f\n", what, text(b), text(d), d[1]/b[1])
		return d[1] / b[1]
	}
	ratio := row("wall time, s", "%.2f", func(c cost) float64 { return c.wall.Seconds() })
	row("processor time, s", "%.2f", func(c cost) float64 { return c.processor.Seconds() })
	row("resident at most, MB", "%.0f", func(c cost) float64 { return float64(c.resident) / 1e6 })
	fmt.Fprintf(t, "events a second of wall time, M\t%.2f\t%.2f\t\n", rate(events, built), rate(events, decoded))
	t.Flush()
	verdict := "kept"
	if ratio < 1 {
		verdict = "MISSED"
	}
	fmt.Fprintf(w, "\nbuild is at least as fast as babeltrace2 merely decodes: %s\n", verdict)
}

// spread is the lowest, the median and the highest.
func spread(costs []cost, of func(cost) float64) [3]float64 {
	values := make([]float64, len(costs))
	for i, c := range costs {
		values[i] = of(c)
	}
	slices.Sort(values)
	n := len(values)
	return [3]float64{values[0], (values[(n-1)/2] + values[n/2]) / 2, values[n-1]}
}

// rate is how many million events a second the median run has done.
func rate(events int64, costs []cost) float64 {
	return float64(events) / 1e6 / spread(costs, func(c cost) float64 { return c.wall.Seconds() })[1]
}
