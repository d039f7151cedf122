package network

import (
	"math"
	"slices"

	"synchroscope/sync/clock"
)

// mostStatements are how many messages the straightest clocks are sought by: of more too few looks would come to each.
const mostStatements = 1 << 20

// straighten gives components of which messages are received before they are sent, by their references, the straightest clocks by which none is, where
// there are such. From there the hosts are moved by what all delays say, as they are elsewhere.
func (s *Solution) straighten(n *Network, courses []course, how manner, wrong map[int32][]*link) {
	found := make(map[int32]bool)
	for r, links := range wrong {
		before := s.maps()
		found[r] = s.drawStraight(r, links, courses) && !slices.ContainsFunc(links, func(l *link) bool { return s.violated(l, courses) })
		if !found[r] {
			s.put(r, before)
		}
	}
	before := s.maps()
	in := func(r int32) bool { return found[r] }
	s.reconcile(n, courses, before, s.refine(n, courses, before, in), how, in)
}

// put gives the hosts of a component these maps.
func (s *Solution) put(reference int32, maps []*clock.Map) {
	for i := range s.Hosts {
		if h := &s.Hosts[i]; h.Reference == reference {
			h.Map = maps[i]
		}
	}
}

// drawStraight seeks the straightest clocks of a component, and reports whether it found and drew them.
func (s *Solution) drawStraight(reference int32, links []*link, courses []course) bool {
	s.unbend(reference, s.statements(links, courses), courses)
	list := s.statements(links, courses)
	if len(list) == 0 || len(list) > mostStatements {
		return false
	}
	w := newStraightest(len(s.Hosts), list)
	for i := range s.Hosts {
		if t := w.tracks[i]; len(t.at) > 0 && len(s.unsure(courses, int32(i)).list) == 0 {
			m := s.Hosts[i].Map
			w.rates[i] = m.Rate(m.Local(t.at[0]))
		}
	}
	if !w.solve() {
		return false
	}
	drawn := make([]*clock.Map, len(s.Hosts))
	for i := range w.tracks {
		var err error
		if drawn[i], err = w.tracks[i].draw(s.Hosts[i].Map); err != nil {
			return false
		}
	}
	// What all have been moved to is nobody's time; what they are to the reference is asked for.
	back := drawn[reference].Inverse()
	for i := range s.Hosts {
		if h := &s.Hosts[i]; h.Reference == reference && int32(i) != reference {
			h.Map = clock.Compose(drawn[i], back)
		}
	}
	return true
}

// unbend makes the maps of a component lines, from the first to the last message of a host, but for those that run through a step.
func (s *Solution) unbend(reference int32, list []statement, courses []course) {
	const straight = 3 // knots, of which the outermost only extend a map
	times := make(map[int32][2]int64)
	widen := func(h int32, at int64) {
		t, known := times[h]
		if !known {
			t = [2]int64{at, at}
		}
		times[h] = [2]int64{min(t[0], at), max(t[1], at)}
	}
	for _, m := range list {
		widen(m.from, m.sent)
		widen(m.to, m.received)
	}
	for i, t := range times {
		h := &s.Hosts[i]
		if i == reference || len(h.Map.Knots()) <= straight || len(s.unsure(courses, i).list) > 0 {
			continue
		}
		begin, end := h.Map.Local(t[0]), h.Map.Local(t[1])
		if m, err := clock.Through([]clock.Knot{{Local: begin, Reference: t[0]}, {Local: end, Reference: t[1]}}); err == nil {
			h.Map = m
		}
	}
}

// draw is the map of a host that is moved. It bends where the map did and where the track does, and goes straight on before and after that.
func (t *track) draw(m *clock.Map) (*clock.Map, error) {
	if len(t.at) == 0 {
		return m, nil
	}
	var places []int64
	for _, x := range t.at {
		places = append(places, m.Local(x))
	}
	for _, k := range m.Knots() {
		if k.Reference > t.at[0] && k.Reference < t.at[len(t.at)-1] {
			places = append(places, k.Local)
		}
	}
	slices.Sort(places)
	var knots []clock.Knot
	for _, x := range slices.Compact(places) {
		y := m.Reference(x)
		knots = append(knots, clock.Knot{Local: x, Reference: y + int64(math.Round(t.value(t.place(y))))})
	}
	return clock.Through(knots)
}
