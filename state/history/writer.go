package history

import (
	"errors"
	"fmt"
	"math"

	"synchroscope/state/attribute"
	"synchroscope/state/scratch"
)

// A Writer turns changes of state, in order of time, into a tree. It belongs
// to one goroutine; History gives readers for others.
//
// After an error of the file every further call returns that error.
type Writer struct {
	header  header
	room    int // of the largest payload that is no leaf's
	file    *store
	names   *names
	present present
	shelf   *scratch.Shelf
	ended   ended
	open    []*open // the rightmost branch, leaf first
	history *History

	pages     uint32 // written
	intervals uint64 // stored, in blocks or open nodes
	now       int64  // of the newest change
	newestEnd int64  // of an interval
	latest    int64  // time there can be
	published int64
	finished  bool
	buf       []byte                // lent, while blocks are made
	small     []byte                // a compressed payload
	back      *store                // to read back what was written
	wide      [wideAtOnce + 1]*wide // of attributes asked for together, and of one that has too many values for that
	err       error
}

// Create begins a tree in f, which is truncated. start is the time before
// which nothing is known, in local ns; all attributes are null from then on.
// The caller keeps f open as long as the writer or its readers are used.
func Create(f File, start int64, opts Options) (*Writer, error) {
	h := header{version: version, nodeSize: defaultNodeSize, maxChildren: defaultChildren, start: start, model: opts.Model}
	if opts.NodeSize != 0 {
		if opts.NodeSize < minNodeSize || opts.NodeSize > maxNodeSize {
			return nil, fmt.Errorf("history: node size %d is outside %d to %d", opts.NodeSize, minNodeSize, maxNodeSize)
		}
		h.nodeSize = uint32(opts.NodeSize)
	}
	h.pageSize = uint32(fitPage(int(h.nodeSize)))
	if opts.PageSize != 0 {
		if cause := checkPage(h.version, int(h.nodeSize), opts.PageSize); cause != "" {
			return nil, fmt.Errorf("history: %s", cause)
		}
		h.pageSize = uint32(opts.PageSize)
	}
	if opts.MaxChildren != 0 {
		if opts.MaxChildren < 2 || opts.MaxChildren > maxMaxChildren {
			return nil, fmt.Errorf("history: %d children per node is outside 2 to %d", opts.MaxChildren, maxMaxChildren)
		}
		h.maxChildren = uint32(opts.MaxChildren)
	}
	if opts.Compress {
		h.packed = packedS2
	}
	if err := f.Truncate(0); err != nil {
		return nil, fmt.Errorf("history: empty the file: %w", err)
	}
	page := make([]byte, headerPage)
	copy(page, h.encode())
	if _, err := f.WriteAt(page, 0); err != nil {
		return nil, fmt.Errorf("history: write the header: %w", err)
	}
	w := newWriter(f, h, newNames(space(f)), opts.Cache)
	w.open = []*open{w.newOpen(0, start)}
	w.publish(start)
	return w, nil
}

func newWriter(f File, h header, n *names, cache *Cache) *Writer {
	w := &Writer{
		header:    h,
		room:      roomIn(h.otherPages(), int(h.pageSize)),
		file:      newStore(f, h, cache),
		names:     n,
		present:   present{start: h.start, space: n.space},
		ended:     ended{space: n.space},
		now:       h.start,
		newestEnd: h.start,
		latest:    Latest(h.start),
		published: math.MinInt64,
	}
	w.shelf = scratch.NewShelf(space(f)) // a file of its own, which ends with the build
	w.present.spares.shelf = w.shelf
	w.history = &History{file: w.file, names: n}
	return w
}

// Attributes is the tree of this history's attributes. The writer's goroutine may
// add to it at any time.
func (w *Writer) Attributes() *attribute.Tree { return w.names.tree }

// Space is where the memory for what the tree has names of comes from: beyond a bound from a file beside the tree, where that is a file of
// the machine's. The writer's goroutine may take of it what grows with the attributes; nil gives memory off the heap.
func (w *Writer) Space() *scratch.Space { return w.names.space }

// Text interns s in the tree's dictionary. Of a text longer than 1 MiB the rest is dropped.
func (w *Writer) Text(s []byte) Value {
	return w.names.text(s)
}

// Modify gives q the value v from t on. Equal values make no new interval; several
// changes at one time leave the last, and one that is taken back at the same time was none. Times may not go back.
func (w *Writer) Modify(t int64, q attribute.Quark, v Value) error {
	if w.err != nil || t < w.now || q < 0 || t > w.latest {
		return w.refuse(t, q)
	}
	w.now = t
	if i := int(q) / pageSize; i < len(w.present.pages) && w.present.pages[i].is(uint(q)%pageSize, v) {
		return nil
	}
	return w.change(t, q, v)
}

func (w *Writer) refuse(t int64, q attribute.Quark) error {
	switch {
	case w.err != nil:
		return w.err
	case q < 0 || int(q) >= w.names.tree.Len():
		return fmt.Errorf("history: attribute %d does not exist", q)
	case t > w.latest:
		return w.tooLong(t)
	}
	return fmt.Errorf("history: a change at %d ns comes after one at %d ns", t, w.now)
}

func (w *Writer) tooLong(t int64) error { return tooLong(w.header.start, t) }

// Latest is the last time of a history that starts at start: what is between any two is an int64.
func Latest(start int64) int64 { return math.MaxInt64 + min(start, 0) }

func tooLong(start, t int64) error {
	return fmt.Errorf("history: %d ns is more than 2^63-1 ns, 292 years, after the start at %d ns", t, start)
}

func (w *Writer) change(t int64, q attribute.Quark, v Value) error {
	if int(q) >= w.names.tree.Len() {
		return w.refuse(t, q)
	}
	if w.ended.due(t) {
		if err := w.release(); err != nil {
			return err
		}
	}
	p, k := w.present.page(q), int(q)%pageSize
	s := &p.state[k]
	switch {
	case !p.born(k):
		if !v.IsNull() {
			w.present.set(q, ongoing{value: v, since: t, birth: t})
		} else if s.since == never { // a first change at the end of time, taken back
			w.present.set(q, ongoing{since: w.header.start, birth: never})
		}
		return nil
	case s.since == t:
		if p.births[k] == t && v.IsNull() {
			w.present.set(q, ongoing{since: w.header.start, birth: never})
			return nil
		}
		p.put(k, v)
		if p.births[k] == t {
			return nil
		}
		if i := w.ended.find(q); i >= 0 && w.ended.at(i).Value == v {
			s.since = w.ended.take(i).Start
		}
		return nil
	}
	w.ended.add(Interval{Quark: q, Start: s.since, End: t, Value: Value{p.kinds[k], s.bits}})
	p.put(k, v)
	s.since = t
	return nil
}

// Update replaces the ongoing value of q without ending an interval: it corrects
// what is known to have been so since the interval began. Readers see it with
// the next Publish. An attribute that never changed has had v from the start.
func (w *Writer) Update(q attribute.Quark, v Value) error {
	if w.err != nil || q < 0 || int(q) >= w.names.tree.Len() {
		return w.refuse(w.now, q)
	}
	o := at(w.present.pages, w.present.start, q)
	switch {
	case o.value == v:
	case o.born():
		w.present.page(q).put(int(q)%pageSize, v)
	case o.since == never: // its first change was at the end of time, and lasts for none
	default:
		w.present.set(q, ongoing{value: v, since: o.since, birth: w.header.start})
	}
	return nil
}

// Ongoing is the value q has now, and since when.
func (w *Writer) Ongoing(q attribute.Quark) (v Value, since int64) {
	s := at(w.present.pages, w.present.start, q)
	return s.value, s.since
}

// Publish makes everything before t visible to readers, exactly. All changes
// before t must have been made; a t before the last published one does nothing.
// Its cost is a few pointers per hundred attributes, and the next change of
// each hundred copies 2 KiB: it is meant to be called some times a second.
func (w *Writer) Publish(t int64) {
	if w.finished || w.err != nil || t < w.published {
		return
	}
	w.now = max(w.now, t)
	if w.ended.due(t) && w.release() != nil {
		return
	}
	w.publish(t)
}

// Finish ends every ongoing interval at end, writes the rest and syncs. A tree
// that is finished can be opened with [Open]; its readers go on.
func (w *Writer) Finish(end int64) error {
	if w.err != nil {
		return w.err
	}
	if end < w.now {
		return fmt.Errorf("history: the end %d ns comes before the last change at %d ns", end, w.now)
	}
	if end > w.latest {
		return w.tooLong(end)
	}
	if err := w.release(); err != nil {
		return err
	}
	w.err = errFinished
	if err := w.finish(end); err != nil {
		w.err = err
		return err
	}
	return nil
}

var errFinished = errors.New("history: the tree is finished")

// History is the reading side, valid during the build and after Finish.
func (w *Writer) History() *History { return w.history }
