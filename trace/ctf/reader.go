package ctf

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"runtime"
	"slices"
	"sync/atomic"

	"synchroscope/trace"
)

// Options of a reader.
type Options struct {
	// Window is how many bytes of a stream file are held at once; packets may be larger.
	// With 0 it is 64 KiB, and less where there are many streams. Larger events share what they need beyond it.
	Window int
	// Ahead is after how many events a stream is decoded ahead, in a goroutine of its
	// own. With 0 it is the reader's choice, with -1 no stream is. Nothing but the
	// time it takes depends on it.
	Ahead int
	// Among is how many readers at a time share the memory of what is decoded ahead, 1 if 0.
	Among int
	// Within is how far from 0 the time of an event may be, in ns. Others are left out and told of. With 0 there are none.
	Within int64
	// Places has the reader keep losses for [Reader.Placed]; else that has none.
	Places bool
}

// longStream is how many events a stream has, by default, before it is decoded
// ahead: fewer are read sooner than it takes to get going.
const longStream = 2000

// A Reader yields the events of one host, all its traces and streams merged by local
// time; ties by (trace, stream, position). It belongs to one goroutine, but for Bytes.
//
// The merge keeps the order in which each stream was written. Where a stream
// runs backwards (its packets overlap, or a clock was set), its events come as
// soon as they are met, carry what is recorded in Event.Recorded, and take for
// Event.Time the time of the event returned before them: Event.Time never decreases.
type Reader struct {
	traces  []*Trace
	lanes   []*lane
	classes []*trace.Class
	heap    heap
	lender  *lender
	begun   bool
	moved   bool       // the first lane's head has been returned
	rivals  [][]*rival // by class; nil where no two recordings of the kernel can have the same events
	limit   int64      // before this time the first lane stays the first, once it has been returned
	time    int64      // of the last event returned
	err     error

	losses    []Loss
	told      []Loss // with their places, if these are wanted
	places    bool
	tails     []tail  // of which it is not known yet whether others go on
	pauses    []pause // of streams, at most one each, which those of others may have in common
	rested    bool    // one of them was found since they were looked at
	anomalies anomalies
	bytes     atomic.Int64
}

// NewReader makes a reader over the traces of one host. The traces must stay open.
func NewReader(traces []*Trace, o Options) (*Reader, error) {
	r := &Reader{traces: traces, lender: &lender{}, time: math.MinInt64, places: o.Places}
	parts := make([]part, len(traces))
	for i, t := range traces {
		own := make(map[*streamClass][]*trace.Class)
		for _, c := range t.plan.streams {
			for _, class := range c.classes {
				class = class.WithIndex(len(r.classes))
				r.classes = append(r.classes, class)
				own[c] = append(own[c], class)
			}
		}
		parts[i] = part{int32(i), t.plan, own, t.info.Kind == "kernel" && slices.Contains(t.info.Classes, "sched_switch")}
		for _, o := range t.plan.notes {
			r.anomalies.add(trace.Anomaly{Kind: o.kind, Stream: t.name(metadataName), Message: o.message, Count: 1})
		}
	}
	copies := copied(traces)
	for i, t := range traces {
		if j, ok := copies[i]; ok {
			r.anomalies.add(t.notice(traces[j]))
			r.bytes.Add(t.info.Bytes)
		}
	}
	twice := again(traces, copies)
	for i, t := range traces {
		counts := make(map[int]int)
		for name, j := range twice[i] {
			counts[j]++
			r.bytes.Add(t.sizes()[name])
		}
		for _, j := range slices.Sorted(maps.Keys(counts)) {
			r.anomalies.add(t.noticeStreams(traces[j], counts[j]))
		}
	}
	streams := joined(traces, parts, copies, twice)
	share := shareOf(len(streams), o.Among, o.Ahead > 0 || o.Ahead == 0 && runtime.GOMAXPROCS(0) > 1)
	if o.Window != 0 {
		share.window = max(o.Window, minWindow)
	}
	switch {
	case o.Ahead > 0:
		share.batches = max(share.batches, fewBatches)
	case share.batches > 0:
		o.Ahead = longStream
	default:
		o.Ahead = math.MaxInt
	}
	scouts := &lender{places: make(chan struct{}, maxLent)}
	for _, s := range streams {
		s.sink, s.last, s.within = r, math.MinInt64, o.Within
		s.win.own = make([]byte, share.window+trace.Spare)
		s.win.buf, s.win.lender, s.scouts = s.win.own, r.lender, scouts
		r.lanes = append(r.lanes, newLane(s, o.Ahead, share))
	}
	r.rivals = r.rivalsOf()
	return r, nil
}

// Classes returns all classes of the reader; the index of each is its place.
func (r *Reader) Classes() []*trace.Class { return r.classes }

// Next returns the next event, valid until the call after, or io.EOF. It fails only
// when the files cannot be read at all; everything else is an anomaly.
func (r *Reader) Next() (*trace.Event, error) {
	if r.err != nil {
		return nil, r.err
	}
	if !r.moved {
		return r.first()
	}
	l := r.heap[0]
	if err := l.advance(); err != nil || l.time >= r.limit || r.rested {
		r.moved = false
		if err := r.settle(err); err != nil {
			r.err = err
			return nil, err
		}
		return r.first()
	}
	e := l.event
	r.time = max(r.time, l.time)
	e.Time = r.time
	return e, nil
}

// first returns the head of the first lane.
func (r *Reader) first() (*trace.Event, error) {
	if !r.begun {
		if r.err = r.begin(); r.err != nil {
			return nil, r.err
		}
	}
	if len(r.tails) > 0 {
		r.goOn()
	}
	if len(r.pauses) > 0 && len(r.heap) > 0 {
		r.stopped()
	}
	if len(r.heap) == 0 {
		r.err = io.EOF
		return nil, io.EOF
	}
	l := r.heap[0]
	if r.err = l.wake(); r.err != nil {
		return nil, r.err
	}
	e := l.event
	r.time = max(r.time, l.time)
	e.Time = r.time
	r.moved, r.limit = true, min(r.heap.second(), r.lookAt())
	return e, nil
}

// begin moves all streams to their first events.
func (r *Reader) begin() error {
	r.begun = true
	var without []*lane
	for _, l := range r.lanes {
		switch err := l.advance(); {
		case err == nil:
			l.rest()
			r.heap.push(l)
		case errors.Is(err, errEnd):
			without = append(without, l)
		default:
			return err
		}
	}
	r.pauses, r.rested = r.pauses[:0], false // before the first event of a stream nothing is known to have been recorded
	for _, l := range without {
		r.ended(l)
		r.over(l)
	}
	return nil
}

// settle gives the first lane, which has been moved with this result, its new place.
func (r *Reader) settle(err error) error {
	switch {
	case err == nil:
		l := r.heap[0]
		if r.heap.fix(); r.heap[0] != l {
			l.rest()
		}
	case errors.Is(err, errEnd):
		l := r.heap[0]
		r.heap.pop()
		r.ended(l)
		r.over(l)
	default:
		return err
	}
	return nil
}

// wrap names the file in an error other than errEnd.
func (s *stream) wrap(err error) error {
	if err == nil || err == errEnd {
		return err
	}
	return fmt.Errorf("%s: %w", s.current().path, err)
}

// Losses returns those found since the last call. A loss is known when Next has returned
// the first event later than its End, and mostly before.
func (r *Reader) Losses() []Loss {
	l := r.losses
	r.losses = nil
	return l
}

// Placed returns the losses of events that are counted and of packets once more, with their places, those found since the last call, if [Options] want them. The place of a loss
// is known when Next has returned the first event behind the packet that tells of it.
func (r *Reader) Placed() []Loss {
	l := r.told
	r.told = nil
	return l
}

// Bytes is how much of the stream files has been consumed; those of copies are, from the beginning. Any goroutine may ask.
func (r *Reader) Bytes() int64 { return r.bytes.Load() }

// Anomalies returns all met so far, equal ones counted together, in order of first sight.
func (r *Reader) Anomalies() []trace.Anomaly { return slices.Clone(r.anomalies.list) }

// Close closes the files. It does not close the traces.
func (r *Reader) Close() error {
	var err error
	for _, l := range r.lanes {
		err = errors.Join(err, l.close())
	}
	if r.err == nil {
		r.err = errors.New("the reader is closed")
	}
	return err
}

func (r *Reader) anomaly(a trace.Anomaly) { r.anomalies.add(a) }

func (r *Reader) placed(l Loss) {
	if r.places {
		r.told = append(r.told, l)
	}
}

func (r *Reader) loss(l Loss) {
	if l.rest {
		r.rest(l)
		return
	}
	r.losses = append(r.losses, l)
}

func (r *Reader) consumed(n int64) { r.bytes.Add(n) }

func (r *Reader) looked(*stream) {}

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
