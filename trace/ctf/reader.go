package ctf

import (
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"sync/atomic"

	"synchroscope/trace"
)

// Options of a reader.
type Options struct {
	Window int // bytes of a stream file held at once, 64 KiB if 0; packets may be larger
}

const defaultWindow = 64 << 10 // what fits into a second-level cache, with what else is used

// A Reader yields the events of one host, all its traces and streams merged by local
// time; ties by (trace, stream, position). It belongs to one goroutine, but for Bytes.
//
// The merge keeps the order in which each stream was written. Where a stream
// runs backwards (its packets overlap, or a clock was set), its events come as
// soon as they are met, carry what is recorded in Event.Recorded, and take for
// Event.Time the time of the event returned before them: Event.Time never decreases.
type Reader struct {
	traces  []*Trace
	streams []*stream
	classes []*trace.Class
	heap    heap
	begun   bool
	moved   bool  // the first stream's head has been returned
	time    int64 // of the last event returned
	err     error

	losses    []Loss
	anomalies anomalies
	bytes     atomic.Int64
}

// NewReader makes a reader over the traces of one host. The traces must stay open.
func NewReader(traces []*Trace, o Options) (*Reader, error) {
	if o.Window == 0 {
		o.Window = defaultWindow
	}
	r := &Reader{traces: traces, time: math.MinInt64}
	for i, t := range traces {
		own := make(map[*streamClass][]*trace.Class)
		for _, c := range t.plan.streams {
			for _, class := range c.classes {
				class = class.WithIndex(len(r.classes))
				r.classes = append(r.classes, class)
				own[c] = append(own[c], class)
			}
		}
		for j, files := range t.streams {
			s := &stream{trace: int32(i), index: int32(j), plan: t.plan, dir: t.dir, files: files, own: own, sink: r, last: math.MinInt64}
			s.win.buf = make([]byte, max(o.Window, minWindow)+trace.Spare)
			r.streams = append(r.streams, s)
		}
		for _, note := range t.plan.notes {
			r.anomalies.add(trace.Anomaly{Kind: "clock-range", Stream: t.name(metadataName), Message: note, Count: 1})
		}
	}
	return r, nil
}

// minWindow is the smallest window, in bytes.
const minWindow = 512

// Classes returns all classes of the reader; the index of each is its place.
func (r *Reader) Classes() []*trace.Class { return r.classes }

// Next returns the next event, valid until the call after, or io.EOF. It fails only
// when the files cannot be read at all; everything else is an anomaly.
func (r *Reader) Next() (*trace.Event, error) {
	if r.err != nil {
		return nil, r.err
	}
	if !r.begun {
		if r.err = r.begin(); r.err != nil {
			return nil, r.err
		}
	}
	if r.moved {
		r.moved = false
		if err := r.step(); err != nil {
			r.err = err
			return nil, err
		}
	}
	if len(r.heap) == 0 {
		r.err = io.EOF
		return nil, io.EOF
	}
	e := &r.heap[0].event
	r.time = max(r.time, e.Recorded)
	e.Time = r.time
	r.moved = true
	return e, nil
}

// begin moves all streams to their first events.
func (r *Reader) begin() error {
	r.begun = true
	for _, s := range r.streams {
		switch err := s.advance(); {
		case err == nil:
			r.heap.push(s)
		case !errors.Is(err, errEnd):
			return s.wrap(err)
		}
	}
	return nil
}

// step moves the first stream on.
func (r *Reader) step() error {
	s := r.heap[0]
	switch err := s.advance(); {
	case err == nil:
		r.heap.fix()
	case errors.Is(err, errEnd):
		r.heap.pop()
	default:
		return s.wrap(err)
	}
	return nil
}

func (s *stream) wrap(err error) error {
	return fmt.Errorf("%s: %w", filepath.Join(s.dir, s.files[min(s.file, len(s.files)-1)]), err)
}

// Losses returns those found since the last call. A loss is known before any event later
// than its End is returned by Next.
func (r *Reader) Losses() []Loss {
	l := r.losses
	r.losses = nil
	return l
}

// Bytes is how much of the stream files has been consumed. Any goroutine may ask.
func (r *Reader) Bytes() int64 { return r.bytes.Load() }

// Anomalies returns all met so far, equal ones counted together, in order of first sight.
func (r *Reader) Anomalies() []trace.Anomaly { return slices.Clone(r.anomalies.list) }

// Close closes the files. It does not close the traces.
func (r *Reader) Close() error {
	var err error
	for _, s := range r.streams {
		if s.open != nil {
			err = errors.Join(err, s.open.Close())
			s.open = nil
		}
	}
	if r.err == nil {
		r.err = errors.New("the reader is closed")
	}
	return err
}

func (r *Reader) anomaly(s *stream, kind string, off int64, message string) {
	name := r.traces[s.trace].name(s.files[min(s.file, len(s.files)-1)])
	r.anomalies.add(trace.Anomaly{Kind: kind, Stream: name, Offset: off, Message: message, Count: 1})
}

func (r *Reader) loss(_ *stream, l Loss) { r.losses = append(r.losses, l) }

func (r *Reader) consumed(n int64) { r.bytes.Add(n) }

// anomalies counts equal ones together: those of one kind in one file.
type anomalies struct {
	list  []trace.Anomaly
	place map[[2]string]int
}

func (a *anomalies) add(x trace.Anomaly) {
	key := [2]string{x.Kind, x.Stream}
	if i, ok := a.place[key]; ok {
		a.list[i].Count += x.Count
		return
	}
	if a.place == nil {
		a.place = make(map[[2]string]int)
	}
	a.place[key] = len(a.list)
	a.list = append(a.list, x)
}
