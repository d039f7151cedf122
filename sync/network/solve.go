package network

import (
	"math/big"
	"slices"

	"synchroscope/sync/clock"
	"synchroscope/sync/graph"
	"synchroscope/sync/hull"
)

// solve makes a solution of the estimates as they are.
//
// A path in the middle of what rates allow has the least bound, and swings where messages are few and rates may change much, by more
// than other links can put right. Where messages would be received before they are sent, calm paths are tried, then the
// straightest clocks, and in the end shifts that bend all the time. The first that puts all right is it, or else that of which the fewest are wrong.
func (n *Network) solve() *Solution {
	n.exclude()
	parallel(len(n.order), func(i int) { n.order[i].allow(n.hosts) })
	n.explain()
	if !n.ending {
		return n.drawn(manner{fine: true})
	}
	var best *Solution
	var how, last manner
	right := func(m manner) bool {
		last = m
		if s := n.drawn(m); best == nil || s.violations() < best.violations() {
			best, how = s, m
		}
		return best.violations() == 0
	}
	if right(manner{}) {
		return best
	}
	bends := slices.ContainsFunc(best.Links, func(k Link) bool { return k.Pieces > 1 })
	if bends && right(manner{calm: true}) || right(manner{calm: how.calm, straight: true}) || right(manner{fine: true}) || bends && right(manner{calm: true, fine: true}) {
		return best
	}
	if how != last {
		return n.drawn(how) // the forest is of the last that was drawn
	}
	return best
}

// A manner is how a solution is drawn.
type manner struct {
	calm     bool // paths of links bend as little as may be
	straight bool // what no shift puts right is given the straightest clocks
	fine     bool // shifts are sought between many instants
}

// violations are how many messages between hosts of one component are received before they are sent, but for those of links that contradict themselves.
func (s *Solution) violations() (sum int64) {
	for i := range s.Links {
		if k := &s.Links[i]; k.Class != hull.Fail {
			sum += int64(k.Violations)
		}
	}
	return sum
}

// drawn makes a solution of links that are explained.
func (n *Network) drawn(how manner) *Solution {
	s := &Solution{Final: n.ending, Reference: -1, Counts: n.Counts()}
	s.Options = Options{Method: MethodHull, Reference: n.config.Reference, Exclude: n.config.Exclude, Window: n.config.Window}
	for i := range n.hosts {
		h := &n.hosts[i]
		s.Hosts = append(s.Hosts, Host{Name: h.name, ID: h.id, Begin: h.begin, End: h.end, Window: n.whole.window(i), Tick: h.tick})
	}
	type estimated struct {
		fromA, fromB hop
		link         Link
	}
	estimates := make([]estimated, len(n.order))
	parallel(len(n.order), func(i int) {
		l, e := n.order[i], &estimates[i]
		if l.class == hull.Absent {
			return
		}
		x := &n.hosts[l.x()]
		begin, end := margin(x.begin, x.end, s.Final)
		e.fromA, e.fromB = l.hops(n.caps[l.a], how.calm, begin, end)
		e.link = s.describe(l, e.fromA)
	})
	hops := make(map[[2]int32]hop, 2*len(n.order))
	for i, l := range n.order {
		e := &estimates[i]
		if l.class == hull.Absent {
			n.forest.Remove(int(l.a), int(l.b))
			continue
		}
		s.Links = append(s.Links, e.link)
		if l.excluded {
			n.forest.Remove(int(l.a), int(l.b))
			continue
		}
		hops[[2]int32{l.a, l.b}], hops[[2]int32{l.b, l.a}] = e.fromA, e.fromB
		n.forest.Set(graph.Edge{A: int(l.a), B: int(l.b), Weight: weight(&e.link)})
	}
	for i := range s.Links {
		k := &s.Links[i]
		k.InTree = n.forest.Has(int(k.A), int(k.B))
	}
	n.chooseReferences(s)
	s.lose(&n.forest)
	s.Pinned = n.pinned(s)
	courses := s.drawMaps(&n.forest, hops)
	before := s.maps()
	all := func(int32) bool { return true }
	refined := s.Final && s.refine(n, courses, before, all)
	if wrong := s.reconcile(n, courses, before, refined, how, all); how.straight && len(wrong) > 0 {
		s.straighten(n, courses, how, wrong)
	}
	s.unset = n.unset(s, hops)
	s.bound(courses, hops)
	s.closeLoops(n, hops)
	parallel(len(s.Links), func(i int) {
		if k := &s.Links[i]; k.InTree {
			k.Force = s.inForce(k, hops)
		}
	})
	n.hops = hops
	parallel(len(s.Links), func(i int) {
		k := &s.Links[i]
		if s.Hosts[k.A].Reference == s.Hosts[k.B].Reference { // an excluded link may be the only one
			s.measure(k, n.links[[2]int32{k.A, k.B}], courses)
		}
	})
	return s
}

// The classes of links that bound nothing come after all that do, the better
// first. A failed link knows the offset to the relaxation it needed; of an
// approximate one the rate is open on one side, of an incomplete one the offset too.
var penalties = [...]int64{
	hull.Accurate:    0,
	hull.Fail:        1 << 50,
	hull.Approximate: 1 << 51,
	hull.Incomplete:  1 << 52,
}

// unbounded is the least weight of a link that bounds nothing.
const unbounded = 1 << 49

// weight is how badly a link determines the clocks, see Link.Served, and what its steps count. Not the worst error, which
// is the extrapolation to the ends and would let two messages far apart beat a thousand close together.
func weight(k *Link) int64 {
	known := k.Served
	if known >= 0 {
		known += k.steps
	}
	if k.Class == hull.Fail {
		known = k.Relaxed
	}
	if known < 0 || known > unbounded {
		known = unbounded
	}
	return penalties[k.Class] + max(known, 1)
}

// describe reports a link as a takes it.
func (s *Solution) describe(l *link, h hop) Link {
	own := &l.estimate().hull
	if l.flipped {
		own = own.Swap()
	}
	k := Link{
		A: l.a, B: l.b, Class: h.class, Shape: l.shape(),
		AToB: own.Messages(hull.Upper), BToA: own.Messages(hull.Lower),
		Accurate: own.Accurate(), Excluded: l.excluded,
		AlphaMin: own.AlphaMin(), AlphaMax: own.AlphaMax(), Apart: l.apart(),
		Upper: own.Points(hull.Upper), Lower: own.Points(hull.Lower),
		ErrorMin: -1, ErrorMedian: -1, ErrorMax: -1, Served: -1,
		Cuts: l.cuts(), Told: l.forced,
	}
	if l.all != nil {
		k.AToB, k.BToA = l.all.Messages(hull.Upper), l.all.Messages(hull.Lower)
		if l.flipped {
			k.AToB, k.BToA = k.BToA, k.AToB
		}
		k.Accurate = l.all.Accurate()
	}
	switch {
	case h.curve != nil:
		k.Path = path(h.curve)
		k.Pieces = len(k.Path) - 1
	case h.class == hull.Accurate || h.class == hull.Approximate:
		k.Alpha, k.Beta, k.Pieces = h.line.Alpha, h.line.Beta, 1
	}
	if h.class == hull.Fail {
		choice, _ := l.estimate().hull.Choose()
		k.Relaxed = ceil(choice.Relaxed)
	}
	if h.corridor != nil {
		k.RateCap = h.corridor.Cap().PerSecond()
		begin, end := s.overlap(l, h)
		k.ErrorMin, k.ErrorMedian, k.ErrorMax = s.bounder(h.toMap(begin, end), []hop{h}, l.a, l.b).summary(begin, end)
		k.Served, k.steps = s.served(l, h, k.ErrorMedian, k.ErrorMax)
	}
	return k
}

// path gives a curve without its outermost knots, which only extend it.
func path(m *clock.Map) []hull.Point {
	knots := m.Knots()
	if len(knots) > 3 {
		knots = knots[1 : len(knots)-1]
	}
	points := make([]hull.Point, len(knots))
	for i, k := range knots {
		points[i] = hull.Point{X: k.Local, Y: k.Reference}
	}
	return points
}

// cuts gives contradicting messages in a's and b's time.
func (l *link) cuts() []hull.Contradiction {
	if !l.flipped {
		return l.fit.Cuts
	}
	var cuts []hull.Contradiction
	for _, c := range l.fit.Cuts {
		cuts = append(cuts, c.Swapped())
	}
	return cuts
}

func ceil(r *big.Rat) int64 {
	n := new(big.Int).Neg(r.Num())
	n.Div(n, r.Denom()).Neg(n)
	if !n.IsInt64() {
		return 1<<63 - 1
	}
	return n.Int64()
}

// overlap is the span of host a, in its own time, in which both were recorded.
// Clocks that do not overlap at all give a's span.
func (s *Solution) overlap(l *link, h hop) (begin, end int64) {
	a, b := &s.Hosts[l.a], &s.Hosts[l.b]
	m := h.toMap(a.Begin, a.End)
	begin, end = max(a.Begin, m.Local(b.Begin)), min(a.End, m.Local(b.End))
	if begin > end {
		return a.Begin, a.End
	}
	return begin, end
}
