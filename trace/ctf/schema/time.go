package schema

import (
	"math"
	"math/big"
)

const second = 1_000_000_000

// Time is the local time in ns of a value of the clock, held within int64. A clock whose
// origin int64 cannot hold counts from 0.
//
// It is the definition, as plain as can be; the reader has a faster way.
func (c *Clock) Time(cycles uint64) int64 {
	sum := c.duration(new(big.Int).SetUint64(cycles))
	sum.Add(sum, c.origin())
	if !sum.IsInt64() {
		return math.MaxInt64
	}
	return sum.Int64()
}

// Cycles is the smallest value of the clock at which the time is ns, or the next one above
// where no value has that time. It is false where ns is before the clock's origin, or later than the clock can say.
func (c *Clock) Cycles(ns int64) (uint64, bool) {
	v := new(big.Int).Sub(big.NewInt(ns), c.origin())
	v.Mul(v, new(big.Int).SetUint64(c.Frequency))
	v.Add(v, big.NewInt(second-1))
	v.Div(v, big.NewInt(second))
	return v.Uint64(), v.IsUint64()
}

// duration is how many ns cycles last, rounded down.
func (c *Clock) duration(cycles *big.Int) *big.Int {
	ns := new(big.Int).Mul(cycles, big.NewInt(second))
	return ns.Div(ns, new(big.Int).SetUint64(c.Frequency))
}

// origin is the time of the clock's zero, ns.
func (c *Clock) origin() *big.Int {
	whole, rest := new(big.Int).DivMod(big.NewInt(c.Offset), new(big.Int).SetUint64(c.Frequency), new(big.Int))
	whole.Add(whole, big.NewInt(c.Seconds))
	const limit = math.MaxInt64/second - 1
	if whole.CmpAbs(big.NewInt(limit)) > 0 {
		whole.SetInt64(0)
	}
	whole.Mul(whole, big.NewInt(second))
	return whole.Add(whole, c.duration(rest))
}
