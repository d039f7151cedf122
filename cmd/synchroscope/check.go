package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"synchroscope/ingest/declarations"
	"synchroscope/sync/network"
	"synchroscope/trace"
)

// checkReport is the JSON of check.
type checkReport struct {
	Traces     []traceReport `json:"traces"`
	Events     int64         `json:"events"`
	LostEvents int64         `json:"lost_events"`
	// LostPackets are whole ones, as gaps in their numbers tell, and one for each stream that ends too soon, of an unknown number of events that are not among LostEvents.
	LostPackets int64 `json:"lost_packets,omitempty"`

	// What became of the recorded packets; nil if no trace has events of them.
	Messages *network.MatchingReport `json:"messages,omitempty"`
	Errors   []string                `json:"errors"`            // a sentence for each path, trace and declaration that cannot be read
	Notices  []string                `json:"notices,omitempty"` // a sentence for what is declared of states and no trace has
}

// traceReport is what check says of one trace. Begin and End are local ns of
// the first and the last event, nil where there is none.
type traceReport struct {
	Path        string          `json:"path"`
	Host        string          `json:"host"`
	Format      string          `json:"format"`
	Kind        string          `json:"kind"`
	Begin       *string         `json:"begin"`
	End         *string         `json:"end"`
	Events      int64           `json:"events"`
	LostEvents  int64           `json:"lost_events"`
	LostPackets int64           `json:"lost_packets,omitempty"`
	Streams     int             `json:"streams"`
	Messages    *endsReport     `json:"messages,omitempty"` // nil if it has no such events
	Anomalies   []trace.Anomaly `json:"anomalies"`
}

func checkCommand(args []string, stdout, stderr io.Writer) int {
	fs := newFlags("check", "[--json] [--strict] PATH...", `Reads all traces and reports what they hold: hosts, traces, streams, events,
lost events and packets, and everything odd that was met and survived. Exits 1
when a trace or a file beside it that declares what events mean cannot be read,
after one sentence for each on stderr; the others are reported nevertheless.
Declared states of events and fields that no trace has are told of too.`)
	asJSON := fs.Bool("json", false, "print JSON")
	strict := fs.Bool("strict", false, "exit 1 on any anomaly too, after a sentence on the first")
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
	case len(report.Errors) > 0:
		code = exitFault
	case *strict && report.anomalies() > 0:
		code = fault(stderr, errors.New(report.odd()))
	}
	if err != nil {
		code = max(code, fault(stderr, err))
	}
	return code
}

// check reads every trace by itself, so that each anomaly has its trace, and as many at
// a time as there are processors. The chunks of a rotated session are one trace, which
// goes by the path of its first. Those that can have ends of messages are read in step.
func check(o *opened) checkReport {
	report := checkReport{Traces: []traceReport{}, Errors: []string{}}
	for _, err := range slices.Concat(o.errs, o.mistakes) {
		report.Errors = append(report.Errors, worded(err))
	}
	for _, sentence := range declarations.States.Unmet(o.states, o.traces) {
		report.Notices = append(report.Notices, declarations.States.Name+": "+sentence)
	}
	for _, sentence := range declarations.Symbols.Unmet(o.symbols, o.traces) {
		report.Notices = append(report.Notices, declarations.Symbols.Name+": "+sentence)
	}
	for _, sentence := range declarations.Endpoints.Unmet(o.declared, o.traces) {
		report.Notices = append(report.Notices, declarations.Endpoints.Name+": "+sentence)
	}
	passes, all := o.passes()
	var read atomic.Int64
	end := newProgress("reading").watch(read.Load, all)
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	talk, err := newTalk(o, passes, slots)
	if err != nil {
		report.Errors = append(report.Errors, worded(err))
	}
	var workers sync.WaitGroup
	for _, p := range passes {
		p.all = &read
		if p.report.Messages == nil {
			workers.Go(func() {
				slots <- struct{}{}
				p.err = p.run()
				<-slots
			})
		}
	}
	report.Messages = talk.run()
	workers.Wait()
	end()

	for _, p := range passes {
		if p.err != nil {
			report.Errors = append(report.Errors, renamed{p.err, p.parts[0].Dir(), p.report.Path}.Error())
		}
		report.Traces = append(report.Traces, p.report)
		report.Events += p.report.Events
		report.LostEvents += p.report.LostEvents
		report.LostPackets += min(p.report.LostPackets, mostPackets-report.LostPackets)
	}
	return report
}

// progressStep is how many events pass between two looks at the clock.
const progressStep = 1 << 13

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

// odd is a sentence on the first of the anomalies, with its place, and how many there are.
func (c *checkReport) odd() string {
	for _, t := range c.Traces {
		if len(t.Anomalies) > 0 {
			a := t.Anomalies[0]
			return fmt.Sprintf("%s: %s, in %s at byte %d: %s; %s in all", t.Path, a.Kind, a.Stream, a.Offset, a.Message, plural(c.anomalies(), "anomaly", "anomalies"))
		}
	}
	return ""
}
