package handlers

import (
	"math/bits"

	"synchroscope/sync/network"
)

// bandOf is by how much latencies between two hosts can be wrong, over a range: the bounds of both clocks together. It has nothing
// where nothing relates the hosts, and leaves out times at which a clock has no bound.
func bandOf(s *network.Solution, q tallyQuestion) [][2]int64 {
	band := [][2]int64{}
	a, b := &s.Hosts[q.pair[0]], &s.Hosts[q.pair[1]]
	if a.Component != b.Component {
		return band
	}
	for i := range uint64(bandPoints + 1) {
		hi, lo := bits.Mul64(uint64(q.end-q.begin), i)
		after, _ := bits.Div64(hi, lo, bandPoints)
		t := q.begin + int64(after)
		x, known := s.Error(q.pair[0], a.Map.Local(t))
		y, both := s.Error(q.pair[1], b.Map.Local(t))
		if known && both {
			band = append(band, [2]int64{int64(after), x + y})
		}
	}
	return band
}
