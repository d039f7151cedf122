package network_test

import (
	"flag"
	"strings"
	"testing"
	"time"

	"synchroscope/simulate/scenario"
	"synchroscope/sync/network"
)

var (
	scenarios = flag.String("scenarios", "", "run TestScenarios on `these`, by commas, or on all, at full length")
	seeds     = flag.Int("seeds", 1, "with so many seeds each")
)

// The promise: at every sampled instant the truth is within the bound, no message is received
// before it is sent, and no link fails. By default some scenarios are run for a while.
func TestScenarios(t *testing.T) {
	brief := map[string]time.Duration{
		"asymmetric": time.Minute, "chain-8": 20 * time.Second, "islands": 20 * time.Second, "loss-30": 20 * time.Second,
		"outliers": 20 * time.Second, "pair-drift": 5 * time.Minute, "reboot": 0, "s1": time.Minute, "s9": time.Minute, "web": 5 * time.Second,
	}
	names := scenario.Names()
	if *scenarios != "" && *scenarios != "all" {
		names = strings.Split(*scenarios, ",")
	}
	for _, name := range names {
		duration, some := brief[name]
		if *scenarios != "" {
			duration = 0
		} else if !some {
			continue
		}
		t.Run(name, func(t *testing.T) {
			for seed := range *seeds {
				r := simulated(t, name, uint64(seed+1), duration)
				s := r.network(network.Config{}, nil).Solution()
				v := r.judge(s)
				t.Logf("seed %d: %d hosts, %d links, %+v", seed+1, len(s.Hosts), len(s.Links), v)
				if v.outside > 0 || v.violations > 0 || v.failed > 0 {
					t.Errorf("seed %d: %d of %d instants are outside of the bound, by %d ns at most; %d violations, %d links fail",
						seed+1, v.outside, v.sampled, v.excess, v.violations, v.failed)
				}
			}
		})
	}
}
