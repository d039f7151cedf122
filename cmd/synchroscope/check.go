package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"text/tabwriter"

	"synchroscope/trace"
	"synchroscope/trace/ctf"
)

// checkReport is the JSON of check.
type checkReport struct {
	Traces     []traceReport `json:"traces"`
	Events     int64         `json:"events"`
	LostEvents int64         `json:"lost_events"`
	Errors     []string      `json:"errors"` // a sentence for each path and trace that cannot be read
}

// traceReport is what check says of one trace. Begin and End are local ns of
// the first and the last event, nil where there is none.
type traceReport struct {
	Path       string          `json:"path"`
	Host       string          `json:"host"`
	Format     string          `json:"format"`
	Kind       string          `json:"kind"`
	Begin      *string         `json:"begin"`
	End        *string         `json:"end"`
	Events     int64           `json:"events"`
	LostEvents int64           `json:"lost_events"`
	Streams    int             `json:"streams"`
	Anomalies  []trace.Anomaly `json:"anomalies"`
}

func checkCommand(args []string, stdout, stderr io.Writer) int {
	fs := newFlags("check", "[--json] [--strict] PATH...", `Reads all traces and reports what they hold: traces, hosts, streams, events,
lost events, and everything odd that was met and survived.`)
	asJSON := fs.Bool("json", false, "print JSON")
	strict := fs.Bool("strict", false, "exit 1 on any anomaly too")
	paths, code, done := parse(fs, args, stdout, stderr)
	if done {
		return code
	}
	if len(paths) == 0 {
		return misuse("check", stderr, "a PATH is missing")
	}

	o := openPaths(paths)
	defer o.close()
	report := check(o)
	for _, sentence := range report.Errors {
		fault(stderr, errors.New(sentence))
	}
	var err error
	if *asJSON {
		enc := json.NewEncoder(stdout)
		enc.SetIndent("", "  ")
		err = enc.Encode(report)
	} else if len(report.Traces) > 0 {
		err = report.text(stdout)
	}
	switch {
	case err != nil:
		return fault(stderr, err)
	case len(report.Errors) > 0, *strict && report.anomalies() > 0:
		return exitFault
	}
	return exitOK
}

// check reads every trace by itself, so that each anomaly has its trace.
func check(o *opened) checkReport {
	report := checkReport{Traces: []traceReport{}, Errors: []string{}}
	for _, err := range o.errs {
		report.Errors = append(report.Errors, err.Error())
	}
	for _, h := range o.hosts {
		for _, t := range h.Traces {
			r, err := checkTrace(t, o.shown[t])
			r.Host = h.Name
			if err != nil {
				report.Errors = append(report.Errors, renamed{err, t.Dir(), r.Path}.Error())
			}
			report.Traces = append(report.Traces, r)
			report.Events += r.Events
			report.LostEvents += r.LostEvents
		}
	}
	return report
}

func checkTrace(t *ctf.Trace, path string) (traceReport, error) {
	info := t.Info()
	r := traceReport{Path: path, Format: info.Format, Kind: info.Kind, Streams: info.Streams, Anomalies: []trace.Anomaly{}}
	reader, err := ctf.NewReader([]*ctf.Trace{t}, ctf.Options{})
	if err != nil {
		return r, err
	}
	defer reader.Close()
	progress := newProgress("reading " + path)
	defer progress.end()
	begin, end := int64(math.MaxInt64), int64(math.MinInt64)
	for {
		ev, err := reader.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return r, err
		}
		r.Events++
		begin, end = min(begin, ev.Time), max(end, ev.Time)
		if r.Events%progressStep == 0 {
			r.LostEvents += lost(reader.Losses())
			progress.show(reader.Bytes(), info.Bytes)
		}
	}
	if r.Events > 0 {
		r.Begin, r.End = decimal(begin), decimal(end)
	}
	r.LostEvents += lost(reader.Losses())
	r.Anomalies = append(r.Anomalies, reader.Anomalies()...)
	return r, nil
}

// progressStep is how many events pass between two looks at the clock.
const progressStep = 1 << 13

func lost(losses []ctf.Loss) (n int64) {
	for _, l := range losses {
		n += l.Count
	}
	return n
}

func decimal(n int64) *string {
	s := strconv.FormatInt(n, 10)
	return &s
}

func (c *checkReport) anomalies() (n int64) {
	for _, t := range c.Traces {
		for _, a := range t.Anomalies {
			n += a.Count
		}
	}
	return n
}

// text writes the report for people: a line for each trace, what is odd about it below.
func (c *checkReport) text(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "TRACE\tHOST\tFORMAT\tKIND\tSTREAMS\tEVENTS\tLOST\tANOMALIES")
	hosts := make(map[string]bool)
	for _, t := range c.Traces {
		hosts[t.Host] = true
		one := checkReport{Traces: []traceReport{t}}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%d\t%d\t%d\n", t.Path, t.Host, t.Format, t.Kind, t.Streams, t.Events, t.LostEvents, one.anomalies())
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, t := range c.Traces {
		for _, a := range t.Anomalies {
			fmt.Fprintf(out, "\n%s: %s", t.Path, a.Kind)
			if a.Count > 1 {
				fmt.Fprintf(out, ", %d times, first", a.Count)
			}
			fmt.Fprintf(out, " in %s at byte %d:\n  %s\n", a.Stream, a.Offset, a.Message)
		}
	}
	_, err := fmt.Fprintf(out, "\n%s, %s, %s, %s lost, %s\n",
		plural(int64(len(c.Traces)), "trace", "traces"), plural(int64(len(hosts)), "host", "hosts"),
		plural(c.Events, "event", "events"), strconv.FormatInt(c.LostEvents, 10), plural(c.anomalies(), "anomaly", "anomalies"))
	return err
}

func plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.FormatInt(n, 10) + " " + many
}
