package baseline

import (
	"math"
	"slices"

	"synchroscope/sync/clock"
	"synchroscope/sync/network"
)

// Solve synchronizes a trace set by a method. like is the final solution of
// package network for the same messages: hosts, spans, counts, classes and hulls
// are facts and taken from it; lines, maps, forest, references, latencies and
// violations are the method's own. Nothing is bounded.
func Solve(like *network.Solution, links []Link, method Method, c Config) *network.Solution {
	estimates := make([]Estimate, len(links))
	var edges []Edge
	for i := range links {
		estimates[i] = method.Estimate(&links[i], c)
		if e := &estimates[i]; e.Clock != nil {
			begin, end := e.serves(&links[i], like)
			edges = append(edges, Edge{int(links[i].A), int(links[i].B), e.served(begin, end)})
		}
	}
	paths := method.Paths()
	if c.Paths != nil {
		paths = *c.Paths
	}
	r := routes(len(like.Hosts), edges, paths, c.References)

	s := &network.Solution{Version: like.Version, Final: like.Final, Reference: -1, Counts: like.Counts}
	s.Hosts = slices.Clone(like.Hosts)
	size := make(map[int]int)
	for i := range s.Hosts {
		h := &s.Hosts[i]
		h.Component, h.Reference, h.RateCap, h.Loss = r.component[i], int32(r.reference[i]), 0, nil
		size[h.Component]++
	}
	rank := func(reference int32) int {
		n := size[s.Hosts[reference].Component]
		if slices.Contains(c.References, reference) {
			n += len(s.Hosts) // before any that is not pinned
		}
		return n
	}
	for i := range s.Hosts {
		if int(s.Hosts[i].Reference) == i && (s.Reference < 0 || rank(int32(i)) > rank(s.Reference)) {
			s.Reference = int32(i)
		}
	}
	hops := make(map[[2]int]*clock.Map, 2*len(links))
	for i := range links {
		if e := estimates[i]; e.Clock != nil {
			a, b := int(links[i].A), int(links[i].B)
			hops[[2]int{a, b}], hops[[2]int{b, a}] = e.Clock, e.Clock.Inverse()
		}
	}
	drawMaps(s, r, hops)
	describe(s, like, links, estimates, r)
	return s
}

// A routing is each host's component, reference, and next host on the way to it.
type routing struct {
	component, reference, next []int
}

func routes(n int, edges []Edge, p Paths, prefer []int32) routing {
	if p == Tree {
		edges = SpanningForest(n, edges)
	}
	var d Distances
	if p == AllPairs {
		d = Floyd(n, edges)
	} else {
		d = ShortestPaths(n, edges)
	}
	r := newRouting(n)
	count := 0
	for i := range n {
		if r.component[i] >= 0 {
			continue
		}
		reference := d.Reference(i)
		for _, want := range prefer {
			if !math.IsInf(d.Far[i][want], 1) {
				reference = int(want)
				break
			}
		}
		for j := range n {
			if !math.IsInf(d.Far[i][j], 1) {
				r.component[j], r.reference[j], r.next[j] = count, reference, d.Next[j][reference]
			}
		}
		count++
	}
	return r
}

func newRouting(n int) routing {
	r := routing{make([]int, n), make([]int, n), make([]int, n)}
	for i := range n {
		r.component[i], r.reference[i], r.next[i] = -1, i, -1
	}
	return r
}

// drawMaps composes each host's map along its way.
func drawMaps(s *network.Solution, r routing, hops map[[2]int]*clock.Map) {
	done := make([]*clock.Map, len(s.Hosts))
	var draw func(i int) *clock.Map
	draw = func(i int) *clock.Map {
		switch {
		case done[i] != nil:
		case r.next[i] < 0:
			done[i] = clock.Identity()
		case r.next[r.next[i]] < 0:
			done[i] = hops[[2]int{i, r.next[i]}]
		default:
			done[i] = clock.Compose(hops[[2]int{i, r.next[i]}], draw(r.next[i]))
		}
		return done[i]
	}
	for i := range s.Hosts {
		s.Hosts[i].Map = draw(i)
	}
}

// describe fills in the links.
func describe(s, like *network.Solution, links []Link, estimates []Estimate, r routing) {
	own := make(map[[2]int32]int, len(links))
	for i, l := range links {
		own[[2]int32{l.A, l.B}] = i
	}
	s.Links = slices.Clone(like.Links)
	for i := range s.Links {
		k := &s.Links[i]
		k.InTree = r.next[k.A] == int(k.B) || r.next[k.B] == int(k.A)
		k.Alpha, k.Beta, k.AlphaMin, k.AlphaMax, k.Apart, k.Path, k.Pieces = nil, nil, nil, nil, nil, nil, 0
		k.ErrorMin, k.ErrorMedian, k.ErrorMax, k.Served, k.RateCap, k.Shape = -1, -1, -1, -1, 0, network.Unknown
		k.Relaxed, k.Cuts, k.Violations, k.Latency, k.Loop, k.Force = 0, nil, 0, [2]network.Latency{}, nil, nil
		if at, ok := own[[2]int32{k.A, k.B}]; ok {
			e := estimates[at]
			k.Alpha, k.Beta, k.Pieces = e.Alpha, e.Beta, e.Pieces
			k.Path = knots(e)
			k.Violations, k.Latency = Delays(s, &links[at])
		}
	}
}
