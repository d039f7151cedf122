package network_test

import (
	"flag"
	"slices"
	"strings"
	"testing"
	"time"

	"synchroscope/simulate/clock"
	"synchroscope/simulate/scenario"
	"synchroscope/sync/network"
)

var (
	scenarios = flag.String("scenarios", "", "run TestScenarios on `these`, by commas, or on all, at full length")
	seeds     = flag.Int("seeds", 1, "with so many seeds each")
	tick      = flag.Duration("tick", 0, "run TestScenarios with the clocks of every second host advancing by so much at once")
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
				r := simulated(t, name, uint64(seed+1), duration, everySecond(tick.Nanoseconds()))
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

// everySecond lets the clock of every second host advance by so many ns at once, and the others as they were.
func everySecond(ns int64) func(*scenario.Scenario) {
	return func(s *scenario.Scenario) {
		for i := 1; i < len(s.Hosts) && ns > 0; i += 2 {
			s.Hosts[i].Clock.Resolution = ns
		}
	}
}

// The same promise where clocks tick, also where they are set and where machines begin anew.
func TestScenariosOfClocksThatTick(t *testing.T) {
	step := func(s *scenario.Scenario) { s.Hosts[0].Clock.Steps = []clock.Step{{At: 8e9, By: 700_000_000}} }
	frequency := func(s *scenario.Scenario) { s.Hosts[0].Clock.Frequency = 1024 }
	for _, c := range []struct {
		name     string
		duration time.Duration
		tick     int64
		alter    func(*scenario.Scenario)
	}{
		{"web", 5 * time.Second, 10_000_000, frequency},
		{"web", 16 * time.Second, 1_000_000, step},
		{"outliers", 20 * time.Second, 1_000_000, frequency},
		{"reboot", 0, 4_000_000, nil},
		{"pair-drift", 5 * time.Minute, 100_000, nil},
		{"islands", 20 * time.Second, 1000, nil},
	} {
		r := simulated(t, c.name, 1, c.duration, everySecond(c.tick), func(s *scenario.Scenario) {
			if c.alter != nil {
				c.alter(s)
			}
		})
		if !slices.Contains(r.ticks, c.tick) {
			t.Errorf("%s: clocks tick by %v, and some by %d", c.name, r.ticks, c.tick)
		}
		v := r.judge(r.network(network.Config{}, nil).Solution())
		t.Logf("%s, ticks %v: %+v", c.name, r.ticks, v)
		if v.outside > 0 || v.violations > 0 || v.failed > 0 || v.sampled == 0 {
			t.Errorf("%s: %d of %d instants are outside of the bound, by %d ns at most; %d violations, %d links fail",
				c.name, v.outside, v.sampled, v.excess, v.violations, v.failed)
		}
	}
}

// A link that is silent while both its hosts are set shows one step where there were two. Each is told by other links, and the bounds hold while one was made and
// the other was not.
func TestSetWhileALinkIsSilent(t *testing.T) {
	for _, seed := range []uint64{22017, 20033} {
		s := simulated(t, "testdata/set-ring.scenario", seed, 0)
		v := s.judge(s.network(network.Config{}, nil).Solution())
		t.Logf("seed %d: %+v", seed, v)
		if v.outside > 0 || v.unbounded > 0 || v.violations > 0 || v.failed > 0 {
			t.Errorf("seed %d: %d of %d instants are outside of the bound, by %d ns at most, %d without one; %d violations, %d links fail",
				seed, v.outside, v.sampled, v.excess, v.unbounded, v.violations, v.failed)
		}
	}
}
