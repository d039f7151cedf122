package history

import (
	"math/bits"
	"slices"

	"synchroscope/state/attribute"
)

// A sparse maps a few of many quarks to positions in a slice. Lookup is two
// loads, going through the quarks in order costs a bit each, and no sorting is
// needed. That takes memory for each attribute there is, so it is so for as many quarks as most trees have, and the
// others are in a table of those that have a position.
type sparse struct {
	slot  []int32  // position + 1, 0 if none
	words []uint64 // a bit per quark that has one
	far   far
}

// nearQuarks are found without a search. Tests have less, but a multiple of 64.
var nearQuarks attribute.Quark = 1 << 18

// at returns the position of q, or -1.
func (s *sparse) at(q attribute.Quark) int32 {
	if int(q) < len(s.slot) {
		return s.slot[q] - 1
	}
	if s.far.count == 0 {
		return -1
	}
	return s.far.at(q)
}

func (s *sparse) set(q attribute.Quark, i int) {
	if q >= nearQuarks {
		s.far.set(q, int32(i)+1)
		return
	}
	if int(q) >= len(s.slot) {
		size := min((int(q)+int(q)/8+64)&^63, int(nearQuarks))
		slot, words := make([]int32, size), make([]uint64, size/64)
		copy(slot, s.slot)
		copy(words, s.words)
		s.slot, s.words = slot, words
	}
	s.slot[q] = int32(i) + 1
	s.words[q>>6] |= 1 << (q & 63)
}

func (s *sparse) remove(q attribute.Quark) {
	if q >= nearQuarks {
		s.far.remove(q)
		return
	}
	s.slot[q] = 0
	s.words[q>>6] &^= 1 << (q & 63)
}

// ascending calls f with the position of each quark, in order of quark.
func (s *sparse) ascending(f func(i int32)) {
	for w, word := range s.words {
		for ; word != 0; word &= word - 1 {
			f(s.slot[w<<6+bits.TrailingZeros64(word)] - 1)
		}
	}
	for _, p := range s.far.ascending() {
		f(p.position - 1)
	}
}

// bounds returns the least and the greatest quark; there must be one.
func (s *sparse) bounds() (least, greatest attribute.Quark) {
	first, last := 0, len(s.words)-1
	for first <= last && s.words[first] == 0 {
		first++
	}
	far := s.far.ascending()
	if first > last {
		return far[0].quark, far[len(far)-1].quark
	}
	least = attribute.Quark(first<<6 + bits.TrailingZeros64(s.words[first]))
	if len(far) > 0 {
		return least, far[len(far)-1].quark
	}
	for s.words[last] == 0 {
		last--
	}
	return least, attribute.Quark(last<<6 + 63 - bits.LeadingZeros64(s.words[last]))
}

// below is more than any quark that has or had a position.
func (s *sparse) below() int { return max(len(s.slot), s.far.below) }

// A far table has the positions of quarks that are not near. What is removed stays in its place, without a position, until all are:
// they are removed together.
type far struct {
	places []farPlace // by quark; their number is a power of two, at most half of them are taken
	taken  int
	count  int // of those that have a position
	below  int
}

type farPlace struct {
	quark    attribute.Quark
	position int32 // and 1 more; negative if removed
}

const leastFar = 1 << 8

// place is where q is in the table, or is to be.
func (t *far) place(q attribute.Quark) *farPlace {
	last := uint32(len(t.places) - 1)
	for i := uint32(q) * 0x9e3779b1 >> 8 & last; ; i = (i + 1) & last {
		if p := &t.places[i]; p.position == 0 || p.quark == q {
			return p
		}
	}
}

func (t *far) at(q attribute.Quark) int32 { return max(t.place(q).position, 0) - 1 }

func (t *far) set(q attribute.Quark, position int32) {
	if 2*t.taken >= len(t.places) {
		old := t.places
		t.places, t.taken = make([]farPlace, max(leastFar, 2*len(old))), 0
		for _, p := range old {
			if p.position > 0 {
				*t.place(p.quark) = p
				t.taken++
			}
		}
	}
	p := t.place(q)
	if p.position == 0 {
		t.taken++
	}
	if p.position <= 0 {
		t.count++
	}
	*p = farPlace{q, position}
	t.below = max(t.below, int(q)+1)
}

func (t *far) remove(q attribute.Quark) {
	p := t.place(q)
	if p.position <= 0 {
		return
	}
	p.position = -1
	if t.count--; t.count == 0 {
		clear(t.places)
		t.taken = 0
	}
}

// ascending returns those that have a position, in order of quark.
func (t *far) ascending() []farPlace {
	if t.count == 0 {
		return nil
	}
	list := make([]farPlace, 0, t.count)
	for _, p := range t.places {
		if p.position > 0 {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(a, b farPlace) int { return int(a.quark) - int(b.quark) })
	return list
}
