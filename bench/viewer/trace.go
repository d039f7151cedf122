package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"
)

// An occurrence is an event of Chromium's own trace.
type occurrence struct {
	Name     string  `json:"name"`
	Phase    string  `json:"ph"`
	PID, TID int64   `json:"-"`
	At       float64 `json:"ts"`   // µs
	Length   float64 `json:"dur"`  // µs
	CPU      float64 `json:"tdur"` // µs of the processor
}

// A recording is what Chromium told of its threads.
type recording struct {
	v         *viewer
	collected func() ([]json.RawMessage, error)
}

// record begins to trace the tasks of all threads and the frames among them.
func (v *viewer) record() (*recording, error) {
	ctx, cancel := context.WithCancel(v.ctx)
	parts := chromedp.Events(ctx, tracing.DataCollected)
	complete := chromedp.Events(ctx, tracing.TracingComplete)
	config := &tracing.TraceConfig{RecordMode: "recordAsMuchAsPossible", IncludedCategories: []string{"toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline", "__metadata"}, ExcludedCategories: []string{"*"}}
	if _, err := chromedp.Call(v.ctx, tracing.Start, tracing.StartParams{TransferMode: "ReportEvents", TraceConfig: config}); err != nil {
		cancel()
		return nil, err
	}
	return &recording{v, func() ([]json.RawMessage, error) {
		defer cancel()
		if _, err := chromedp.Call(v.ctx, tracing.End, cdp.Empty{}); err != nil {
			return nil, err
		}
		ended := make(chan error, 1)
		go func() {
			for e, err := range complete {
				if err == nil && e.DataLossOccurred {
					err = fmt.Errorf("the browser lost a part of its trace")
				}
				time.Sleep(time.Second) // parts may still be on their way to the reader below
				ended <- err
				cancel()
				return
			}
		}()
		var all []json.RawMessage
		for part, err := range parts {
			if err != nil {
				break
			}
			for _, v := range part.Value {
				all = append(all, json.RawMessage(v))
			}
		}
		return all, <-ended
	}}, nil
}

// Frames is what the main thread of the page did for each frame: its tasks from one animation
// frame to the next, ms.
type frames struct {
	processor []float64 // by the clock of the thread, which stands while others have the processor
	wall      []float64
}

func (r *recording) frames() (frames, error) {
	raw, err := r.collected()
	if err != nil {
		return frames{}, err
	}
	type thread struct{ pid, tid int64 }
	tasks, begins := make(map[thread][]occurrence), make(map[thread][]float64)
	for _, b := range raw {
		var o occurrence
		var of struct{ PID, TID int64 }
		if json.Unmarshal(b, &o) != nil || json.Unmarshal(b, &of) != nil {
			continue
		}
		at := thread{of.PID, of.TID}
		switch o.Name {
		case "RunTask", "ThreadControllerImpl::RunTask":
			if o.Phase == "X" {
				tasks[at] = append(tasks[at], o)
			}
		case "FireAnimationFrame":
			begins[at] = append(begins[at], o.At)
		}
	}
	var main thread
	for at, b := range begins {
		if len(b) > len(begins[main]) {
			main = at
		}
	}
	starts := begins[main]
	if len(starts) < 2 {
		return frames{}, fmt.Errorf("the trace of the browser shows %d frames among %d events", len(starts), len(raw))
	}
	slices.Sort(starts)
	return share(starts, tasks[main]), nil
}

// share gives each task to the frame it began in. Several callbacks of one frame are one task, in
// which the first of them is the frame's.
func share(starts []float64, tasks []occurrence) frames {
	slices.SortFunc(tasks, func(a, b occurrence) int { return int(a.At - b.At) })
	outer := tasks[:0:0]
	end := 0.0
	for _, o := range tasks {
		if o.At >= end { // a task within a task is counted with it
			outer = append(outer, o)
			end = o.At + o.Length
		}
	}
	var out frames
	begun := false
	k := 0
	for _, o := range outer {
		holds := false
		for ; k < len(starts) && starts[k] < o.At+o.Length; k++ {
			holds = holds || starts[k] >= o.At
		}
		if holds {
			begun = true
			out.processor, out.wall = append(out.processor, 0), append(out.wall, 0)
		}
		if begun {
			last := len(out.wall) - 1
			out.processor[last] += o.CPU / 1e3
			out.wall[last] += o.Length / 1e3
		}
	}
	return out
}
