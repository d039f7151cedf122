package network

import (
	"cmp"
	"math"
	"slices"
)

// Gossip puts two or three messages on each of a thousand links. None of these says much of two clocks, yet each host has dozens of them,
// and together they say more than the one that is in the tree. Of each stretch of such a link the shortest delays there and back are compared.
// What they differ by is off by no more than half of what the way there and back takes longer than the shortest way there and back of any
// link, and by what one of the two messages is longer on the wire: by that its vote counts.

const (
	inSparse    = 4    // messages of each direction that are a stretch of a link with few
	sparseDoubt = 3000 // ns, of a vote, however short the way there and back
	wire        = 16   // ns that a byte takes over two links of 1 Gbit/s
)

// sparse is what a link says that has too few messages for densities. Its votes are without what weighSparse adds to their variances.
func sparse(t said, ways pool, k *Link) said {
	both := min(len(ways[0]), len(ways[1]))
	if both == 0 {
		return said{}
	}
	for _, way := range ways {
		slices.SortFunc(way, func(a, b lag) int {
			return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.ns, b.ns), cmp.Compare(a.bytes, b.bytes))
		})
	}
	t.sparse = true
	count := max(both/inSparse, 1)
	for i := range count {
		var least [2]lag
		for side, way := range ways {
			stretch := way[len(way)*i/count : len(way)*(i+1)/count]
			least[side] = slices.MinFunc(stretch, func(a, b lag) int { return cmp.Compare(a.ns, b.ns) })
		}
		there, back := least[0], least[1]
		off := wire / 2 * (float64(there.bytes) - float64(back.bytes))
		if there.bytes == 0 || back.bytes == 0 {
			off = partOfBand * float64(k.ErrorMedian)
		}
		at := there.at/2 + back.at/2
		t.votes = append(t.votes, vote{difference{at, (there.ns - back.ns) / 2, there.ns + back.ns}, float64(off * off)})
	}
	return t
}

// weighSparse adds to the variances of what sparse links of one component say how far off they may be by the way there and back.
func weighSparse(list []said) {
	shortest := math.Inf(1)
	for _, t := range list {
		shortest = min(shortest, t.round)
	}
	for _, t := range list {
		for i := range t.votes {
			if t.sparse {
				off := (t.votes[i].round - shortest) / 2
				t.votes[i].variance += float64(off*off) + sparseDoubt*sparseDoubt
			}
		}
	}
}

// round is the shortest way there and back, of any two messages; more than any if there are none in one direction.
func (p *pool) round() (ns float64) {
	for _, way := range p {
		least := math.Inf(1)
		for _, m := range way {
			least = min(least, m.ns)
		}
		ns += least
	}
	return ns
}

// placed leaves out what is said of hosts that nobody places at more than one instant, as of one that had three messages with a single other host: such
// a host goes where the next on its way goes, and is no witness of where that is.
func (g bend) placed(reference int32, list []said) []said {
	for {
		of := make(map[int32][]sum)
		for _, t := range list {
			n := g.sums(t.votes)
			of[t.a], of[t.b] = append(of[t.a], n), append(of[t.b], n)
		}
		open := make(map[int32]bool)
		for h, sums := range of {
			if _, ok := g.factor(sums); !ok && h != reference {
				open[h] = true
			}
		}
		if len(open) == 0 {
			return list
		}
		list = slices.DeleteFunc(list, func(t said) bool { return open[t.a] || open[t.b] })
	}
}
