package history

import (
	"context"
	"math/bits"
	"slices"
	"sort"
	"sync"

	"synchroscope/state/attribute"
)

// Full yields the interval that holds t of every attribute that has changed at
// or before t, by quark; an attribute that has become null since is among them.
// It stops when yield returns false.
func (h *History) Full(ctx context.Context, t int64, yield func(Interval) bool) error {
	v := h.current.Load()
	if err := v.check(t); err != nil {
		return err
	}
	s := snapshots.Get().(*snapshot)
	defer snapshots.Put(s)
	s.reset(ctx, h.file, v, t)
	if err := s.collect(v.top); err != nil {
		return err
	}
	if s.missing > 0 {
		return (&probe{quark: s.wanted.next(0)}).missing(t)
	}
	for q := s.has.next(0); q != attribute.None; q = s.has.next(q + 1) {
		if !yield(s.found[q]) {
			return nil
		}
	}
	return nil
}

// A set is a set of quarks: a bit for each, small enough for the nearest cache.
type set []uint64

func (s set) add(q attribute.Quark)    { s[q>>6] |= 1 << (q & 63) }
func (s set) remove(q attribute.Quark) { s[q>>6] &^= 1 << (q & 63) }

func (s set) contains(q attribute.Quark) bool {
	return int(q>>6) < len(s) && s[q>>6]&(1<<(q&63)) != 0
}

// next returns the least member from q on, or None.
func (s set) next(q attribute.Quark) attribute.Quark {
	i := int(q >> 6)
	if i >= len(s) {
		return attribute.None
	}
	word := s[i] >> (q & 63) << (q & 63)
	for word == 0 {
		if i++; i == len(s) {
			return attribute.None
		}
		word = s[i]
	}
	return attribute.Quark(i<<6 + bits.TrailingZeros64(word))
}

// A snapshot gathers the intervals that hold t on the path of nodes that do.
type snapshot struct {
	ctx     context.Context
	file    *store
	t, end  int64
	found   []Interval // by quark, where has has it
	has     set
	wanted  set // still looked for
	missing int
	buf     []byte // for blocks, which are read whole
}

var snapshots = sync.Pool{New: func() any { return new(snapshot) }}

// reset makes s a snapshot of v, with the values that are outside the tree.
func (s *snapshot) reset(ctx context.Context, file *store, v *view, t int64) {
	s.ctx, s.file, s.t, s.end, s.missing = ctx, file, t, v.end, 0
	words := (v.attributes + 63) / 64
	s.found = slices.Grow(s.found[:0], 64*words)[:64*words]
	s.has = slices.Grow(s.has[:0], words)[:words]
	s.wanted = slices.Grow(s.wanted[:0], words)[:words]
	clear(s.has)
	clear(s.wanted)
	for i, p := range v.pages {
		for k := range p.state {
			o := &p.state[k]
			q := attribute.Quark(i*pageSize + k)
			switch {
			case t < o.birth || int(q) >= v.attributes:
			case t >= o.since:
				s.found[q] = Interval{Quark: q, Start: o.since, End: v.end, Value: o.value}
				s.has.add(q)
			default:
				s.wanted.add(q)
				s.missing++
			}
		}
	}
}

func (s *snapshot) collect(n *node) error {
	for n != nil && s.missing > 0 {
		if err := s.ofNode(n); err != nil {
			return err
		}
		i := n.childAt(s.t)
		switch {
		case i < 0:
			n = n.below
		case n.level == 1:
			k, err := s.file.leaf(n.children[i])
			if err != nil {
				return err
			}
			return s.ofBlock(k)
		default:
			var err error
			if n, err = s.file.inner(n.children[i], n.level-1); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *snapshot) ofNode(n *node) error {
	for i := sort.Search(len(n.extents), func(i int) bool { return n.extents[i].end > s.t }); i < len(n.extents); i++ {
		x := &n.extents[i]
		if x.start > s.t {
			continue
		}
		if s.missing == 0 {
			return nil
		}
		k, err := s.file.extent(n, x)
		if err != nil {
			return err
		}
		if err := s.ofBlock(k); err != nil {
			return err
		}
	}
	for i := sort.Search(len(n.records), func(i int) bool { return n.records[i].End > s.t }); i < len(n.records); i++ {
		if iv := &n.records[i]; iv.Start <= s.t && s.wanted.contains(iv.Quark) {
			s.take(*iv)
		}
	}
	return nil
}

func (s *snapshot) ofBlock(k *block) error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	k, err := k.load(&s.buf)
	if err != nil {
		return err
	}
	c := k.cursor()
	if s.missing < k.columns/8 {
		for q := s.wanted.next(0); q != attribute.None && c.err == nil; q = s.wanted.next(q + 1) {
			if c.seek(q) {
				if err := s.ofColumn(&c); err != nil {
					return err
				}
			}
		}
		return c.err
	}
	for c.next() {
		if s.wanted.contains(c.quark) {
			if err := s.ofColumn(&c); err != nil {
				return err
			}
		}
	}
	return c.err
}

func (s *snapshot) ofColumn(c *columns) error {
	v := c.k.intervals(c.k.payload[c.at:c.pos])
	if v.until(s.t) {
		if v.start <= s.t {
			s.take(Interval{Quark: c.quark, Start: v.start, End: v.end, Value: v.value})
		}
		return nil
	}
	if v.bad {
		return c.k.corruptColumn(c.quark)
	}
	return nil
}

func (s *snapshot) take(iv Interval) {
	iv.End = min(iv.End, s.end)
	s.found[iv.Quark] = iv
	s.has.add(iv.Quark)
	s.wanted.remove(iv.Quark)
	s.missing--
}
