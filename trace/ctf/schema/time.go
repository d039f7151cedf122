package schema

import (
	"math"
	"math/big"
)

const second = 1_000_000_000

// Time is the local time in ns of a value of the clock, rounded down and held within int64. A clock whose
// origin int64 cannot hold counts from 0.
//
// It is the definition, as plain as can be; the reader has a faster way.
func (c *Clock) Time(cycles uint64) int64 {
	seconds, rest := c.origin()
	sum := new(big.Int).Add(new(big.Int).SetUint64(cycles), rest)
	sum.Mul(sum, big.NewInt(second))
	sum.Div(sum, new(big.Int).SetUint64(c.Frequency))
	sum.Add(sum, seconds)
	if !sum.IsInt64() {
		return math.MaxInt64
	}
	return sum.Int64()
}

// Cycles is the smallest value of the clock at which the time is ns, or the next one above
// where no value has that time. It is false where ns is before the clock's origin, or later than the clock can say.
func (c *Clock) Cycles(ns int64) (uint64, bool) {
	seconds, rest := c.origin()
	v := new(big.Int).Sub(big.NewInt(ns), seconds)
	v.Mul(v, new(big.Int).SetUint64(c.Frequency))
	v.Add(v, big.NewInt(second-1))
	v.Div(v, big.NewInt(second))
	v.Sub(v, rest)
	if v.Sign() < 0 && c.Time(0) == ns {
		v.SetInt64(0)
	}
	return v.Uint64(), v.IsUint64()
}

// origin is the time of the clock's zero: ns of whole seconds, and cycles less than a second.
func (c *Clock) origin() (ns, rest *big.Int) {
	f := new(big.Int).SetUint64(c.Frequency)
	whole, rest := new(big.Int).DivMod(big.NewInt(c.Offset), f, new(big.Int))
	whole.Add(whole, big.NewInt(c.Seconds))
	const limit = math.MaxInt64/second - 1
	if whole.CmpAbs(big.NewInt(limit)) > 0 {
		return new(big.Int), rest
	}
	return whole.Mul(whole, big.NewInt(second)), rest
}
