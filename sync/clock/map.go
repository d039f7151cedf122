// Package clock holds maps between a host's local time and reference time:
// piecewise linear, continuous, strictly increasing, with an error bound at every instant.
//
// A map is a list of integer knots. Between two knots it is the straight line
// through them, evaluated in 128 bits and rounded once to the nearest ns, so
// a browser that does the same with big integers gets the same ns. The first
// and the last piece extend beyond their knots, whose distance is therefore
// kept large: a line through two knots that are each rounded to a ns is only
// as good, outside, as they are far apart.
//
// One line per host is two knots. Clocks that drift need more of them; every
// operation here works for any number.
package clock

import (
	"fmt"
	"slices"
	"sort"
)

// A Knot is a place where a map bends. Times in ns.
type Knot struct{ Local, Reference int64 }

// A Map is immutable. The first and last pieces extend beyond their knots.
type Map struct {
	knots  []Knot
	bounds [][2]int64
}

// Identity maps every time to itself and knows no error bound.
func Identity() *Map {
	return &Map{knots: []Knot{{0, 0}, {reach, reach}}}
}

// New makes a map of at least two knots that rise strictly on both sides, and
// of error bounds as Bounds returns them, possibly none. It takes over the slices.
func New(knots []Knot, bounds [][2]int64) (*Map, error) {
	if len(knots) < 2 {
		return nil, fmt.Errorf("a clock map needs two knots, got %d", len(knots))
	}
	for i := 1; i < len(knots); i++ {
		if a, b := knots[i-1], knots[i]; a.Local >= b.Local || a.Reference >= b.Reference {
			return nil, fmt.Errorf("clock map: knot %d (%d, %d) does not follow (%d, %d)", i, b.Local, b.Reference, a.Local, a.Reference)
		}
	}
	for i, b := range bounds {
		if b[1] < 0 || i > 0 && bounds[i-1][0] >= b[0] {
			return nil, fmt.Errorf("clock map: error bound %d (%d ns at %d) is negative or out of order", i, b[1], b[0])
		}
	}
	return &Map{knots, bounds}, nil
}

// WithBounds returns the same map with other error bounds, which it takes over.
func (m *Map) WithBounds(bounds [][2]int64) (*Map, error) { return New(m.knots, bounds) }

// Reference maps local to reference ns, rounded to the nearest ns; Local is
// its inverse. Where the result does not fit in an int64 it is the nearest that does.
func (m *Map) Reference(local int64) int64 {
	i := m.piece(func(k Knot) bool { return k.Local > local })
	a, b := m.knots[i], m.knots[i+1]
	return interpolate(local, a.Local, b.Local, a.Reference, b.Reference)
}

// Local maps reference to local ns.
func (m *Map) Local(reference int64) int64 {
	i := m.piece(func(k Knot) bool { return k.Reference > reference })
	a, b := m.knots[i], m.knots[i+1]
	return interpolate(reference, a.Reference, b.Reference, a.Local, b.Local)
}

// piece returns the index of the piece whose end is the first knot that is beyond.
func (m *Map) piece(beyond func(Knot) bool) int {
	if len(m.knots) == 2 {
		return 0
	}
	inner := m.knots[1 : len(m.knots)-1]
	return sort.Search(len(inner), func(i int) bool { return beyond(inner[i]) })
}

// Rate is how much reference time passes per local time at an instant.
func (m *Map) Rate(local int64) float64 {
	return m.rate(m.piece(func(k Knot) bool { return k.Local > local }))
}

// rate is that of a piece.
func (m *Map) rate(piece int) float64 {
	a, b := m.knots[piece], m.knots[piece+1]
	return float64(uint64(b.Reference)-uint64(a.Reference)) / float64(uint64(b.Local)-uint64(a.Local))
}

// Error is the hard bound in ns on |Reference(local) - true|; ok is false where none is
// known (a host without a link).
func (m *Map) Error(local int64) (ns int64, ok bool) {
	i := sort.Search(len(m.bounds), func(i int) bool { return m.bounds[i][0] >= local })
	switch {
	case i == len(m.bounds):
		return 0, false
	case m.bounds[i][0] == local:
		return m.bounds[i][1], true
	case i == 0:
		return 0, false
	}
	return max(m.bounds[i-1][1], m.bounds[i][1]), true
}

// Worst is the largest error bound in ns at the local times from begin to end that have
// one; ok is false where none has.
func (m *Map) Worst(begin, end int64) (ns int64, ok bool) {
	ns, ok = m.Error(begin)
	if last, known := m.Error(end); known {
		ns, ok = max(ns, last), true
	}
	i := sort.Search(len(m.bounds), func(i int) bool { return m.bounds[i][0] >= begin })
	for ; i < len(m.bounds) && m.bounds[i][0] <= end; i++ {
		ns, ok = max(ns, m.bounds[i][1]), true
	}
	return ns, ok
}

// Median is the median over time of the bounds from one local time to another, ns, at 129 instants at equal distances, and not of the entries: those are close where
// bounds change. ok is false where no bound is known at any of them.
func (m *Map) Median(begin, end int64) (ns int64, ok bool) {
	const instants = 128
	bounds := make([]int64, 0, instants+1)
	for i := range uint64(instants + 1) {
		x := end
		if i < instants {
			x = int64(uint64(begin) + (uint64(end)-uint64(begin))/instants*i)
		}
		if ns, ok := m.Error(x); ok {
			bounds = append(bounds, ns)
		}
	}
	if len(bounds) == 0 {
		return 0, false
	}
	slices.Sort(bounds)
	return bounds[len(bounds)/2], true
}

// Knots returns the knots by rising time. They must not be changed.
func (m *Map) Knots() []Knot { return m.knots }

// Bounds returns pairs of local ns and bound ns by rising time: between two
// entries the larger holds, outside them nothing is known. They must not be changed.
func (m *Map) Bounds() [][2]int64 { return m.bounds }

// Equal reports whether two maps are the same, bounds included.
func (m *Map) Equal(o *Map) bool {
	return slices.Equal(m.knots, o.knots) && slices.Equal(m.bounds, o.bounds)
}

// Through returns the map through knots, as New, with its first and last
// pieces extended by 39 hours. It knows no error bound.
func Through(knots []Knot) (*Map, error) {
	m, err := New(knots, nil)
	if err != nil {
		return nil, err
	}
	first, last := outer(knots[0].Local, knots[len(knots)-1].Local)
	long := make([]Knot, 0, len(knots)+2)
	if k := (Knot{first, m.Reference(first)}); k.Local < knots[0].Local && k.Reference < knots[0].Reference {
		long = append(long, k)
	}
	long = append(long, knots...)
	end := knots[len(knots)-1]
	if k := (Knot{last, m.Reference(last)}); k.Local > end.Local && k.Reference > end.Reference {
		long = append(long, k)
	}
	return &Map{knots: long}, nil
}

// Inverse returns the map the other way. It knows no error bound.
func (m *Map) Inverse() *Map {
	knots := make([]Knot, len(m.knots))
	for i, k := range m.knots {
		knots[i] = Knot{k.Reference, k.Local}
	}
	return &Map{knots: knots}
}
