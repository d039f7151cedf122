package kerneltest

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"
)

// Damage changes every byte of a model's state in turn, by bits and into large numbers. goesOn restores a model from a state over a
// sound history and lets it handle what follows. It takes the whole state, and of a damaged one it returns an error
// that names the checkpoint or goes on: it never panics.
func Damage(t testing.TB, state []byte, goesOn func(state []byte) error) {
	t.Helper()
	if err := goesOn(state); err != nil {
		t.Fatal(err)
	}
	for n := range state {
		var all [][]byte
		for _, bits := range []byte{0x01, 0x02, 0x04, 0x10, 0x40, 0x80, 0xff} {
			damaged := slices.Clone(state)
			damaged[n] ^= bits
			all = append(all, damaged)
		}
		for _, number := range []uint64{1 << 9, 1 << 20, 1 << 31, math.MaxUint64} {
			all = append(all, slices.Concat(state[:n], binary.AppendUvarint(nil, number), state[n+1:]))
		}
		for _, damaged := range all {
			func() {
				defer func() {
					if p := recover(); p != nil {
						t.Errorf("from byte %d of %d on % x, not % x: %v", n, len(state), damaged[n:min(n+4, len(damaged))], state[n:min(n+4, len(state))], p)
					}
				}()
				if err := goesOn(damaged); err != nil && !strings.Contains(err.Error(), "checkpoint") {
					t.Errorf("the error %q does not name the checkpoint", err)
				}
			}()
		}
	}
}
