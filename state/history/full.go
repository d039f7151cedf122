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
	s.yield(v, yield)
	return nil
}

// A set is a set of quarks: a bit for each, small enough for the nearest cache.
type set []uint64

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
	found   []Interval // by quark, of those that are in the tree
	wanted  set        // still looked for
	missing int
	buf     []byte // for blocks, which are read whole
}

var snapshots = sync.Pool{New: func() any { return new(snapshot) }}

// reset makes s a snapshot of v that wants all that is in the tree.
func (s *snapshot) reset(ctx context.Context, file *store, v *view, t int64) {
	s.ctx, s.file, s.t, s.end, s.missing = ctx, file, t, v.end, 0
	words := len(v.pages) * (pageSize / 64)
	s.found = slices.Grow(s.found[:0], 64*words)[:64*words]
	s.wanted = slices.Grow(s.wanted[:0], words)[:0]
	for _, p := range v.pages {
		for from := 0; from < pageSize; from += 64 {
			word := uint64(0)
			for k := range p.state[from : from+64] {
				if o := &p.state[from+k]; t < o.since && t >= o.birth {
					word |= 1 << k
				}
			}
			s.wanted = append(s.wanted, word)
			s.missing += bits.OnesCount64(word)
		}
	}
}

// yield passes on what was found, and what is outside the tree.
func (s *snapshot) yield(v *view, yield func(Interval) bool) {
	for i, p := range v.pages {
		for k := range min(pageSize, v.attributes-i*pageSize) {
			o := &p.state[k]
			if s.t < o.birth {
				continue
			}
			q := attribute.Quark(i*pageSize + k)
			iv := Interval{Quark: q, Start: o.since, End: v.end, Value: o.value}
			if s.t < o.since {
				iv = s.found[q]
			}
			if !yield(iv) {
				return
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
			s.found[iv.Quark] = *iv
			s.found[iv.Quark].End = min(iv.End, s.end)
			s.got(iv.Quark)
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
	if s.missing < k.columns/manySteps {
		for q := s.wanted.next(0); q != attribute.None && c.err == nil; q = s.wanted.next(q + 1) {
			if c.seek(q) {
				if err := s.ofColumn(&c); err != nil {
					return err
				}
			}
		}
		return c.err
	}
	for c.nextOf(s.wanted) {
		if err := s.ofColumn(&c); err != nil {
			return err
		}
	}
	return c.err
}

// manySteps from column to column take as long as one seek.
const manySteps = 64

func (s *snapshot) ofColumn(c *columns) error {
	// Fields are written one by one: a whole interval would be copied in words of
	// another size than it was made of, for which processors wait.
	iv := &s.found[c.quark]
	found, ok := c.k.holding(c.k.payload[c.at:c.pos], s.t, iv)
	if !ok {
		return c.k.corruptColumn(c.quark)
	}
	if found {
		iv.Quark, iv.End = c.quark, min(iv.End, s.end)
		s.got(c.quark)
	}
	return nil
}

// got notes that an attribute was found.
func (s *snapshot) got(q attribute.Quark) {
	s.wanted.remove(q)
	s.missing--
}
