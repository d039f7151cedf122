package baseline

import (
	"math"
	"slices"

	"synchroscope/sync/hull"
)

// RoundTripConfig says how round trips are made into clocks; the zero value is what
// Clément recommends.
type RoundTripConfig struct {
	// Z is the half-width in standard deviations of the interval of E in which
	// points are kept: 1.64, 1.96 and 2.58 for 90, 95 and 99 of 100, +Inf for all; 1.64 if 0.
	Z       float64
	Segment int64 // the longest segment, ns; 30 minutes if 0
	Hold    int64 // the longest time between the two halves of a round trip, ns; 1 s if 0
}

func (c RoundTripConfig) filled() RoundTripConfig {
	if c.Z == 0 {
		c.Z = 1.64
	}
	if c.Segment <= 0 {
		c.Segment = 30 * 60 * 1_000_000_000
	}
	if c.Hold <= 0 {
		c.Hold = 1_000_000_000
	}
	return c
}

// A Segment is what the round trips of one stretch of a link's time say.
type Segment struct {
	Begin, End int64 // A's local ns; T of the points is from Begin
	Base       int64 // ns that D is over
	Points     int   // round trips
	Mean, Min  float64
	Max        float64 // of their E, ns
	Kept       int     // after the filter
	KeptMean   float64 // and their E, ns; 0 where none is kept
	KeptMin    float64
	KeptMax    float64
	Fit        Fit // of those kept
}

// RoundTrips pairs the messages of a link into round trips and fits a line to each segment.
func RoundTrips(l *Link, c RoundTripConfig) []Segment {
	c = c.filled()
	trips := roundTrips(l.Messages, c.Hold)
	if len(trips) == 0 {
		return nil
	}
	begin, end := l.span()
	span := uint64(end) - uint64(begin)
	length := span/(span/uint64(c.Segment)+1) + 1
	base := trips[0][0].At.Y - trips[0][0].At.X
	var segments []Segment
	for len(trips) > 0 {
		s := Segment{Base: base}
		number := (uint64(middle(trips[0])) - uint64(begin)) / length
		s.Begin = begin + int64(number*length)
		s.End = min(s.Begin+int64(length), end)
		var points []Point
		for len(trips) > 0 && (uint64(middle(trips[0]))-uint64(begin))/length == number {
			points = append(points, offset(trips[0], s.Begin, base))
			trips = trips[1:]
		}
		kept := s.filter(points, c.Z)
		s.describe(kept)
		s.Fit, _ = leastSquares(kept)
		segments = append(segments, s)
	}
	return segments
}

// A trip is two messages in opposite directions, the second sent by the host
// that received the first, after it did.
type trip [2]Constraint

// roundTrips pairs messages. Each is used once, with the nearest before or
// after it: of three that alternate, the two that hold less are a round trip.
// The thesis pairs whatever comes next, so that one stray message can make
// every pause a round trip.
func roundTrips(messages []Constraint, most int64) []trip {
	var trips []trip
	for i := 0; i+1 < len(messages); i++ {
		h, ok := hold(messages[i], messages[i+1])
		if !ok || h > most {
			continue
		}
		if i+2 < len(messages) {
			if next, ok := hold(messages[i+1], messages[i+2]); ok && next < h {
				continue
			}
		}
		trips = append(trips, trip{messages[i], messages[i+1]})
		i++
	}
	return trips
}

// hold is how long the host that received p waited before it sent q.
func hold(p, q Constraint) (ns int64, ok bool) {
	switch {
	case p.Side == q.Side:
		return 0, false
	case p.Side == hull.Upper:
		ns = q.At.Y - p.At.Y
	default:
		ns = q.At.X - p.At.X
	}
	return ns, ns >= 0
}

// middle is the time of a trip: the middle of it by A's clock, where its
// offset is that of the clocks even if their rates differ.
func middle(t trip) int64 { return t[0].At.X + (t[1].At.X-t[0].At.X)/2 }

// offset is the point of a trip: D = ((T2-T1) + (T3-T4))/2, B's clock less
// A's, and E = ((T4-T1) - (T3-T2))/2, which the thesis calls the margin of error
// and which is the mean of both delays. They are the same whoever began.
func offset(t trip, origin, base int64) Point {
	if t[0].Side == hull.Lower {
		t[0], t[1] = t[1], t[0]
	}
	there, back := t[0].At.Y-t[0].At.X-base, t[1].At.Y-t[1].At.X-base
	at := float64(t[0].At.X-origin)/2 + float64(t[1].At.X-origin)/2
	return Point{T: at, D: float64(there)/2 + float64(back)/2, E: float64(there)/2 - float64(back)/2}
}

// filter describes the points and returns those whose E is within z standard
// deviations of the mean, on both sides. Delays have a floor and no ceiling, so
// the low side of it cuts the best points; that is the method.
func (s *Segment) filter(points []Point, z float64) []Point {
	s.Points = len(points)
	s.Min, s.Max = points[0].E, points[0].E
	for _, p := range points {
		s.Mean += p.E / float64(len(points))
		s.Min, s.Max = min(s.Min, p.E), max(s.Max, p.E)
	}
	var square float64
	for _, p := range points {
		square += (p.E - s.Mean) * (p.E - s.Mean)
	}
	if len(points) < 3 || square == 0 || math.IsInf(z, 1) {
		s.Kept = len(points)
		return points
	}
	width := z * math.Sqrt(square/float64(len(points)-1))
	kept := make([]Point, 0, len(points))
	for _, p := range points {
		if p.E > s.Mean-width && p.E < s.Mean+width {
			kept = append(kept, p)
		}
	}
	s.Kept = len(kept)
	return kept
}

// describe fills in the E of the points that are kept.
func (s *Segment) describe(kept []Point) {
	for i, p := range kept {
		if i == 0 {
			s.KeptMin, s.KeptMax = p.E, p.E
		}
		s.KeptMean += p.E / float64(len(kept))
		s.KeptMin, s.KeptMax = min(s.KeptMin, p.E), max(s.KeptMax, p.E)
	}
}

// roundTripClock is the clock of a link's segments. One with fewer than three
// points takes the rate of the nearest before or after it that has more.
func roundTripClock(l *Link, c RoundTripConfig) Estimate {
	segments := RoundTrips(l, c)
	lenders := lenders(segments)
	var pieces []piece
	var stretches []stretch
	for i, s := range segments {
		if s.Kept == 0 {
			continue
		}
		x, d0 := 0.0, s.Fit.D0
		known := spread{s.Begin, s.Fit.at, scatter(s.Mean, s.Fit) / float64(s.Kept), unknownRate * unknownRate}
		if lenders[i] >= 0 {
			f := segments[lenders[i]].Fit
			x = f.X
			if f.tt > 0 {
				known.rate = scatter(segments[lenders[i]].Mean, f) / f.tt
			}
		}
		if s.Fit.ER < 0 {
			// The line through the mean of the points, at the other rate.
			middle := float64(s.End-s.Begin) / 2
			d0 += (s.Fit.X - x) * middle
		}
		p := piece{s.Begin, s.End, line{s.Begin, s.Base, d0, x}}
		if p.line.usable() {
			pieces = append(pieces, p)
			stretches = append(stretches, stretch{s.Begin, s.End, []spread{known}})
		}
	}
	e := estimate(pieces, 0)
	e.stretches = stretches
	begin, end := l.span()
	e.Weight = e.served(begin, end)
	return e
}

// lenders is for each segment the nearest that has a rate of its own, -1 if none has.
func lenders(segments []Segment) []int {
	near := make([]int, len(segments))
	last := -1
	for i, s := range segments {
		if s.Fit.ER >= 0 {
			last = i
		}
		near[i] = last
	}
	last = -1
	for i, s := range slices.Backward(segments) {
		if s.Fit.ER >= 0 {
			last = i
		}
		if last >= 0 && (near[i] < 0 || last-i < i-near[i]) {
			near[i] = last
		}
	}
	return near
}
