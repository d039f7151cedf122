package network

import (
	"math/rand/v2"
	"testing"
)

// Sums and worst errors with every host as the reference are those of adding up all ways one by one, and the sums
// differ by the losses that the forest tells. What no bound leads to is counted, and in no sum.
func TestCandidates(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 200 {
		n := 1 + r.IntN(12)
		s := &Solution{Hosts: make([]Host, n)}
		zero := int64(0)
		far := make([][]int64, n)
		for i := range n {
			far[i] = make([]int64, n)
			for j := range n {
				far[i][j] = -1
			}
			far[i][i] = 0
			s.Hosts[i].Loss = &zero
			s.Hosts[i].Reference = int32(i)
			if i > 0 && r.IntN(5) > 0 { // else it begins another component
				up := r.IntN(i)
				w := int64(r.IntN(4)) * 100
				if r.IntN(8) == 0 {
					w = -1 // this link has no bound
				}
				s.Links = append(s.Links, Link{A: int32(up), B: int32(i), InTree: true, Served: w})
				s.Hosts[i].Reference = s.Hosts[up].Reference
				for k := range i {
					if w >= 0 && far[up][k] >= 0 {
						far[i][k], far[k][i] = far[up][k]+w, far[up][k]+w
					}
				}
			}
		}
		for i, c := range s.Candidates() {
			var sum, most int64
			bounded, unbounded := 0, 0
			for k, d := range far[i] {
				switch {
				case s.Hosts[k].Reference != s.Hosts[i].Reference:
				case d < 0:
					unbounded++
				default:
					bounded++
				}
				sum += max(d, 0)
				most = max(most, d)
			}
			if bounded == 1 && unbounded > 0 {
				if c != nil {
					t.Fatalf("round %d, host %d: %+v, and no other is bounded", round, i, c)
				}
				continue
			}
			if c == nil || c.Unbounded != unbounded || c.Sum != sum || c.Most != most || far[i][c.Farthest] != most {
				t.Fatalf("round %d, host %d: %+v, want %d and %d", round, i, c, sum, most)
			}
		}
	}
}
