package ctf

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"

	"synchroscope/trace"
)

// Decoding ahead.
//
// What takes time in a stream is to find where its events begin and when they were:
// each depends on the one before. A goroutine per stream does that and hands the places
// over in batches, one for each window of the file, with the window itself. The merge walks
// an event again when it comes to it, which is quick by then and leaves the event in
// the cache of the processor that will ask for its fields. A batch also holds what was
// met between two events (anomalies, losses, bytes consumed), and the merge reports it
// when it gets there. So a reader gives the same events, reports and positions whether
// its streams are decoded ahead or not.
//
// What we chose not to do: hand over whole events. With the places of all their segments
// they are ten times larger than a record, and moving them from one processor's cache to
// another's costs more than walking again. Nor are several packets of one stream decoded
// at the same time: the time of an event may depend on all that are before it. And an event larger
// than a window is not waited for with its window: the goroutine ends there, and the reader
// moves the stream itself for a while.

// A batch is the events of one window.
type batch struct {
	window    []byte
	records   []record
	stretches []stretch
	notes     []note
	heads     []byte // of the stretches
	err       error  // what is behind the last record; nil if another batch is
	failed    string // the goroutine's panic and stack, "" without one
}

// A record is one event.
type record struct {
	time   int64  // recorded
	before uint64 // cycles before it
	at     uint32 // bits from the beginning of the view
	body   uint32 // the same, behind the event header
	kind   int32  // into the classes of the stream
}

// A stretch is what a window shows of a packet.
type stretch struct {
	first  int // record
	packet packet
	head   []byte // packet header and context
	view   view
	part   part
	file   int
	done   int64 // bytes of the file consumed
}

// A note is what was met before a record came.
type note struct {
	record   int
	anomaly  *trace.Anomaly // one of these
	loss     *Loss
	placed   bool // the loss is told for the second time, with its place
	consumed int64
}

// An ahead decodes one stream ahead.
type ahead struct {
	stream *stream
	sink   sink // of the reader

	// Of the goroutine.
	fill    *batch
	window  int // bytes of a window, usually
	most    int // records of a batch
	usual   int // records of the fullest batch so far
	running sync.WaitGroup

	ready chan *batch   // full ones; has room for all
	free  chan *batch   // empty ones; has room for all
	quit  chan struct{} // closed when nobody reads on

	// Of the reader.
	read                  *batch
	record, stretch, note int // the next ones of read
	due                   int // the record before which there is a note or a stretch, or that is no more
	event                 trace.Event
	shown                 *stretch
	class                 []*trace.Class
	place                 place
}

// startAhead lets a goroutine move the stream from where it stands. Nobody else may
// touch the stream until stop has returned.
func startAhead(s *stream, of share) *ahead {
	s.pass()
	a := &ahead{
		stream: s, sink: s.sink, fill: &batch{window: s.win.own}, window: len(s.win.own), most: of.records(),
		ready: make(chan *batch, of.batches), free: make(chan *batch, of.batches), quit: make(chan struct{}),
	}
	for range of.batches - 1 {
		a.free <- &batch{}
	}
	s.sink, s.win.turn = a, a.turn
	s.look()
	a.running.Add(1)
	go a.run()
	return a
}

// stop ends the goroutine.
func (a *ahead) stop() {
	close(a.quit)
	a.running.Wait()
}

// leave ends what has met errLarge: the stream stands where the goroutine has left it.
func (a *ahead) leave() {
	a.stop()
	a.stream.sink, a.stream.win.turn = a.sink, nil
}

// run fills batches up to the end of the stream. A panic goes on where the batch is read, so that who recovers from what
// a trace does to the reader has it there, and not the whole process.
func (a *ahead) run() {
	defer a.running.Done()
	defer func() {
		if p := recover(); p != nil {
			a.fill.failed = fmt.Sprintf("%v\n%s", p, debug.Stack())
			a.ready <- a.fill
		}
	}()
	s := a.stream
	for {
		err := s.advance()
		if err == errStopped {
			return
		}
		b := a.fill
		if err != nil {
			if b.err = err; err != errLarge {
				b.err = s.wrap(err)
			}
			a.ready <- b
			return
		}
		n := len(b.records)
		if n == cap(b.records) {
			b.records = slices.Grow(b.records, a.room(n))
		}
		b.records = b.records[:n+1]
		r := &b.records[n]
		r.time, r.before, r.at, r.body, r.kind = s.event.Recorded, s.before, uint32(s.start-s.view.low), uint32(s.body), s.kind
		if n+1 == a.most {
			s.forget()
		}
	}
}

// room is for how many more records a batch of n gets memory. Once there was a full one, others have little more than that.
func (a *ahead) room(n int) int {
	want := max(2*n, 64)
	if a.usual > 0 {
		want = max(a.usual, n) + max(a.usual, n)/16 + 1
	}
	return min(want, a.most) - n
}

var errStopped = errors.New("the reader has been closed")

// turn hands the batch over with the window that it refers to, and returns another buffer.
func (a *ahead) turn(buf []byte) ([]byte, error) {
	select {
	case <-a.quit:
		return nil, errStopped
	default:
	}
	if len(a.fill.records) == 0 {
		return buf, nil
	}
	a.usual = max(a.usual, len(a.fill.records))
	a.fill.window = buf
	a.ready <- a.fill
	select {
	case a.fill = <-a.free:
	case <-a.quit:
		return nil, errStopped
	}
	if a.fill.window == nil {
		a.fill.window = make([]byte, a.window)
	}
	return a.fill.window, nil
}

// The goroutine's stream reports to its batch.

func (a *ahead) anomaly(x trace.Anomaly) { a.noted(note{anomaly: &x}) }
func (a *ahead) loss(l Loss)             { a.noted(note{loss: &l}) }
func (a *ahead) placed(l Loss)           { a.noted(note{loss: &l, placed: true}) }
func (a *ahead) consumed(n int64)        { a.noted(note{consumed: n}) }

func (a *ahead) noted(n note) {
	n.record = len(a.fill.records)
	a.fill.notes = append(a.fill.notes, n)
}

func (a *ahead) looked(s *stream) {
	b := a.fill
	if n := len(b.stretches); n > 0 && b.stretches[n-1].first == len(b.records) {
		b.stretches = b.stretches[:n-1] // nothing was in it
	}
	n := len(b.heads)
	b.heads = append(b.heads, s.packed...)
	b.stretches = append(b.stretches, stretch{len(b.records), s.packet, b.heads[n:], s.view, s.part, s.file, s.done})
}

// advance moves the head to the next event.
func (a *ahead) advance() error {
	if a.record >= a.due {
		if err := a.meet(); err != nil {
			return err
		}
	}
	a.walk(&a.read.records[a.record])
	return nil
}

// meet passes on what was met on the way to the next record.
func (a *ahead) meet() error {
	for {
		if b := a.read; b != nil {
			a.report(b)
			if a.record < len(b.records) {
				a.show(b)
				return nil
			}
			if b.failed != "" {
				panic(b.failed)
			}
			if b.err != nil {
				return b.err
			}
			*b = batch{window: b.window, records: b.records[:0], stretches: b.stretches[:0], notes: b.notes[:0], heads: b.heads[:0]}
			a.free <- b
		}
		a.read = <-a.ready
		a.record, a.stretch, a.note, a.due = 0, 0, 0, 0
	}
}

// report passes on the notes before the next record.
func (a *ahead) report(b *batch) {
	for ; a.note < len(b.notes) && b.notes[a.note].record <= a.record; a.note++ {
		switch n := &b.notes[a.note]; {
		case n.anomaly != nil:
			a.sink.anomaly(*n.anomaly)
		case n.loss != nil && n.placed:
			a.sink.placed(*n.loss)
		case n.loss != nil:
			a.sink.loss(*n.loss)
		default:
			a.sink.consumed(n.consumed)
		}
	}
}

// show enters the stretch of the next record, and finds out how far nothing else is met.
func (a *ahead) show(b *batch) {
	for a.stretch < len(b.stretches) && b.stretches[a.stretch].first <= a.record {
		a.shown = &b.stretches[a.stretch]
		a.stretch++
		a.enter()
	}
	a.due = len(b.records)
	if a.note < len(b.notes) {
		a.due = min(a.due, b.notes[a.note].record)
	}
	if a.stretch < len(b.stretches) {
		a.due = min(a.due, b.stretches[a.stretch].first)
	}
}

// walk makes the next record the head.
func (a *ahead) walk(r *record) {
	a.record++
	s, e := a.shown, &a.event
	at, end := uint64(r.at), s.view.high-s.view.low
	if c := s.packet.class; c.serves {
		c.header.Read(e, s.view.b, at, end)
	}
	e.DecodeBody(a.class[r.kind], s.view.b, uint64(r.body), end)
	e.Recorded = r.time
	a.place.start, a.place.before = at+s.view.low, r.before
}

// enter prepares for the events of a stretch.
func (a *ahead) enter() {
	s, e := a.shown, &a.event
	p := &s.packet
	e.Prepare(p.class.slots)
	e.DecodePacket(&p.class.layout, s.head, p.header)
	e.CPU, e.Trace, e.Stream = p.cpu, s.part.trace, a.stream.index
	a.class = s.part.own[p.class]
	a.place = place{file: s.file, done: s.done, off: p.off, lost: p.lost}
}
