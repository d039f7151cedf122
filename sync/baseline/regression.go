package baseline

import (
	"math"

	"synchroscope/sync/hull"
)

// regressionClock fits a line to all messages of each direction and takes the
// middle of the two: one is too high by the mean delay there, the other too low
// by that of the way back. Delays vary to one side only, so a queue on the way pulls
// the line as far as it is long. Messages in one direction only make no clock.
func regressionClock(l *Link) Estimate {
	begin, end := l.span()
	origin := begin + (end-begin)/2
	base := l.Messages[0].At.Y - l.Messages[0].At.X
	var sides [2][]Point
	for _, m := range l.Messages {
		p := Point{T: float64(m.At.X - origin), D: float64(m.At.Y - m.At.X - base)}
		sides[m.Side] = append(sides[m.Side], p)
	}
	up, upRate := leastSquares(sides[hull.Upper])
	low, lowRate := leastSquares(sides[hull.Lower])
	if up.N == 0 || low.N == 0 {
		return Estimate{}
	}
	middle := line{origin: origin, base: base, offset: (up.D0 + low.D0) / 2}
	switch {
	case upRate && lowRate:
		middle.slope = (up.X + low.X) / 2
	case upRate:
		middle.slope = up.X
	case lowRate:
		middle.slope = low.X
	}
	if !middle.usable() {
		return Estimate{}
	}
	e := estimate([]piece{{begin, end, middle}}, 0)
	e.stretches = []stretch{{begin, end, middleSpreads(origin, up, low, upRate, lowRate)}}
	e.Weight = e.served(begin, end)
	return e
}

// middleSpreads are how uncertain the middle of the lines of both directions is: half of either.
func middleSpreads(origin int64, up, low Fit, upRate, lowRate bool) []spread {
	variance := scatter(math.Abs(up.D0-low.D0)/2, up, low)
	both := []spread{{origin, up.at, variance / 4 / float64(up.N), 0}, {origin, low.at, variance / 4 / float64(low.N), 0}}
	switch {
	case upRate && lowRate:
		both[0].rate, both[1].rate = variance/4/up.tt, variance/4/low.tt
	case upRate:
		both[0].rate = variance / up.tt
	case lowRate:
		both[1].rate = variance / low.tt
	default:
		both[0].rate = unknownRate * unknownRate
	}
	return both
}
