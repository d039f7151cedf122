package network_test

import (
	"fmt"
	"testing"
	"time"

	"synchroscope/simulate/clock"
	"synchroscope/simulate/scenario"
	"synchroscope/sync/network"
)

// The promise of the bound holds for windows, too: at every sampled instant within one, and outside of it where a bound is stated, though a clock was set
// there or a machine began anew.
func TestScenariosInWindows(t *testing.T) {
	set := func(s *scenario.Scenario) {
		s.Hosts[0].Clock.Steps = []clock.Step{{At: 6e9, By: 700_000_000}}
		s.Hosts[2].Clock.Steps = []clock.Step{{At: 11e9, By: -300_000_000}}
	}
	for _, c := range []struct {
		name     string
		duration time.Duration
		alter    func(*scenario.Scenario)
	}{
		{"reboot", 0, nil},
		{"web", 16 * time.Second, set},
		{"pair-drift", 5 * time.Minute, nil},
		{"islands", 20 * time.Second, nil},
	} {
		alter := c.alter
		if alter == nil {
			alter = func(*scenario.Scenario) {}
		}
		r := simulated(t, c.name, 1, c.duration, alter)
		all := r.network(network.Config{}, nil).Constraints()
		first, err := all.Solve(network.Config{})
		if err != nil {
			t.Fatal(err)
		}
		reference := &first.Hosts[first.Reference]
		length := reference.End - reference.Begin
		bounded := 0
		for i := range int64(4) {
			begin := reference.Begin + length*(2*i+1)/10
			w := network.Window{Begin: begin, End: begin + length*3/20}
			s, err := all.Solve(network.Config{Reference: reference.Name, Window: &w})
			if err != nil {
				t.Fatal(err)
			}
			in, out := r.judgeWindow(s)
			what := fmt.Sprintf("%s, window %d of 4", c.name, i+1)
			if in.outside+out.outside > 0 {
				t.Errorf("%s: %d of %d instants within are outside of the bound, by %d ns at most, and %d of %d others, by %d ns", what, in.outside, in.sampled, in.excess, out.outside, out.sampled, out.excess)
			}
			bounded += in.sampled - in.unbounded
		}
		if bounded == 0 {
			t.Errorf("%s: nothing is stated within windows", c.name)
		}
	}
}

// judgeWindow is judge within the window of each host, and outside of it.
func (r *recording) judgeWindow(s *network.Solution) (in, out verdict) {
	r.compared(s, func(h *network.Host, local, off int64) {
		v := &out
		if h.Window.Has(local) {
			v = &in
		}
		v.sampled++
		v.hold(h, local, off)
	})
	return in, out
}
