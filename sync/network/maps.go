package network

import (
	"synchroscope/sync/clock"
	"synchroscope/sync/graph"
	"synchroscope/sync/hull"
)

// explain finds what fits each link, and the cap of each component: a cap
// belongs to crystals, so what one link needs holds for all clocks that are
// related to it. A pair that talks now and then would not notice.
func (n *Network) explain() {
	root := make([]int32, len(n.hosts))
	for i := range root {
		root[i] = int32(i)
	}
	var find func(int32) int32
	find = func(i int32) int32 {
		if root[i] != i {
			root[i] = find(root[i])
		}
		return root[i]
	}
	parallel(len(n.order), func(i int) { n.order[i].explain() })
	for _, l := range n.order {
		if l.class != hull.Absent && !l.excluded {
			root[find(l.a)] = find(l.b)
		}
	}
	n.caps = make([]hull.Cap, len(n.hosts))
	n.confirmSteps()
	for _, l := range n.order {
		if l.excluded {
			continue
		}
		r := find(l.a)
		n.caps[r] = max(n.caps[r], l.fit.Cap)
	}
	n.recallCaps(find)
	for i := range n.caps {
		n.caps[i] = n.caps[find(int32(i))]
	}
	n.tellSteps()
	n.recallSteps()
	n.explainAstray()
}

// A course is the way from a host's clock to its reference's: exact lines
// as long as all hops are lines, from then on a map of integer knots.
type course struct {
	way  clock.Way
	m    *clock.Map // nil for lines
	path []hop
	up   int32 // the host that the first hop leads to; -1 at the reference
}

// by returns the course of a host, used from begin to end, whose next hop is h, to the host up.
func (c course) by(h hop, up int32, begin, end int64) course {
	path := append([]hop{h}, c.path...)
	if c.m == nil && h.curve == nil {
		return course{append(clock.Way{h.line}, c.way...), nil, path, up}
	}
	first := h.toMap(begin, end)
	rest := c.m
	if rest == nil {
		rest = c.way.Map(first.Reference(begin), first.Reference(end))
	}
	return course{m: clock.Compose(first, rest), path: path, up: up}
}

func (c course) toMap(begin, end int64) *clock.Map {
	if c.m != nil {
		return c.m
	}
	return c.way.Map(begin, end)
}

// drawMaps composes each host's map along its path, lines exactly and rounded once, and
// returns the ways that they take.
func (s *Solution) drawMaps(forest *graph.Forest, hops map[[2]int32]hop) []course {
	courses := make([]course, len(s.Hosts))
	for i := range s.Hosts {
		if int(s.Hosts[i].Reference) != i {
			continue
		}
		tree := forest.Tree(i)
		for at, h := range tree.Order {
			if h == i {
				courses[h] = course{up: -1}
				continue
			}
			up := tree.Parent[at]
			begin, end := margin(s.Hosts[h].Begin, s.Hosts[h].End, s.Final)
			courses[h] = courses[up].by(hops[[2]int32{int32(h), int32(up)}], int32(up), begin, end)
		}
	}
	for i := range s.Hosts {
		h := &s.Hosts[i]
		h.Map = courses[i].toMap(margin(h.Begin, h.End, s.Final))
	}
	return courses
}

// way are the hosts from one to its reference, both among them.
func way(courses []course, host int32) []int32 {
	hosts := []int32{host}
	for up := courses[host].up; up >= 0; up = courses[up].up {
		hosts = append(hosts, up)
	}
	return hosts
}

// maps are the present ones, by host.
func (s *Solution) maps() []*clock.Map {
	list := make([]*clock.Map, len(s.Hosts))
	for i := range s.Hosts {
		list[i] = s.Hosts[i].Map
	}
	return list
}

// bound gives the maps their bounds.
func (s *Solution) bound(courses []course, hops map[[2]int32]hop) {
	entries := make([][][2]int64, len(s.Hosts))
	parallel(len(s.Hosts), func(i int) {
		h := &s.Hosts[i]
		// An island's clock is right by itself, but nobody asked for it.
		if int32(i) == h.Reference && s.Unsynchronized(int32(i)) {
			return
		}
		path := make([]hop, len(courses[i].path)) // others' ways go over the same hops
		for k, h := range courses[i].path {
			path[k] = h.own()
		}
		link, linked := hops[[2]int32{int32(i), h.Reference}]
		b := s.bounder(h.Map, path, int32(i), h.Reference).besides(link.own(), linked && s.unset == nil)
		entries[i] = s.stated(h.Map, b.bounds(margin(h.Begin, h.End, s.Final)), way(courses, int32(i)))
	})
	for i := range s.Hosts {
		h := &s.Hosts[i]
		bounded, err := h.Map.WithBounds(entries[i])
		if err != nil || len(entries[i]) == 0 {
			continue
		}
		h.Map = bounded
		if c, ok := (bounder{path: courses[i].path}).cap(); ok {
			h.RateCap = c.PerSecond()
		}
	}
}
