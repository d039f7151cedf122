package baseline

import (
	"math"

	"synchroscope/sync/network"
)

// unknownRate is by how much rates of two clocks may differ, for a line that is too short to have one of its own.
const unknownRate = 1e-4

// A spread is how uncertain a line by least squares is: the variance of its height in ns² at a time that is t ns
// after origin, by A's clock, is level + rate·(t-at)².
type spread struct {
	origin          int64
	at, level, rate float64
}

// over is the mean of the variance from begin to end.
func (s spread) over(begin, end int64) float64 {
	half := (float64(end) - float64(begin)) / 2
	middle := float64(begin-s.origin) + half - s.at
	return s.level + s.rate*(middle*middle+half*half/3)
}

// A stretch is the part of A's time to which a line applies, with the variances that add up to that of the line.
type stretch struct {
	begin, end int64
	spreads    []spread
}

// served is the weight of an estimate that is to serve A's time from begin to end: the standard error of its clock, as
// the root of its mean square over that time, in ns. The first and the last line go on to its ends.
//
// How far messages scatter about a line, which is the residual standard deviation, says how the network was used and not how well the
// line is known: a dozen messages on a link that does little else scatter less than thousands on a busy one, and four scatter hardly at
// all, but their line is known worse, and between them and beyond not at all. By the residuals alone the thinnest
// links were taken. The standard error falls with the root of the number of messages, and grows with the
// distance from them. What both directions of a link are off by together, because one way is slower, neither of the two knows.
func (e *Estimate) served(begin, end int64) float64 {
	if len(e.stretches) == 0 || end <= begin {
		return e.Weight
	}
	var sum, length float64
	for i, s := range e.stretches {
		from, until := max(s.begin, begin), min(s.end, end)
		if i == 0 {
			from = begin
		}
		if i == len(e.stretches)-1 {
			until = end
		}
		if until <= from {
			continue
		}
		wide := float64(until) - float64(from)
		for _, p := range s.spreads {
			sum += wide * p.over(from, until)
		}
		length += wide
	}
	if length == 0 {
		return e.Weight
	}
	return math.Sqrt(sum / length)
}

// serves is the part of A's time in which either host of a link was recorded, as the estimate has it.
func (e *Estimate) serves(l *Link, like *network.Solution) (begin, end int64) {
	a, b := &like.Hosts[l.A], &like.Hosts[l.B]
	return min(a.Begin, e.Clock.Local(b.Begin)), max(a.End, e.Clock.Local(b.End))
}

// scatter is the variance of messages about the lines through them, ns², for what is to be said of a few of them: where so many
// parameters are taken from the messages the mean square of what is left is too small by chance, in the mean by
// the factor by which Student's distribution is wider than the normal one. Where that has no
// variance it is at least the square of half a round trip, which no message can be farther off than.
func scatter(half float64, fits ...Fit) float64 {
	var squares, free float64
	for _, f := range fits {
		if f.ER >= 0 {
			squares += f.ER * f.ER * float64(f.N-2)
			free += float64(f.N - 2)
		}
	}
	if free > 2 {
		return squares / (free - 2)
	}
	if free > 0 {
		squares /= free
	}
	return max(squares, half*half)
}
