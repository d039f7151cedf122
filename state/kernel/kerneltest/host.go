// Package kerneltest runs the kernel model over events in tests, with a history
// in memory.
package kerneltest

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
	"synchroscope/state/kernel"
	"synchroscope/trace"
	"synchroscope/trace/tracetest"
)

// A Step is an event, or the report of a loss where Event is nil.
type Step struct {
	Event      *trace.Event
	CPU        int32
	Begin, End int64 // local ns
}

// Parse makes steps of text: events as trace/tracetest reads them, and lines
// "lost cpu=N BEGIN END" with times in seconds. end is a second after the last time.
func Parse(tb testing.TB, text string) (steps []Step, end int64) {
	tb.Helper()
	var source tracetest.Source
	for _, line := range strings.Split(text, "\n") {
		var s Step
		var begin, until string
		if n, _ := fmt.Sscanf(line, "lost cpu=%d %s %s", &s.CPU, &begin, &until); n == 3 {
			s.Begin, s.End = seconds(tb, begin), seconds(tb, until)
			end = max(end, s.End)
			steps = append(steps, s)
			continue
		}
		for _, ev := range source.Parse(tb, line) {
			steps = append(steps, Step{Event: ev})
			end = max(end, ev.Time)
		}
	}
	return steps, end + 1e9
}

func seconds(tb testing.TB, s string) int64 {
	tb.Helper()
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		tb.Fatal(err)
	}
	return int64(math.Round(f * 1e9))
}

// A Host is a model and the history it feeds.
type Host struct {
	File   *historytest.Memory
	Writer *history.Writer
	Model  *kernel.Model

	recorded []string // the names of all events, if that was told
	streams  []int32  // the CPUs of which there are packets, if that was told
}

// New makes a host whose history begins at start.
func New(tb testing.TB, start int64, o history.Options) *Host {
	tb.Helper()
	h := &Host{File: new(historytest.Memory)}
	w, err := history.Create(h.File, start, o)
	if err != nil {
		tb.Fatal(err)
	}
	h.Writer, h.Model = w, kernel.New(w)
	return h
}

// Recorded tells the model which events the trace can hold: names with spaces between.
func (h *Host) Recorded(names string) {
	h.recorded = strings.Fields(names)
	h.Model.Recorded(h.recorded)
}

// Streams tells the model of which CPUs there are packets; nil if nobody knows.
func (h *Host) Streams(cpus []int32) {
	if h.streams = cpus; cpus != nil {
		h.Model.Streams(cpus)
	}
}

// Foresee tells the model of the first events ahead.
func (h *Host) Foresee(tb testing.TB, r interface{ Next() (*trace.Event, error) }) {
	tb.Helper()
	ahead := h.Model.Foresee()
	for range kernel.Foreseen {
		ev, err := r.Next()
		if err != nil {
			return
		}
		if err := ahead.Take(ev); err != nil {
			tb.Fatal(err)
		}
	}
}

// Run makes a host and lets it take all steps of a text, from 0 to the end.
func Run(tb testing.TB, text string) *Host {
	tb.Helper()
	steps, end := Parse(tb, text)
	h := New(tb, 0, history.Options{})
	for _, s := range steps {
		h.Take(tb, s)
	}
	h.Finish(tb, end)
	return h
}

// Take gives the model a step.
func (h *Host) Take(tb testing.TB, s Step) {
	var err error
	if s.Event == nil {
		err = h.Model.Lost(s.CPU, s.Begin, s.End)
	} else {
		err = h.Model.Handle(s.Event)
	}
	if err != nil {
		tb.Helper() // not above: to say so of each of millions of steps takes longer than some of them
		tb.Fatal(err)
	}
}

// Finish ends the history.
func (h *Host) Finish(tb testing.TB, end int64) {
	tb.Helper()
	if err := h.Model.Advance(end); err != nil {
		tb.Fatal(err)
	}
	if err := h.Writer.Finish(end); err != nil {
		tb.Fatal(err)
	}
}

// Restart stops the host at a checkpoint and starts another from it over the same file.
func (h *Host) Restart(tb testing.TB) *Host {
	tb.Helper()
	checkpoint, err := h.Writer.Checkpoint()
	if err != nil {
		tb.Fatal(err)
	}
	state := h.Model.AppendState(nil)
	next := &Host{File: h.File, recorded: h.recorded}
	if next.Writer, err = history.Resume(h.File, checkpoint); err != nil {
		tb.Fatal(err)
	}
	next.Model = kernel.New(next.Writer)
	if next.recorded != nil {
		next.Model.Recorded(next.recorded)
	}
	next.Streams(h.streams)
	if err := next.Model.Restore(bytes.NewReader(state)); err != nil {
		tb.Fatal(err)
	}
	if again := next.Model.AppendState(nil); string(again) != string(state) {
		tb.Fatalf("a restored model writes another state:\n%q\nwas\n%q", again, state)
	}
	return next
}
