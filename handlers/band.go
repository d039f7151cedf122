package handlers

import (
	"math/bits"

	"synchroscope/sync/network"
)

// bandOf is by how much latencies between two hosts can be wrong, over a range, if they are short. It has nothing
// where nothing relates the hosts, and leaves out times at which they have no bound.
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
		if ns, known := s.ErrorBetween(q.pair[0], q.pair[1], a.Map.Local(t), b.Map.Local(t)); known {
			band = append(band, [2]int64{int64(after), ns})
		}
	}
	return band
}
