package network

import (
	"fmt"
	"testing"
)

// What hosts know of each other, directly and over several links, holds while two clocks that follow each other show times twice: what is after a time by the one may be before it by the
// other. What they exchanged is told apart by neither clock alone.
func TestChainsSetBack(t *testing.T) {
	for _, how := range []string{"near", "close"} {
		seeds := []uint64{103}
		for seed := range uint64(20) {
			seeds = append(seeds, seed)
		}
		for seed := range *setbacks {
			seeds = append(seeds, seed)
		}
		for _, seed := range seeds {
			p := machinesSetBack(seed, how)
			n := p.network(seed, p.order())
			what := fmt.Sprintf("%s, seed %d, %v", how, seed, p.sets())
			p.bands(t, what, n)
			p.pairs(t, what, n)
		}
	}
}
