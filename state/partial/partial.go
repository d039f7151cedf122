// Package partial keeps a history by what its attributes were at checkpoints, a
// number of events apart, and makes what lies between two checkpoints again when
// it is asked for, from the trace.
//
// This is the partial history of Montplaisir 2011, sections 3.3 and 4.5: where
// nearly every event changes an attribute, as counters and statistics do, most
// intervals are shorter than the way from one checkpoint to the next, and are
// worth less than their place on the disk. The price is that the trace must be kept, and that a
// query replays up to a checkpoint's worth of events. It differs in two things:
// the tree holds the value of each attribute at each checkpoint rather than the
// intervals that cross one, so it is a history tree like any other, without gaps;
// and what was replayed is kept for a while, so that a walk along one attribute
// replays each piece once.
//
// A partial history is two trees: one of the values, one of the positions in the trace
// from which to replay. Both are files like any other, with their checks and checkpoints.
// While it is written, what lies before its newest checkpoint can be read, and [Resume] goes on with it after a crash.
//
// [Route] sends some attributes here and the others to a full history.
package partial

import (
	"errors"
	"fmt"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
)

// A Writer is a recorder that keeps checkpoints only. It belongs to one goroutine.
type Writer struct {
	tree    *history.Writer // of the values at checkpoints
	every   int
	start   int64
	now     int64
	events  int // since the newest checkpoint
	state   []ongoing
	changed []attribute.Quark // since the newest checkpoint
	points  *positions
	ended   bool
	beside  func(t int64) // shows readers what is kept elsewhere up to a time, or nil
}

type ongoing struct {
	value   history.Value
	since   int64
	changed bool // since the newest checkpoint

	before history.Value // until since; what is taken back then is so again
	began  int64
}

// New makes a recorder of checkpoints at least every events apart, in two trees
// that have nothing yet and start at one time: of values, and of positions.
func New(tree, points *history.Writer, every int) (*Writer, error) {
	start, end := tree.History().Bounds()
	if every < 1 {
		return nil, fmt.Errorf("partial: checkpoints every %d events", every)
	}
	if end != start {
		return nil, fmt.Errorf("partial: the tree already reaches to %d ns", end)
	}
	if from, to := points.History().Bounds(); from != start || to != start || points.Attributes().Len() > 0 {
		return nil, fmt.Errorf("partial: the tree of positions goes from %d to %d ns, but must be empty at %d", from, to, start)
	}
	return &Writer{tree: tree, every: every, start: start, now: start, points: newPositions(points, 0)}, nil
}

// Event says that the changes that follow are of an event at t. position is
// where a replay that begins with this event finds it, and whatever else the
// replay needs to know, at most 64 KiB; it is called where a checkpoint is made. Nothing changes before the first event.
func (w *Writer) Event(t int64, position func() []byte) error {
	switch {
	case w.ended:
		return errEnded
	case t < w.now:
		return fmt.Errorf("partial: an event at %d ns comes after one at %d ns", t, w.now)
	case t > history.Latest(w.start):
		return w.tooLong(t)
	}
	// Two events of one time are not separated: the tree could not tell what was between them.
	if w.points.count == 0 || w.events >= w.every && t > w.now {
		at := t
		if w.points.count == 0 {
			at = w.start
		}
		if err := w.checkpoint(at); err != nil {
			return err
		}
		if err := w.points.add(at, position()); err != nil {
			return err
		}
		w.events = 0
	}
	w.now = t
	w.events++
	return nil
}

// checkpoint writes what has changed since the last one.
func (w *Writer) checkpoint(t int64) error {
	for _, q := range w.changed {
		w.state[q].changed = false
		if err := w.tree.Modify(t, q, w.state[q].value); err != nil {
			return err
		}
	}
	w.changed = w.changed[:0]
	if w.beside != nil {
		w.beside(t)
	}
	w.tree.Publish(t)
	return nil
}

// Attributes is the tree of this history's attributes.
func (w *Writer) Attributes() *attribute.Tree { return w.tree.Attributes() }

// Text interns s.
func (w *Writer) Text(s []byte) history.Value { return w.tree.Text(s) }

// Modify gives q the value v from t on, which is the time of the event at hand.
func (w *Writer) Modify(t int64, q attribute.Quark, v history.Value) error {
	if err := w.refuse(q); err != nil {
		return err
	}
	switch {
	case t < w.now:
		return fmt.Errorf("partial: attribute %d cannot change at %d ns, after a change at %d ns", q, t, w.now)
	case t > history.Latest(w.start):
		return w.tooLong(t)
	}
	w.now = t
	s := w.slot(q)
	switch {
	case s.value == v:
		return nil
	case s.since < t:
		s.before, s.began = s.value, s.since
		s.since = t
	case s.before == v:
		s.since = s.began // it is taken back
	}
	w.set(q, v)
	return nil
}

// Update replaces the ongoing value of q, back to the newest checkpoint at most:
// what was before is not written any more.
func (w *Writer) Update(q attribute.Quark, v history.Value) error {
	if err := w.refuse(q); err != nil {
		return err
	}
	w.set(q, v)
	return nil
}

// refuse tells why q cannot change. What changes without an event no replay would find.
func (w *Writer) refuse(q attribute.Quark) error {
	switch {
	case w.ended:
		return errEnded
	case q < 0 || int(q) >= w.tree.Attributes().Len():
		return fmt.Errorf("partial: attribute %d does not exist", q)
	}
	return w.begun(q)
}

// begun tells whether there is an event, for a change of this history or of the one beside it.
func (w *Writer) begun(q attribute.Quark) error {
	if w.points.count == 0 {
		return fmt.Errorf("partial: attribute %d cannot change before the first event", q)
	}
	return nil
}

func (w *Writer) tooLong(t int64) error {
	return fmt.Errorf("partial: %d ns is more than 2^63-1 ns, 292 years, after the start at %d ns", t, w.start)
}

var errEnded = errors.New("partial: the history is finished")

func (w *Writer) slot(q attribute.Quark) *ongoing {
	for len(w.state) <= int(q) {
		w.state = append(w.state, ongoing{since: w.start, began: w.start})
	}
	return &w.state[q]
}

func (w *Writer) set(q attribute.Quark, v history.Value) {
	s := w.slot(q)
	if s.value == v {
		return
	}
	s.value = v
	if !s.changed {
		s.changed = true
		w.changed = append(w.changed, q)
	}
}

// Ongoing is the value q has now, and since when.
func (w *Writer) Ongoing(q attribute.Quark) (v history.Value, since int64) {
	if q < 0 || int(q) >= len(w.state) {
		return history.Value{}, w.start
	}
	return w.state[q].value, w.state[q].since
}

// Histories are what [Open] reads, while the history is written and after.
func (w *Writer) Histories() (tree, points *history.History) {
	return w.tree.History(), w.points.tree.History()
}

// Publish does nothing: each checkpoint shows readers what lies before it.
func (w *Writer) Publish(int64) {}

// Finish ends the history, and its trees.
func (w *Writer) Finish(end int64) error {
	switch {
	case w.ended:
		return errEnded
	case end < w.now:
		return fmt.Errorf("partial: the end %d ns comes before the last change at %d ns", end, w.now)
	case end > history.Latest(w.start):
		return w.tooLong(end)
	}
	w.ended = true
	if err := w.points.tree.Finish(end); err != nil {
		return err
	}
	return w.tree.Finish(end)
}
