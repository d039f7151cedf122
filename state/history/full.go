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

// A snapshot gathers the intervals that hold t on the path of nodes that do, of the
// attributes of pages [from, to).
type snapshot struct {
	ctx      context.Context
	file     *store
	from, to int
	t, end   int64
	err      error

	found   []Interval // by quark, of those that are in the tree
	wanted  set        // still looked for
	missing int
	here    set    // of those, what may be in the node at hand
	left    int    // of here
	buf     []byte // for blocks, which are read whole
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
	s.wanted = slices.Grow(s.wanted[:0], words)[:s.from*(pageSize/64)]
	clear(s.wanted)
	s.missing = 0
	for _, p := range v.pages[s.from:s.to] {
		for from := 0; from < pageSize; from += 64 {
			word := uint64(0)
			for k := range p.state[from : from+64] {
				if s.t < p.state[from+k].since && s.t >= p.births[from+k] {
					word |= 1 << k
				}
			}
			s.wanted = append(s.wanted, word)
			s.missing += bits.OnesCount64(word)
		}
	}
}

// yield passes on what was found, and what is outside the tree, until it is told to stop.
func (s *snapshot) yield(v *view, yield func(Interval) bool) bool {
	for i := s.from; i < s.to; i++ {
		p := v.pages[i]
		for k := range min(pageSize, v.attributes-i*pageSize) {
			if s.t < p.births[k] {
				continue
			}
			q := attribute.Quark(i*pageSize + k)
			iv := Interval{Quark: q, Start: p.state[k].since, End: v.end, Value: Value{p.kinds[k], p.state[k].bits}}
			if s.t < iv.Start {
				iv = s.found[q]
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
	if s.left < k.columns/manySteps {
		for q := s.here.next(0); q != attribute.None && c.err == nil; q = s.here.next(q + 1) {
			if c.seek(q) {
				if err := s.ofColumn(&c); err != nil {
					return err
				}
			}
		}
		return c.err
	}
	c.begin(s.here.next(0))
	for c.nextOf(s.here) {
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
	found, seen, ok := c.k.holding(c.k.payload[c.at:c.pos], s.t, s.end, iv)
	if !ok {
		return c.k.corruptColumn(c.quark)
	}
	if found {
		iv.Quark = c.quark
		s.got(c.quark)
	}
	if seen { // what follows of it in this node is later still
		s.here.remove(c.quark)
		s.left--
	}
	return nil
}

// got notes that an attribute was found.
func (s *snapshot) got(q attribute.Quark) {
	s.wanted.remove(q)
	s.missing--
}
