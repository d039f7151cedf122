package history

import (
	"context"
	"math/bits"
	"runtime"
	"slices"
	"sort"
	"sync"

	"synchroscope/state/attribute"
)

// Full yields the interval that holds t of every attribute that has changed at
// or before t, by quark; an attribute that has become null since is among them.
// It stops when yield returns false.
func (h *History) Full(ctx context.Context, t int64, yield func(Interval) bool) error {
	v := h.borrow()
	defer v.release()
	if err := v.check(t); err != nil {
		return err
	}
	parts := make([]*snapshot, 1, 2)
	if len(v.pages) >= fewPages && h.file.small() && runtime.GOMAXPROCS(0) > 1 {
		parts = parts[:2]
	}
	for i := range parts {
		parts[i] = snapshots.Get().(*snapshot)
		defer snapshots.Put(parts[i])
	}
	beside(len(parts), func(i int) {
		from, to := len(v.pages)*i/len(parts), len(v.pages)*(i+1)/len(parts)
		parts[i].take(ctx, h.file, v, from, to, t)
	})
	for _, s := range parts {
		if s.err != nil {
			return s.err
		}
	}
	for _, s := range parts {
		if !s.yield(v, yield) {
			break
		}
	}
	return nil
}

// fewPages of ongoing values are not worth a second processor. Tests have less.
var fewPages = 1 << 7

// A set is a set of quarks: a bit for each, small enough for the nearest cache.
type set []uint64

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

// A snapshot gathers the intervals that hold t on the path of nodes that do, of the
// attributes of pages [from, to).
type snapshot struct {
	ctx      context.Context
	file     *store
	from, to int
	t, end   int64
	err      error

	found   []kept // by quark, of those that are in the tree
	stored  set    // those
	wanted  set    // still looked for
	missing int
	here    set    // of those, what may be in the node at hand
	left    int    // of here
	buf     []byte // for blocks, which are read whole
	table   table  // of one that the cache does not keep
}

var snapshots = sync.Pool{New: func() any { return new(snapshot) }}

// take makes s the snapshot of some pages of v at t, or sets err.
func (s *snapshot) take(ctx context.Context, file *store, v *view, from, to int, t int64) {
	s.ctx, s.file, s.from, s.to, s.t, s.end = ctx, file, from, to, t, v.end
	s.want(v)
	if s.err = s.collect(v.top); s.err == nil && s.missing > 0 {
		s.err = (&probe{quark: s.wanted.next(0)}).missing(t)
	}
}

// want lists what is in the tree.
func (s *snapshot) want(v *view) {
	words := s.to * (pageSize / 64)
	s.found = slices.Grow(s.found[:0], 64*words)[:64*words]
	s.stored = slices.Grow(s.stored[:0], words)[:s.from*(pageSize/64)]
	clear(s.stored)
	s.missing = 0
	for _, p := range v.pages[s.from:s.to] {
		for from := 0; from < pageSize; from += 64 {
			word, state, births := uint64(0), p.state[from:][:64], p.births[from:][:64]
			for k := range state {
				ended, begun := uint64(0), uint64(0) // without branches, which none could foretell
				if s.t < state[k].since {
					ended = 1
				}
				if s.t >= births[k] {
					begun = 1
				}
				word |= ended & begun << k
			}
			s.stored = append(s.stored, word)
			s.missing += bits.OnesCount64(word)
		}
	}
	s.wanted = append(s.wanted[:0], s.stored...)
}

// yield passes on what was found, and what is outside the tree, until it is told to stop.
func (s *snapshot) yield(v *view, yield func(Interval) bool) bool {
	for i := s.from; i < s.to; i++ {
		p := v.pages[i]
		for k := range min(pageSize, v.attributes-i*pageSize) {
			q := attribute.Quark(i*pageSize + k)
			var iv Interval
			switch {
			case s.stored[q>>6]>>(q&63)&1 != 0:
				f := &s.found[q]
				iv = Interval{q, f.start, f.end, Value{f.kind, f.bits}}
			case s.t < p.births[k]:
				continue
			default:
				iv = Interval{q, p.state[k].since, v.end, Value{p.kinds[k], p.state[k].bits}}
			}
			if !yield(iv) {
				return false
			}
		}
	}
	return true
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
			s.enter()
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

// enter begins with a node, which may have all that is still looked for.
func (s *snapshot) enter() {
	s.here, s.left = append(s.here[:0], s.wanted...), s.missing
}

func (s *snapshot) ofNode(n *node) error {
	s.enter()
	for i := sort.Search(len(n.extents), func(i int) bool { return n.extents[i].end > s.t }); i < len(n.extents); i++ {
		x := &n.extents[i]
		if x.start > s.t {
			continue
		}
		if s.left == 0 {
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
			s.found[iv.Quark] = kept{iv.Start, min(iv.End, s.end), iv.Value.bits, iv.Value.kind}
			s.note(int(iv.Quark>>6), 1<<(iv.Quark&63), 0)
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
	t, err := k.tableFor(s.left, &s.table)
	if err != nil {
		return err
	}
	if t != nil {
		return s.ofTable(k, t)
	}
	c := k.cursor()
	for q := s.here.next(0); q != attribute.None && c.err == nil; q = s.here.next(q + 1) {
		if c.seek(q) {
			h := k.holding(k.payload[c.at:c.pos], s.t, s.end, &s.found[q])
			if h == heldBadly {
				return k.corruptColumn(q)
			}
			s.note(int(q>>6), uint64(h>>1)<<(q&63), uint64(h&heldLater)<<(q&63))
		}
	}
	return c.err
}

// ofTable looks at all columns of a block that are of attributes still looked for.
func (s *snapshot) ofTable(k *block, t *table) error {
	for i := range t.words {
		w := &t.words[i]
		if int(w.word) >= len(s.here) {
			break
		}
		left := s.here[w.word] & w.columns
		found, seen, place := uint64(0), uint64(0), s.found[w.word<<6:][:64]
		for ; left != 0; left &= left - 1 {
			bit := bits.TrailingZeros64(left) & 63
			h := k.holdingIn(t, int(w.first)+bits.OnesCount64(w.columns&(1<<bit-1)), s.t, s.end, &place[bit])
			if h == heldBadly {
				return k.corruptColumn(attribute.Quark(int(w.word)<<6 | bit))
			}
			found |= uint64(h>>1) << bit
			seen |= uint64(h&heldLater) << bit
		}
		s.note(int(w.word), found, seen)
	}
	return nil
}

// note takes attributes of a word from those that are looked for: what was found, and here what has something later, for what follows
// of it in this node is later still.
func (s *snapshot) note(word int, found, seen uint64) {
	s.wanted[word] &^= found
	s.missing -= bits.OnesCount64(found)
	s.here[word] &^= seen
	s.left -= bits.OnesCount64(seen)
}
