// Package baseline synchronizes clocks by the methods of others, as second
// opinions and as yardsticks for package network.
//
//   - Round trips: a message and the answer to it give an offset, half-way
//     between, as if both had taken equally long. Points with an odd round
//     trip are left out, and a line is laid through the rest by least squares,
//     for each half hour or less (É. Clément, "Synchronisation de traces dans
//     un réseau distribué", 2006, sections 3.4 and 4.1).
//   - Regression: a line through all messages of each direction, and the
//     middle of the two.
//   - Windows: hulls over a few seconds, each by itself, or the best so far, or
//     with the points of those before (M. Jabbarifar, "On Line Trace
//     Synchronization for Large Scale Distributed Systems", 2013, section 3.6.3).
//
// None of them bounds its error, so no bounds are reported for them. Two
// things are not as the theses have them, because that would be wrong: lines
// along a path are composed, not added, and a set has one reference, not one
// for each segment. Geometry is exact, as everywhere; regressions are in floats,
// about origins near the messages.
package baseline

import (
	"math/big"

	"synchroscope/sync/clock"
	"synchroscope/sync/network"
)

// A Method is a way to estimate a link.
type Method uint8

const (
	RoundTrip Method = iota
	Regression
	WindowIndependent
	WindowReplace
	WindowCorrelated
)

var names = [...]string{"roundtrip", "regression", "window-independent", "window-replace", "window-correlated"}

// Methods are all there are.
func Methods() []Method {
	return []Method{RoundTrip, Regression, WindowIndependent, WindowReplace, WindowCorrelated}
}

// Names are what users call all methods, that of package network first.
func Names() []string { return append([]string{network.MethodHull}, names[:]...) }

// String is the name for users.
func (m Method) String() string { return names[m] }

// ParseMethod is the inverse of String.
func ParseMethod(name string) (Method, bool) {
	for i, n := range names {
		if n == name {
			return Method(i), true
		}
	}
	return 0, false
}

// Paths is how the method's author chooses the reference.
func (m Method) Paths() Paths {
	if m == RoundTrip || m == Regression {
		return Dijkstra
	}
	return Tree
}

// An Estimate is what a method makes of a link. Clock is nil if it makes nothing of it.
type Estimate struct {
	Clock       *clock.Map // A's time to B's
	Pieces      int
	Alpha, Beta *big.Rat // b = alpha·a + beta; nil unless there is one piece
	// Weight is how good the method thinks it is, less is better. The unit is the method's own: ns of standard
	// error over the time of the messages, or the range of slopes in parts per 10^12.
	Weight float64

	stretches []stretch // how uncertain a clock by least squares is; nil of others
}

func estimate(pieces []piece, weight float64) Estimate {
	if len(pieces) == 0 {
		return Estimate{}
	}
	m, ok := join(pieces)
	if !ok {
		return Estimate{}
	}
	e := Estimate{Clock: m, Pieces: len(pieces), Weight: weight}
	if len(pieces) == 1 {
		whole := pieces[0].line.exact()
		e.Alpha, e.Beta = whole.Alpha, whole.Beta
	}
	return e
}

// Estimate estimates one link, which must have messages.
func (m Method) Estimate(l *Link, c Config) Estimate {
	switch m {
	case RoundTrip:
		return roundTripClock(l, c.RoundTrip)
	case Regression:
		return regressionClock(l)
	case WindowReplace:
		e, _ := Windows(l, Replace, c.Window)
		return e
	case WindowCorrelated:
		e, _ := Windows(l, Correlated, c.Window)
		return e
	}
	e, _ := Windows(l, Independent, c.Window)
	return e
}

// A Config says what is to be otherwise than by default.
type Config struct {
	RoundTrip  RoundTripConfig
	Window     WindowConfig
	Paths      *Paths  // the method's own if nil
	References []int32 // hosts that are the reference of their component if they can
}
