package network_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"synchroscope/sync/network"
)

// A line, or a few steps, fit what three machines exchange while the clock of one of them swings faster than crystals do, and would put it outside of a bound that is much
// narrower than a round trip. The bounds hold.
func TestNarrowerThanARoundTrip(t *testing.T) {
	const lan, busy = "propagation=100us rate=1Gbps jitter=20us", "propagation=30us rate=1Gbps jitter=100us"
	for _, c := range []struct{ clock, link, period string }{
		{"thermal amplitude=10 period=50s phase=0.2", busy, "100ms"},
		{"thermal amplitude=5 period=100s phase=0.2", busy, "100ms"},
		{"thermal amplitude=10 period=100s phase=0.2", lan, "1s"},
		{"thermal amplitude=10 period=100s phase=0.2", busy, "100ms"},
	} {
		file := filepath.Join(t.TempDir(), "swing.scenario")
		if err := os.WriteFile(file, fmt.Appendf(nil, `scenario swing "Three machines, one of which has a clock that is no crystal's"
duration 2m
host {a,c}
  clock offset=-1s..1s rate=-50..50 uptime=19d
host b
  clock offset=-1s..1s rate=-50..50 uptime=19d
  %s
switch sw
link {a,b,c} sw %s
workload pingpong from=a to=b protocol=tcp period=%s port=1000
workload pingpong from=c to=a protocol=tcp period=%[3]s port=1001
workload pingpong from=c to=b protocol=tcp period=%[3]s port=1002
`, c.clock, c.link, c.period), 0o600); err != nil {
			t.Fatal(err)
		}
		s := simulated(t, file, 2, 0)
		v := s.judge(s.network(network.Config{}, nil).Solution())
		t.Logf("%s, %s, every %s: %+v", c.clock, c.link, c.period, v)
		if v.outside > 0 || v.unbounded > 0 || v.violations > 0 || v.failed > 0 {
			t.Errorf("%s, %s, every %s: %d of %d instants are outside of the bound, by %d ns at most, %d without one; %d violations, %d links fail", c.clock, c.link, c.period, v.outside, v.sampled, v.excess, v.unbounded, v.violations, v.failed)
		}
	}
}
