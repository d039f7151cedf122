package baseline

import (
	"math"
	"math/big"

	"synchroscope/sync/clock"
)

// A line is y = x + base + offset + slope·(x - origin), in ns. Near its
// origin its floats are small, so they resolve far less than a ns, though the
// times themselves would not fit into one.
type line struct {
	origin, base  int64
	offset, slope float64
}

// usable reports whether a clock can be such a line.
func (l line) usable() bool {
	return l.slope > -0.5 && l.slope < 1 && !math.IsNaN(l.offset) && math.Abs(l.offset) < 1<<62
}

func (l line) at(x int64) int64 {
	return x + l.base + int64(math.Round(l.offset+l.slope*float64(x-l.origin)))
}

// exact is the line without its origin: what the floats say, to the last digit.
func (l line) exact() clock.Line {
	slope := rational(l.slope)
	alpha := new(big.Rat).Add(slope, big.NewRat(1, 1))
	beta := new(big.Rat).Add(rational(l.offset), new(big.Rat).SetInt64(l.base))
	beta.Sub(beta, slope.Mul(slope, new(big.Rat).SetInt64(l.origin)))
	return clock.Line{Alpha: alpha, Beta: beta}
}

func rational(f float64) *big.Rat { return new(big.Rat).SetFloat64(f) }

// A piece is the part of A's time to which a line applies.
type piece struct {
	begin, end int64
	line       line
}

// reach is how far lines are extended beyond the first and the last piece: 39 hours.
const reach = 1 << 47

// join makes one clock of pieces by rising time. Neither thesis says how the
// clock gets from one line to the next; here it leaves a line a sixteenth of
// the piece before its end and is on the next a sixteenth after its beginning.
// The first and the last line go on beyond. Where pieces would make time
// stand still or go back, the later place is left out.
func join(pieces []piece) (*clock.Map, bool) {
	first, last := pieces[0], pieces[len(pieces)-1]
	if len(pieces) == 1 {
		return first.line.exact().Map(first.begin, first.end), true
	}
	knots := make([]clock.Knot, 0, 2*len(pieces)+2)
	put := func(l line, x int64) {
		k := clock.Knot{Local: x, Reference: l.at(x)}
		if n := len(knots); n == 0 || knots[n-1].Local < x && knots[n-1].Reference < k.Reference {
			knots = append(knots, k)
		}
	}
	put(first.line, first.begin-reach)
	for _, p := range pieces {
		d := (p.end - p.begin) / 16
		put(p.line, p.begin+d)
		put(p.line, p.end-d)
	}
	put(last.line, last.end+reach)
	m, err := clock.New(knots, nil)
	return m, err == nil
}
