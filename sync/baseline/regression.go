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
	var wide float64 // both directions' residuals
	var known float64
	for _, f := range []Fit{up, low} {
		if f.ER >= 0 {
			wide += f.ER * f.ER * float64(f.N)
			known += float64(f.N)
		}
	}
	if known > 0 {
		wide = math.Sqrt(wide / known)
	} else {
		wide = math.Abs(up.D0-low.D0) / 2
	}
	return estimate([]piece{{begin, end, middle}}, wide)
}
