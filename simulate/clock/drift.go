package clock

import (
	"math"

	"synchroscope/simulate/chance"
	"synchroscope/simulate/portable"
)

// A drift is how far a clock has run away, but for offsets and steps: integer ns at
// the knots, which are the whole true seconds, and linear between them.
//
// It moves forward at no cost; to go back it starts again from one of few marks.
type drift struct {
	spec Spec

	at         knot // the end of the segment below
	segment    int64
	from, to   int64 // ns at its two ends
	before     int64 // from of the segment before it, if that is known
	known      bool
	marks      []knot
	markStride int64
}

// A knot is all that must be known at a whole second to go on from there.
type knot struct {
	second int64
	phase  int64 // fs that the clock has run away
	walk   int64 // the random part of the rate, in 1e-15
	dice   chance.Source
}

const maxMarks = 256

func newDrift(spec Spec, dice *chance.Source) *drift {
	d := &drift{spec: spec, markStride: 64}
	d.at = knot{dice: *dice}
	d.marks = append(d.marks, d.at)
	d.next()
	return d
}

// ns is how far the clock has run away at true time t, which is not negative.
func (d *drift) ns(t int64) int64 {
	k := t / second
	from, to := d.from, d.to
	if k != d.segment {
		if k == d.segment-1 && d.known {
			from, to = d.before, d.from
		} else {
			d.seek(k)
			from, to = d.from, d.to
		}
	}
	return from + floorDiv((to-from)*(t-k*second), second)
}

// seek makes k the segment.
func (d *drift) seek(k int64) {
	if k < d.segment {
		i := min(int(k/d.markStride), len(d.marks)-1)
		d.at = d.marks[i]
		d.next()
		d.known = false
	}
	for d.segment < k {
		d.next()
	}
}

// next makes the segment that begins at the knot the current one.
func (d *drift) next() {
	d.mark()
	d.before, d.from, d.known = d.from, d.at.ns(), d.segment+1 == d.at.second
	d.segment = d.at.second
	d.at.phase += d.rate() + d.at.walk
	d.at.second++
	if d.spec.Walk != 0 {
		d.at.walk += round(float64(d.spec.Walk * 1e9 * d.at.dice.Normal()))
	}
	d.to = d.at.ns()
}

// rate is the rate in the second that begins at the knot, but for its random part. A rate
// of 1e-15 is one fs in a second.
func (d *drift) rate() int64 {
	s := &d.spec
	middle := float64(d.at.second) + 0.5
	ppm := s.Rate + float64(s.Ageing*(middle/86400))
	for _, w := range s.Thermal {
		ppm += float64(w.Amplitude * portable.Sin(middle/(float64(w.Period)/second)+w.Phase))
	}
	for _, r := range s.Reboots {
		if r.At+r.Down <= d.at.second*second {
			ppm += r.Rate
		}
	}
	return round(float64(ppm * 1e9))
}

// mark remembers the knot if it is one of those to come back to. When there are too many marks,
// every second one is forgotten.
func (d *drift) mark() {
	if d.at.second != int64(len(d.marks))*d.markStride {
		return
	}
	if len(d.marks) == maxMarks {
		for i := range maxMarks / 2 {
			d.marks[i] = d.marks[2*i]
		}
		d.marks, d.markStride = d.marks[:maxMarks/2], 2*d.markStride
	}
	d.marks = append(d.marks, d.at)
}

// ns is the phase in ns, to the nearest.
func (k *knot) ns() int64 { return floorDiv(k.phase+500_000, 1_000_000) }

func round(x float64) int64 { return int64(math.Floor(x + 0.5)) }

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
