// Package chance is where all chance of the simulator comes from: independent
// streams, each made from the seed of the scenario and a name. Who takes
// more from one stream changes no other, so a cluster with a machine more is the
// same cluster with a machine more.
//
// All results are the same on every machine and with every number of cores.
package chance

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"math/bits"
	"math/rand/v2"
)

// A Source is one stream. It belongs to one goroutine. A copy goes on by itself from
// where the original was when it was copied.
type Source struct {
	pcg   rand.PCG
	spare float64 // the second of a pair of normal numbers
	saved bool
}

// New is the stream of a name. Different names, or seeds, have independent streams.
func New(seed uint64, name string) *Source {
	h := sha256.Sum256(append(binary.LittleEndian.AppendUint64(nil, seed), name...))
	s := &Source{}
	s.pcg.Seed(binary.LittleEndian.Uint64(h[:]), binary.LittleEndian.Uint64(h[8:]))
	return s
}

// Uint64 is any number of 64 bits.
func (s *Source) Uint64() uint64 { return s.pcg.Uint64() }

// Float64 is uniform in [0, 1): a multiple of 2^-53.
func (s *Source) Float64() float64 {
	return float64(s.pcg.Uint64()>>11) * 0x1p-53
}

// open is uniform in (0, 1].
func (s *Source) open() float64 {
	return float64(s.pcg.Uint64()>>11+1) * 0x1p-53
}

// IntN is uniform in [0, n). It is 0 if n is not positive.
func (s *Source) IntN(n int) int {
	return int(s.Int64N(int64(n)))
}

// Int64N is like IntN.
func (s *Source) Int64N(n int64) int64 {
	if n <= 0 {
		return 0
	}
	// The high word of a product is uniform once the few low words that would favour some results are drawn again.
	hi, lo := bits.Mul64(s.pcg.Uint64(), uint64(n))
	if lo < uint64(n) {
		for limit := -uint64(n) % uint64(n); lo < limit; {
			hi, lo = bits.Mul64(s.pcg.Uint64(), uint64(n))
		}
	}
	return int64(hi)
}

// Between is uniform in [low, high], low if high is less.
func (s *Source) Between(low, high int64) int64 {
	return low + s.Int64N(high-low+1)
}

// Bool is true with probability p.
func (s *Source) Bool(p float64) bool {
	return s.Float64() < p
}

// whole is the integer nearest to x, within what an int64 holds.
func whole(x float64) int64 {
	if x >= math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(math.Floor(x + 0.5))
}
