package validate

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// The checks, in the order of a report.
const (
	Clocks    = "clocks"    // the table of samples is the clock function; events are within the time of tracing
	Counts    = "counts"    // events, lost events, packets and messages are those of the truth
	Schedule  = "schedule"  // no thread runs twice; what a CPU switches from is what it switched to
	Waking    = "waking"    // who sleeps is woken before it runs, in two steps, and nobody else is
	Placing   = "placing"   // threads run and wait where they were put
	Life      = "life"      // threads are born once and do nothing after their end
	Names     = "names"     // what is said of the name and the priority of a thread is what was said before
	Calls     = "calls"     // system calls are left as they were entered, thread by thread
	Nesting   = "nesting"   // interrupts, soft interrupts and timers are within each other
	Raising   = "raising"   // soft interrupts are asked for before they begin
	Timers    = "timers"    // timers are set before they go off
	Disks     = "disks"     // what a disk is asked is queued, handed to it and done, in that order
	Sending   = "sending"   // what is handed to a device is taken by it
	Sequence  = "sequence"  // TCP's arithmetic
	Endpoints = "endpoints" // what was recorded of messages happened, with these headers, at these true times
	Causality = "causality" // what is matched, and is a message, was received after it was sent
	Anomalies = "anomalies" // the reader meets only what the truth explains
	// Matching is not about the traces but about sync/match: that every pair it makes is a message.
	Matching = "matching"
)

var checks = []string{Clocks, Counts, Schedule, Waking, Placing, Life, Names, Calls, Nesting, Raising, Timers, Disks, Sending, Sequence, Endpoints, Causality, Anomalies, Matching}

// A Report is what was found.
type Report struct {
	Hosts   int     `json:"hosts"`
	Traces  int     `json:"traces"`
	Events  int64   `json:"events"`
	Lost    int64   `json:"lost_events"` // that packets say were discarded
	Matched int64   `json:"matched"`     // messages that sync/match finds
	Checks  []Check `json:"checks"`
}

// A Check is one of the checks of a cluster.
type Check struct {
	Name     string    `json:"name"`
	Done     int64     `json:"done"` // how many things were looked at
	Failed   int64     `json:"failed"`
	Problems []Problem `json:"problems,omitempty"` // the first of those that failed
}

// A Problem is something that cannot be.
type Problem struct {
	Trace string `json:"trace,omitempty"`       // its path; "" for the cluster
	Time  int64  `json:"time,omitempty,string"` // local ns; 0 if it is of no time
	Text  string `json:"text"`
}

func (p Problem) String() string {
	var b strings.Builder
	if p.Trace != "" {
		b.WriteString(p.Trace + ": ")
	}
	if p.Time != 0 {
		fmt.Fprintf(&b, "at %d.%09d: ", p.Time/1e9, p.Time%1e9)
	}
	return b.String() + p.Text
}

// maxProblems is how many of a check are kept.
const maxProblems = 10

func newReport() *Report {
	r := &Report{}
	for _, name := range checks {
		r.Checks = append(r.Checks, Check{Name: name})
	}
	return r
}

// check is the one with that name.
func (r *Report) check(name string) *Check {
	return &r.Checks[slices.Index(checks, name)]
}

// OK tells whether traces and truth are consistent: nothing failed but, maybe, the matching.
func (r *Report) OK() bool {
	return !slices.ContainsFunc(r.Checks, func(c Check) bool { return c.Failed > 0 && c.Name != Matching })
}

// WriteTo writes a line for each check, and its problems below it.
func (r *Report) WriteTo(w io.Writer) (int64, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "%d hosts, %d traces, %d events, %d lost events, %d matched messages\n", r.Hosts, r.Traces, r.Events, r.Lost, r.Matched)
	for _, c := range r.Checks {
		verdict := "holds"
		switch {
		case c.Failed > 0:
			verdict = fmt.Sprintf("fails %d times", c.Failed)
		case c.Done == 0:
			verdict = "had nothing to look at"
		}
		fmt.Fprintf(&b, "%-10s %12d  %s\n", c.Name, c.Done, verdict)
		for _, p := range c.Problems {
			fmt.Fprintf(&b, "    %s\n", p)
		}
		if more := c.Failed - int64(len(c.Problems)); more > 0 && c.Failed > 0 {
			fmt.Fprintf(&b, "    and %d more\n", more)
		}
	}
	n, err := io.WriteString(w, b.String())
	return int64(n), err
}

func (c *Check) fail(p Problem) {
	c.Failed++
	if len(c.Problems) < maxProblems {
		c.Problems = append(c.Problems, p)
	}
}
