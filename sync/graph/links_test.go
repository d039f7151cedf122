package graph

import (
	"math/rand/v2"
	"testing"
)

// Every pair that was ever put is found, with its weight, and no other, as the table grows and whatever lies around its end; what a record is in
// stays where it is.
func TestLinksAreFound(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 0))
		hosts := int32(3 + r.IntN(40))
		var l links
		for range hosts {
			l.first = append(l.first, none)
		}
		weights := map[[2]int32]int64{}
		records := map[[2]int32]*link{}
		for range 20 + r.IntN(400) {
			a := r.Int32N(hosts - 1)
			b := a + 1 + r.Int32N(hosts-1-a)
			weight := r.Int64N(1000)
			id, before := l.put(a, b, weight)
			if want := weights[[2]int32{a, b}]; before != want {
				t.Fatalf("seed %d: %d–%d had the weight %d, not %d", seed, a, b, before, want)
			}
			weights[[2]int32{a, b}] = weight
			if k := l.of(id); records[[2]int32{a, b}] == nil {
				records[[2]int32{a, b}] = k
			} else if records[[2]int32{a, b}] != k {
				t.Fatalf("seed %d: the record of %d–%d was moved", seed, a, b)
			}
			for x := range hosts {
				for y := x + 1; y < hosts; y++ {
					weight, ever := weights[[2]int32{x, y}]
					switch id := l.find(x, y); {
					case id == none && ever:
						t.Fatalf("seed %d: %d–%d is not found among %d", seed, x, y, l.n)
					case id != none && (!ever || l.of(id).weight != weight || l.of(id).ends != [2]int32{x, y}):
						t.Fatalf("seed %d: %d–%d is found as %v, and not with the weight %d", seed, x, y, *l.of(id), weight)
					}
				}
			}
		}
	}
}
