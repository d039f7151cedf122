package main

import (
	"encoding/json"
	"errors"
	"io"
	"math"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"

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
	fs := newFlags("check", "[--json] [--strict] PATH...", `Reads all traces and reports what they hold: hosts, traces, streams, events,
lost events, and everything odd that was met and survived. Exits 1 when a trace
cannot be read, after one sentence for each on stderr; the others are reported
nevertheless.`)
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
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		err = enc.Encode(report)
	} else if len(report.Traces) > 0 {
		err = report.text(stdout)
	}
	switch {
	case len(report.Errors) > 0, *strict && report.anomalies() > 0:
		code = exitFault
	}
	if err != nil {
		code = max(code, fault(stderr, err))
	}
	return code
}

// check reads every trace by itself, so that each anomaly has its trace, and as many at
// a time as there are processors. The chunks of a rotated session are one trace, which
// goes by the path of its first.
func check(o *opened) checkReport {
	var all int64
	var read atomic.Int64
	var traces [][]*ctf.Trace // each with its parts
	report := checkReport{Traces: []traceReport{}, Errors: []string{}}
	for _, h := range o.hosts {
		for _, parts := range ctf.Recordings(h.Traces) {
			info := parts[0].Info()
			r := traceReport{Path: o.shown[parts[0]], Host: h.Name, Format: info.Format, Kind: info.Kind, Anomalies: []trace.Anomaly{}}
			for _, t := range parts {
				all += t.Info().Bytes
				r.Streams += t.Info().Streams
			}
			traces = append(traces, parts)
			report.Traces = append(report.Traces, r)
		}
	}
	end := newProgress("reading").watch(read.Load, all)
	errs := make([]error, len(traces))
	next := make(chan int, len(traces))
	for i := range traces {
		next <- i
	}
	close(next)
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(traces)) {
		workers.Go(func() {
			for i := range next {
				errs[i] = report.Traces[i].read(traces[i], &read)
			}
		})
	}
	workers.Wait()
	end()

	for _, err := range o.errs {
		report.Errors = append(report.Errors, worded(err))
	}
	for i, r := range report.Traces {
		if errs[i] != nil {
			report.Errors = append(report.Errors, renamed{errs[i], traces[i][0].Dir(), r.Path}.Error())
		}
		report.Events += r.Events
		report.LostEvents += r.LostEvents
	}
	return report
}

// read reads a trace to its end, and adds the bytes read to all.
func (r *traceReport) read(parts []*ctf.Trace, all *atomic.Int64) error {
	reader, err := ctf.NewReader(parts, ctf.Options{})
	if err != nil {
		return err
	}
	defer reader.Close()
	begin, end, bytes := int64(math.MaxInt64), int64(math.MinInt64), int64(0)
	for {
		ev, err := reader.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		r.Events++
		begin, end = min(begin, ev.Recorded), max(end, ev.Recorded)
		if r.Events%progressStep == 0 {
			r.LostEvents += lost(reader.Losses())
			now := reader.Bytes()
			all.Add(now - bytes)
			bytes = now
		}
	}
	if r.Events > 0 {
		r.Begin, r.End = new(decimal(begin)), new(decimal(end))
	}
	r.LostEvents += lost(reader.Losses())
	r.Anomalies = append(r.Anomalies, reader.Anomalies()...)
	return nil
}

// progressStep is how many events pass between two looks at the clock.
const progressStep = 1 << 13

func lost(losses []ctf.Loss) (n int64) {
	for _, l := range losses {
		n += l.Count
	}
	return n
}

func decimal(n int64) string { return strconv.FormatInt(n, 10) }

func (r *traceReport) anomalies() (n int64) {
	for _, a := range r.Anomalies {
		n += a.Count
	}
	return n
}

func (c *checkReport) anomalies() (n int64) {
	for i := range c.Traces {
		n += c.Traces[i].anomalies()
	}
	return n
}
