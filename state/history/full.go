package history

import (
	"context"
	"sort"

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
	s := snapshot{ctx: ctx, file: h.file, t: t, end: v.end, found: make([]Interval, v.attributes), wanted: make([]uint64, (v.attributes+63)/64)}
	for q := range attribute.Quark(v.attributes) {
		o := at(v.pages, v.start, q)
		switch {
		case t < o.birth:
		case t >= o.since:
			s.found[q] = Interval{Quark: q, Start: o.since, End: v.end, Value: o.value}
		default:
			s.wanted[q>>6] |= 1 << (q & 63)
			s.missing++
		}
	}
	if err := s.collect(v.top); err != nil {
		return err
	}
	for q := range s.found {
		iv := &s.found[q]
		if s.wants(attribute.Quark(q)) {
			return (&probe{quark: attribute.Quark(q)}).missing(t)
		}
		if iv.Start < iv.End && !yield(*iv) {
			return nil
		}
	}
	return nil
}

// A snapshot gathers the intervals that hold t on the path of nodes that do.
type snapshot struct {
	ctx     context.Context
	file    *store
	t, end  int64
	found   []Interval // by quark
	wanted  []uint64   // a bit per quark still looked for; small enough for the nearest cache
	missing int
}

func (s *snapshot) wants(q attribute.Quark) bool {
	return int(q) < len(s.found) && s.wanted[q>>6]&(1<<(q&63)) != 0
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
		if iv := &n.records[i]; iv.Start <= s.t && s.wants(iv.Quark) {
			s.take(*iv)
		}
	}
	return nil
}

func (s *snapshot) ofBlock(k *block) error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	c := k.cursor()
	for c.next() {
		if !s.wants(c.quark) {
			continue
		}
		v := k.intervals(c.data)
		for v.next() {
			if v.end > s.t {
				if v.start <= s.t {
					s.take(Interval{Quark: c.quark, Start: v.start, End: v.end, Value: v.value})
				}
				break
			}
		}
		if v.bad {
			return k.corruptColumn(c.quark)
		}
	}
	if c.bad {
		return k.corrupt("its columns do not decode")
	}
	return nil
}

func (s *snapshot) take(iv Interval) {
	iv.End = min(iv.End, s.end)
	s.found[iv.Quark] = iv
	s.wanted[iv.Quark>>6] &^= 1 << (iv.Quark & 63)
	s.missing--
}
