// Package clock holds maps between a host's local time and reference time:
// piecewise linear, continuous, strictly increasing, with an error bound at every instant.
package clock

// A Knot is a place where a map bends. Times in ns.
type Knot struct{ Local, Reference int64 }

// A Map is immutable. The first and last pieces extend beyond their knots.
type Map struct{}

func Identity() *Map { panic("unbuilt") }

// Reference maps local to reference ns, rounded to the nearest ns; Local is its inverse.
func (m *Map) Reference(local int64) int64 { panic("unbuilt") }
func (m *Map) Local(reference int64) int64 { panic("unbuilt") }

// Error is the hard bound in ns on |Reference(local) - true|; ok is false where none is
// known (a host without a link).
func (m *Map) Error(local int64) (ns int64, ok bool) { panic("unbuilt") }

// Knots and Bounds are what a browser needs to do the same.
func (m *Map) Knots() []Knot      { panic("unbuilt") }
func (m *Map) Bounds() [][2]int64 { panic("unbuilt") } // local ns, bound ns; between two entries the larger holds
