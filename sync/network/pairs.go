package network

import (
	"math"

	"synchroscope/sync/clock"
)

// WithPairs is the same solution, which knows of some pairs of hosts how their clocks are to each other directly.
func (s *Solution) WithPairs(pairs []Comparison) *Solution {
	number := make(map[string]int32, len(s.Hosts))
	for i := range s.Hosts {
		number[s.Hosts[i].Name] = int32(i)
	}
	with := *s
	with.pairs = make(map[[2]int32]*clock.Map, len(pairs))
	for i := range pairs {
		c := &pairs[i]
		a, known := number[c.From.Name]
		b, both := number[c.To.Name]
		if known && both && len(c.Map.Bounds()) > 0 {
			with.pairs[[2]int32{a, b}] = c.Map
		}
	}
	return &with
}

// ErrorBetween is by how many ns at most the time from an instant of one host to an instant of another, in reference time, is off,
// as that from when a message was sent to when it was received. Both instants are local. It is the sum of what both clocks are off the reference, or, if
// that is less, what the comparison of the two makes of it, where [Solution.WithPairs] told one. ok is false where no bound is known.
func (s *Solution) ErrorBetween(from, to int32, sent, received int64) (ns int64, ok bool) {
	a, known := s.Error(from, sent)
	b, both := s.Error(to, received)
	ns, ok = a+b, known && both
	if direct, known := s.directError(from, to, sent, received); known && (!ok || direct < ns) {
		return direct, true
	}
	return ns, ok
}

// Known is how well two hosts are known against each other while both were recorded, in ns: at best, in the median over time, and at worst. ok is false where
// nothing compares them, see [Solution.WithPairs]; of a reference the map of the other host does.
func (s *Solution) Known(a, b int32) (least, median, most int64, ok bool) {
	from, to, m := a, b, s.pairs[[2]int32{a, b}]
	if m == nil {
		from, to, m = b, a, s.pairs[[2]int32{b, a}]
	}
	switch {
	case m != nil:
	case s.Hosts[a].Reference == b:
		from, to, m = a, b, s.Hosts[a].Map
	case s.Hosts[b].Reference == a:
		from, to, m = b, a, s.Hosts[b].Map
	default:
		return 0, 0, 0, false
	}
	h, other := &s.Hosts[from], &s.Hosts[to]
	f := Force{ErrorMin: -1, ErrorMedian: -1, ErrorMax: -1}
	begin, end := max(h.Begin, m.Local(other.Begin)), min(h.End, m.Local(other.End))
	if begin > end {
		return 0, 0, 0, false
	}
	f.bounds(m, begin, end)
	return f.ErrorMin, f.ErrorMedian, f.ErrorMax, f.ErrorMax >= 0
}

// mostApart is what the rates of two clocks differ by at most, 1000 ppm: a crystal is off by some 50 and what sets a rate sets it by 500.
const mostApart = 1000

// directError is [Solution.ErrorBetween] by the comparison of the hosts.
//
// One of the two instants is put into the time of the other's host, which has both then, right to the bound of the comparison. The time between them is
// one of that host's clock. In reference time it is another, by no more than rates differ: truly, and as the map has it, which is known. Where a map makes more of it
// it runs through a step, and the bounds to the reference say what that leaves open.
//
// That no clock was set meanwhile is not taken for granted. Beside a step of either clock the bound of the comparison is as large as the step for as long as nobody knows
// when it was. So the largest bound between the instants counts, and both must have one.
func (s *Solution) directError(from, to int32, sent, received int64) (ns int64, ok bool) {
	var begin, end, own int64 // by the clock that the bounds go by; by the other one
	m, ok := s.pairs[[2]int32{from, to}]
	if ok {
		begin, end, own = sent, m.Local(received), signed(received, m.Reference(sent))
	} else if m, ok = s.pairs[[2]int32{to, from}]; ok {
		begin, end, own = m.Local(sent), received, signed(m.Reference(received), sent)
	} else {
		return 0, false
	}
	_, known := m.Error(begin)
	_, both := m.Error(end)
	if !known || !both {
		return 0, false
	}
	worst, _ := m.Worst(min(begin, end), max(begin, end))
	made := signed(s.Hosts[to].Map.Reference(received), s.Hosts[from].Map.Reference(sent)) - own
	made, own = max(made, -made), max(own, -own)
	if worst > math.MaxInt64/8 || own > math.MaxInt64/8 {
		return 0, false
	}
	rates := (own+worst)/mostApart + 1
	if made > rates+1 { // 1: both maps round
		return 0, false
	}
	return worst + made + rates, true
}

// signed is by how many ns a time is after another, less than 0 where it is before.
func signed(time, other int64) int64 { return behind(time, other) - behind(other, time) }
