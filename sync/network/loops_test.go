package network_test

import (
	"testing"
	"time"

	"synchroscope/sync/hull"
	"synchroscope/sync/network"
)

// Where the bounds hold the loops close within them: on real machines, and in a simulated cluster.
func TestLoopsClose(t *testing.T) {
	check := func(t *testing.T, s *network.Solution, want int) {
		t.Helper()
		loops := 0
		for _, k := range s.Links {
			if k.InTree || k.Class != hull.Accurate {
				if k.Loop != nil {
					t.Errorf("%s-%s: a loop, though in the tree or %v", s.Hosts[k.A].Name, s.Hosts[k.B].Name, k.Class)
				}
				continue
			}
			if k.Loop == nil {
				t.Errorf("%s-%s: no loop", s.Hosts[k.A].Name, s.Hosts[k.B].Name)
				continue
			}
			loops++
			t.Logf("%s-%s: %d ns over %d hops, bound %d", s.Hosts[k.A].Name, s.Hosts[k.B].Name, k.Loop.Residual, k.Loop.Hops, k.Loop.Bound)
			if !k.Loop.Consistent || k.Loop.Residual > k.Loop.Bound || k.Loop.Hops < 2 {
				t.Errorf("%s-%s: %+v", s.Hosts[k.A].Name, s.Hosts[k.B].Name, *k.Loop)
			}
		}
		if loops < want {
			t.Errorf("%d loops, want %d", loops, want)
		}
	}
	t.Run("shop-4hosts", func(t *testing.T) {
		// Five links of four hosts.
		check(t, synchronize(t, open(t, "shop-4hosts.tar.gz"), []int{0, 1, 2, 3}), 2)
	})
	t.Run("cluster-20", func(t *testing.T) {
		check(t, simulated(t, "cluster-20", 1, 20*time.Second).network(network.Config{}, nil).Solution(), 20)
	})
}
