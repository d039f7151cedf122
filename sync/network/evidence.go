package network

import (
	"math"

	"synchroscope/sync/hull"
)

// Evidence is what the messages of a link leave open of its clock, made of them as a solution makes it: with the clock of
// the lower id as the first. What it keeps does not grow with their number. It belongs to one goroutine.
type Evidence struct {
	series  hull.Series
	flipped bool // b's clock is the first
	tick    [2]int64
	late    *hull.Series // as the ticks allow; nil until it is asked for
}

// NewEvidence returns that of no message between hosts with these ids, a being the one of the lower number.
func NewEvidence(a, b string) *Evidence { return &Evidence{flipped: a > b} }

// Add takes a message as a sees it: X is a's clock and Y is b's.
func (e *Evidence) Add(side hull.Side, p hull.Point) {
	if e.flipped {
		side, p = side.Other(), p.Swapped()
	}
	e.series.Add(side, p)
	e.late = nil
}

// Tick tells by how many ns the clocks of a and b advance at once.
func (e *Evidence) Tick(a, b int64) {
	if e.flipped {
		a, b = b, a
	}
	e.tick, e.late = [2]int64{max(a, 0), max(b, 0)}, nil
}

// told is the series as the ticks of the clocks allow.
func (e *Evidence) told() *hull.Series {
	if e.tick == [2]int64{} {
		return &e.series
	}
	if e.late == nil {
		e.late = e.series.Later(e.tick[0], e.tick[1])
	}
	return e.late
}

// Points returns those that can touch a clock, as a sees them, by rising time.
func (e *Evidence) Points(side hull.Side) []hull.Point {
	if !e.flipped {
		return e.told().Points(side)
	}
	points := e.told().Points(side.Other())
	for i, p := range points {
		points[i] = p.Swapped()
	}
	return points
}

// Corridor is where b's clock can be by a's under the cap of the link, as its own messages have it; nil where nothing bounds it.
func (e *Evidence) Corridor(k *Link) *hull.Corridor { return e.corridor(k, nil) }

// Used is the corridor that bounds rest on: that of its own messages, cut where other links show steps. Where too few messages are beside a cut
// nothing is known.
func (e *Evidence) Used(k *Link) *hull.Corridor { return e.corridor(k, k.Told) }

func (e *Evidence) corridor(k *Link, cuts []hull.Cut) *hull.Corridor {
	if k.RateCap <= 0 {
		return nil
	}
	told := e.told()
	fit := told.Fit()
	if k.Shape == Steps && fit.Set != nil {
		fit = *fit.Set // other links have shown that it is steps
	}
	if !fit.OK {
		return nil
	}
	// Caps are powers of two times the first.
	c := told.Corridor(fit, hull.Cap(math.Round(math.Log2(k.RateCap/hull.Crystals.PerSecond()))))
	c = told.Divide(fit, c, cuts)
	if e.flipped {
		return c.Swap()
	}
	return c
}
