package network

import (
	"math"

	"synchroscope/sync/clock"
)

// A Force is a link of the tree as the maps have it, by which everything is drawn. The link's own line or path is in the middle of what
// its messages allow; maps are moved from there to where all messages have the clocks, so they have other bounds. Both are hard, each for
// an estimate of its own.
type Force struct {
	Begin, End                      int64   // the time in which both hosts were recorded, by a's clock
	BBegin, BEnd                    int64   // what b's shows then
	Pieces                          int     // of the map from a's clock to b's in between
	RateMin, RateMax                float64 // b's ns per a's of those pieces; of a link with steps without those that bridge one, 0 if there are no others
	ErrorMin, ErrorMedian, ErrorMax int64   // ns, as Map has them over all that one of the hosts recorded where that is bounded; -1 unknown
	First, Last                     int64   // ns, the bounds at Begin and End; -1 unknown
}

// bridge is by how much the rate of a piece is off that bridges a step: none of a crystal is.
const bridge = 1.0 / mostApart

// inForce is what the maps make of a link of the tree. Its bounds are those of [Network.Between], from the host that is not the reference.
func (s *Solution) inForce(k *Link, hops map[[2]int32]hop) *Force {
	from, to := k.A, k.B
	if s.Hosts[k.A].Reference == k.A {
		from, to = k.B, k.A
	}
	a, b, m := &s.Hosts[k.A], &s.Hosts[k.B], s.direct(k.A, k.B)
	f := &Force{Begin: max(a.Begin, m.Local(b.Begin)), End: min(a.End, m.Local(b.End)), ErrorMin: -1, ErrorMedian: -1, ErrorMax: -1, First: -1, Last: -1}
	if f.Begin > f.End {
		f.Begin, f.End = a.Begin, a.End
	}
	f.BBegin, f.BEnd = m.Reference(f.Begin), m.Reference(f.End)
	f.rates(k.Shape == Steps, pieces(m, f.Begin, f.End))
	begin, end := f.Begin, f.End
	if from == k.B {
		way := s.direct(from, to) // its bounds have entries where it has both begin and end
		if begin, end = max(b.Begin, way.Local(a.Begin)), min(b.End, way.Local(a.End)); begin > end {
			begin, end = max(f.BBegin, b.Begin), min(f.BEnd, b.End)
		}
	}
	if bounded := s.boundedHop(from, to, begin, end, hops); bounded != nil {
		f.bounds(bounded, begin, end)
	}
	return f
}

// boundedHop is the map over a link of the tree with bounds over all that the one host recorded, or else from begin to end, nil where there are none.
func (s *Solution) boundedHop(from, to int32, begin, end int64, hops map[[2]int32]hop) *clock.Map {
	h := &s.Hosts[from]
	if to == h.Reference && len(h.Map.Bounds()) > 0 {
		return h.Map
	}
	m := s.direct(from, to)
	over := s.bounder(m, []hop{hops[[2]int32{from, to}]}, from, to)
	entries := over.bounds(margin(h.Begin, h.End, s.Final))
	if len(entries) == 0 {
		entries = over.bounds(begin, end)
	}
	entries = s.stated(m, entries, []int32{from, to})
	if bounded, err := m.WithBounds(entries); err == nil && len(entries) > 0 {
		return bounded
	}
	return nil
}

func (f *Force) rates(steps bool, list []Piece) {
	f.Pieces = len(list)
	for _, p := range list {
		rate := float64(p.Rate)
		if steps && math.Abs(rate-1) > bridge {
			continue
		}
		if f.RateMax == 0 {
			f.RateMin, f.RateMax = rate, rate
		}
		f.RateMin, f.RateMax = min(f.RateMin, rate), max(f.RateMax, rate)
	}
}

// bounds takes the median over time, and the least and the worst of all entries, between two of which the larger holds.
func (f *Force) bounds(m *clock.Map, begin, end int64) {
	first, known := m.Error(begin)
	last, both := m.Error(end)
	if !known || !both {
		return
	}
	f.First, f.Last, f.ErrorMin = first, last, min(first, last)
	for _, e := range m.Bounds() {
		if ns, ok := m.Error(e[0]); ok && e[0] >= begin && e[0] <= end {
			f.ErrorMin = min(f.ErrorMin, ns)
		}
	}
	f.ErrorMax, _ = m.Worst(begin, end)
	f.ErrorMedian, _ = m.Median(begin, end)
}
