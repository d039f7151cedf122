package history

import (
	"math/bits"

	"synchroscope/state/attribute"
)

// A sparse maps a few of many quarks to positions in a slice. Lookup is two
// loads, going through the quarks in order costs a bit each, and no sorting is
// needed.
type sparse struct {
	slot  []int32  // position + 1, 0 if none
	words []uint64 // a bit per quark that has one
}

// at returns the position of q, or -1.
func (s *sparse) at(q attribute.Quark) int32 {
	if int(q) >= len(s.slot) {
		return -1
	}
	return s.slot[q] - 1
}

func (s *sparse) set(q attribute.Quark, i int) {
	if int(q) >= len(s.slot) {
		size := (int(q) + int(q)/8 + 64) &^ 63
		slot, words := make([]int32, size), make([]uint64, size/64)
		copy(slot, s.slot)
		copy(words, s.words)
		s.slot, s.words = slot, words
	}
	s.slot[q] = int32(i) + 1
	s.words[q>>6] |= 1 << (q & 63)
}

func (s *sparse) remove(q attribute.Quark) {
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
}

// bounds returns the least and the greatest quark; there must be one.
func (s *sparse) bounds() (least, greatest attribute.Quark) {
	first, last := 0, len(s.words)-1
	for s.words[first] == 0 {
		first++
	}
	for s.words[last] == 0 {
		last--
	}
	return attribute.Quark(first<<6 + bits.TrailingZeros64(s.words[first])),
		attribute.Quark(last<<6 + 63 - bits.LeadingZeros64(s.words[last]))
}
