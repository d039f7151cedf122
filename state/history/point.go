package history

import (
	"context"
	"errors"
	"fmt"
	"sort"

	"synchroscope/state/attribute"
)

// ErrOutside is wrapped by the error of a query for a time outside the bounds.
var ErrOutside = errors.New("outside the history")

func (v *view) check(t int64) error {
	if t < v.start || t >= v.end {
		return fmt.Errorf("history: time %d ns is %w, which covers %d to %d", t, ErrOutside, v.start, v.end)
	}
	return nil
}

// Point returns the interval of q that holds t. Where q was never changed, or
// does not exist, that is a null over all the bounds.
func (h *History) Point(ctx context.Context, q attribute.Quark, t int64) (Interval, error) {
	v := h.borrow()
	defer v.release()
	if err := v.check(t); err != nil {
		return Interval{}, err
	}
	iv, ok := v.outer(q, t)
	if ok {
		return iv, nil
	}
	p := probe{ctx: ctx, file: h.file, view: v, quark: q}
	return p.find(t)
}

// outer answers for times before the birth and after the last change.
func (v *view) outer(q attribute.Quark, t int64) (Interval, bool) {
	o := at(v.pages, v.start, q)
	switch {
	case t < o.birth:
		return Interval{Quark: q, Start: v.start, End: min(o.birth, v.end)}, true
	case t >= o.since:
		return Interval{Quark: q, Start: o.since, End: v.end, Value: o.value}, true
	}
	return Interval{}, false
}

// A probe looks for the stored intervals of one attribute. It goes down the
// one path of nodes that hold t. In a node the intervals of an attribute are in
// order of time, over the extents and then the records, so the first that ends
// after t either holds t or shows that the node has none that does.
//
// After find, next continues with the interval that follows, often in the same
// column.
type probe struct {
	ctx     context.Context
	file    *store
	view    *view
	quark   attribute.Quark
	column  intervals  // where the last one was found,
	records []Interval // or behind it, in an open node
}

func (p *probe) find(t int64) (Interval, error) {
	for n := p.view.top; n != nil; {
		if err := p.ctx.Err(); err != nil {
			return Interval{}, err
		}
		if iv, ok, err := p.inNode(n, t); ok || err != nil {
			return p.clip(iv), err
		}
		i := n.childAt(t)
		switch {
		case i < 0:
			n = n.below
		case n.level == 1:
			k, err := p.file.leaf(n.children[i])
			if err != nil {
				return Interval{}, err
			}
			iv, _, err := p.inBlock(k, t)
			if err == nil && iv.Start == iv.End {
				err = p.missing(t)
			}
			return p.clip(iv), err
		default:
			var err error
			if n, err = p.file.inner(n.children[i], n.level-1); err != nil {
				return Interval{}, err
			}
		}
	}
	return Interval{}, p.missing(t)
}

func (p *probe) missing(t int64) error {
	return fmt.Errorf("history: attribute %d has no interval at %d ns: the file is damaged", p.quark, t)
}

func (p *probe) clip(iv Interval) Interval {
	iv.End = min(iv.End, p.view.end)
	return iv
}

// inNode looks at the intervals of a node itself.
func (p *probe) inNode(n *node, t int64) (iv Interval, ok bool, err error) {
	for i := sort.Search(len(n.extents), func(i int) bool { return n.extents[i].end > t }); i < len(n.extents); i++ {
		x := &n.extents[i]
		if x.start > t || p.quark < x.least || p.quark > x.greatest {
			continue
		}
		k, err := p.file.extent(n, x)
		if err != nil {
			return Interval{}, false, err
		}
		if iv, seen, err := p.inBlock(k, t); seen || err != nil {
			return iv, iv.Start < iv.End, err
		}
	}
	for i := sort.Search(len(n.records), func(i int) bool { return n.records[i].End > t }); i < len(n.records); i++ {
		if r := &n.records[i]; r.Quark == p.quark {
			p.column, p.records = intervals{}, n.records[i+1:]
			if r.Start > t {
				return Interval{}, false, nil
			}
			return *r, true, nil
		}
	}
	return Interval{}, false, nil
}

// inBlock returns the interval in k that holds t, else an empty one. It tells
// whether it has seen any that ends after t.
func (p *probe) inBlock(k *block, t int64) (iv Interval, seen bool, err error) {
	c := k.cursor()
	if !c.seek(p.quark) {
		return Interval{}, false, c.err
	}
	data, err := c.data()
	if err != nil {
		return Interval{}, false, err
	}
	v := k.intervals(data)
	switch {
	case !v.until(t):
		if v.bad {
			err = k.corruptColumn(p.quark)
		}
		return Interval{}, false, err
	case v.start > t:
		return Interval{}, true, nil
	}
	p.column, p.records = v, nil
	return Interval{Quark: p.quark, Start: v.start, End: v.end, Value: v.value}, true, nil
}

// next returns the interval that begins at t, where the one before ended.
func (p *probe) next(t int64) (Interval, error) {
	if iv, ok := p.view.outer(p.quark, t); ok {
		return iv, nil
	}
	if v := &p.column; v.next() && v.start == t {
		return p.clip(Interval{Quark: p.quark, Start: v.start, End: v.end, Value: v.value}), nil
	}
	for i := range p.records {
		if r := &p.records[i]; r.Quark == p.quark {
			p.records = p.records[i+1:]
			if r.Start == t {
				return p.clip(*r), nil
			}
			break
		}
	}
	return p.find(t)
}
