package network_test

import (
	"flag"
	"slices"
	"strings"
	"testing"
	"time"

	"synchroscope/simulate/clock"
	"synchroscope/simulate/scenario"
	"synchroscope/sync/hull"
	"synchroscope/sync/match"
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

// A clock that was set back once mixes messages of before and after, which may be cut into parts that were never a clock: what they would allow elsewhere is no
// step. One is told, by what it was.
func TestOneStepIsTold(t *testing.T) {
	const back = 800_000_000
	for _, seed := range []uint64{1, 3, 4} {
		var messages []match.Message
		s := simulated(t, "testdata/set-back.scenario", seed, 0).network(network.Config{}, func(m match.Message) { messages = append(messages, m) }).Solution()
		for i := range s.Links {
			k := &s.Links[i]
			e := network.NewEvidence(s.Hosts[k.A].ID, s.Hosts[k.B].ID)
			for _, m := range messages {
				switch {
				case m.From == k.A && m.To == k.B:
					e.Add(hull.Upper, hull.Point{X: m.Sent, Y: m.Received})
				case m.From == k.B && m.To == k.A:
					e.Add(hull.Lower, hull.Point{X: m.Received, Y: m.Sent})
				}
			}
			by := int64(-back) // of n1 against n0
			if s.Hosts[k.A].Name == "n1" {
				by = back
			}
			steps := e.Corridor(k).Steps()
			if len(steps) != 1 || steps[0].Least > by || steps[0].Most < by || steps[0].Most-steps[0].Least > back {
				t.Errorf("seed %d, %s and %s: the steps are %+v, and it was %d", seed, s.Hosts[k.A].Name, s.Hosts[k.B].Name, steps, by)
			}
		}
	}
}

// Clocks that are set back by many times what messages are apart, one of a link or both, mix messages of before and after by their own time. All links are
// explained, no bound is exceeded, and away from the steps, by as much as they are long, bounds are of the order of delays.
func TestSetBackByManyMessages(t *testing.T) {
	for _, c := range []struct {
		name  string
		seeds []uint64
		steps [][2]int64 // ns from the start, and by how many a clock is set back
	}{
		{"set-back", []uint64{1, 2, 3}, [][2]int64{{9_952e6, 800e6}}},
		{"set-back-far", []uint64{1, 3, 4, 5}, [][2]int64{{70_200e6, 33e9}}},
		{"set-back-both", []uint64{1, 2, 6, 9}, [][2]int64{{50_200e6, 21e9}, {110_700e6, 17e9}}},
	} {
		for _, seed := range c.seeds {
			r := simulated(t, "testdata/"+c.name+".scenario", seed, 0)
			s := r.network(network.Config{}, nil).Solution()
			v := r.judge(s)
			if v.outside > 0 || v.unbounded > 0 || v.violations > 0 || v.failed > 0 {
				t.Errorf("%s, seed %d: %d of %d instants are outside of the bound, by %d ns at most, %d without one; %d violations, %d links fail",
					c.name, seed, v.outside, v.sampled, v.excess, v.unbounded, v.violations, v.failed)
			}
			var worst int64
			start := r.clocks[0][0].True
			for i := range s.Hosts {
				h := &s.Hosts[i]
				for _, sample := range r.clocks[i] {
					near := slices.ContainsFunc(c.steps, func(step [2]int64) bool {
						off := sample.True - start - step[0]
						return max(off, -off) < step[1]+step[1]/8+2e9
					})
					if bound, ok := h.Map.Error(sample.Local); ok && !near {
						worst = max(worst, bound)
					}
				}
			}
			t.Logf("%s, seed %d: known to %d ns, away from steps to %d", c.name, seed, v.bound, worst)
			if worst > 2_000_000 {
				t.Errorf("%s, seed %d: away from all steps it is known to %d ns", c.name, seed, worst)
			}
		}
	}
}

// The link of two hosts beside the way between them is cut by a step within what the way leaves open of it: the bound is of both on either side of either cut.
func TestStepOfALinkBesideTheWay(t *testing.T) {
	for seed := range uint64(4) {
		s := simulated(t, "testdata/set-in-a-ring.scenario", seed+1, 0)
		v := s.judge(s.network(network.Config{Reference: "n1"}, nil).Solution())
		if v.outside > 0 || v.unbounded > 0 || v.violations > 0 || v.failed > 0 {
			t.Errorf("seed %d: %d of %d instants are outside of the bound, by %d ns at most, %d without one; %d violations, %d links fail",
				seed+1, v.outside, v.sampled, v.excess, v.unbounded, v.violations, v.failed)
		}
	}
}
