package baseline

import (
	"cmp"
	"slices"

	"synchroscope/sync/network"
)

// A Reading is what a host's clock showed at a true time, ns.
type Reading struct{ True, Local int64 }

// A Score is how far a solution is from the truth, over all readings within
// the spans of hosts that are synchronized, but for the references: a host is as far off as its map
// is from what the clock of its component's reference showed at the same true instant.
type Score struct {
	Instants  int   `json:"instants"`
	Median    int64 `json:"median_ns"`
	Worst     int64 `json:"worst_ns"`
	Bounded   int   `json:"bounded"`    // instants that have a bound
	Bound     int64 `json:"bound_ns"`   // the largest there, 0 without any
	Outside   int   `json:"outside"`    // instants at which the error exceeds the bound
	Excess    int64 `json:"excess_ns"`  // by as much at most
	WorstHost int32 `json:"worst_host"` // where the error is worst, -1 without instants
}

// rounding is by how much a clock that shows whole ns may be off by itself.
const rounding = 2

// Compare holds a solution against readings of its hosts, by host number and rising true
// time; hosts of which nothing is known have none. ok is false if there is nothing to compare.
func Compare(s *network.Solution, readings [][]Reading) (score Score, ok bool) {
	var errors []int64
	score.WorstHost = -1
	for i := range s.Hosts {
		h := &s.Hosts[i]
		if int(h.Reference) == i {
			continue
		}
		reference := readings[h.Reference]
		for _, r := range readings[i] {
			if r.Local < h.Begin || r.Local > h.End {
				continue
			}
			at, known := slices.BinarySearchFunc(reference, r.True, func(r Reading, t int64) int { return cmp.Compare(r.True, t) })
			if !known {
				continue
			}
			off := h.Map.Reference(r.Local) - reference[at].Local
			off = max(off, -off)
			if errors = append(errors, off); off > score.Worst || score.WorstHost < 0 {
				score.Worst, score.WorstHost = off, int32(i)
			}
			bound, bounded := h.Map.Error(r.Local)
			if !bounded {
				continue
			}
			score.Bounded++
			score.Bound = max(score.Bound, bound)
			if off > bound+rounding {
				score.Outside++
				score.Excess = max(score.Excess, off-bound)
			}
		}
	}
	if len(errors) == 0 {
		return score, false
	}
	slices.Sort(errors)
	score.Instants, score.Median = len(errors), errors[(len(errors)-1)/2]
	return score, true
}
