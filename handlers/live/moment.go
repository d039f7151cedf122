package live

import "math/bits"

// A moment is a sum of times in ns: exact, so that it is the same in whatever order they are added, and
// whatever sums it is the sum of.
type moment struct {
	hi int64
	lo uint64
}

func momentOf(t int64) moment { return moment{t >> 63, uint64(t)} }

func (m moment) plus(n moment) moment {
	lo, carry := bits.Add64(m.lo, n.lo, 0)
	return moment{m.hi + n.hi + int64(carry), lo}
}

// after is the mean of count times, ns after base.
func (m moment) after(base int64, count uint32) float64 {
	hi, lo := bits.Mul64(magnitude(base), uint64(count))
	all := moment{int64(hi), lo}
	if base > 0 {
		all = all.negative()
	}
	rest := m.plus(all)
	sign := 1.0
	if rest.hi < 0 {
		rest, sign = rest.negative(), -1
	}
	return sign * (float64(rest.hi)*(1<<64) + float64(rest.lo)) / float64(count)
}

func (m moment) negative() moment {
	lo, borrow := bits.Sub64(0, m.lo, 0)
	return moment{-m.hi - int64(borrow), lo}
}

func magnitude(t int64) uint64 {
	if t < 0 {
		return -uint64(t)
	}
	return uint64(t)
}
