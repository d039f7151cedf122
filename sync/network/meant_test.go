package network_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"synchroscope/simulate/truth"
	"synchroscope/sync/hull"
	"synchroscope/sync/match"
	"synchroscope/sync/network"
)

// again feeds messages to a new network with the hosts and spans of the recording.
func (r *recording) again(messages []match.Message) *network.Solution {
	n := network.New(network.Config{})
	for i, name := range r.names {
		n.AddHost(name, r.ids[i])
		n.Span(int32(i), r.spans[i][0], r.spans[i][1])
	}
	for i, m := range messages {
		k := match.Key{A: uint64(i), Form: 1}
		n.Endpoint(match.Endpoint{Time: m.Sent, Host: m.From, Thread: -1, Direction: match.Send, Key: k}, nil)
		n.Endpoint(match.Endpoint{Time: m.Received, Host: m.To, Thread: -1, Direction: match.Receive, Key: k}, nil)
	}
	for i := range r.names {
		n.Done(int32(i), nil)
	}
	return n.Solution()
}

// Messages that are 200 ms late change nothing: not a digit of a line, not a ns of a map or a bound.
func TestOutliersDoNotMatter(t *testing.T) {
	r := simulated(t, "outliers", 3, length(30*time.Second))
	var all []match.Message
	s := r.network(network.Config{}, func(m match.Message) { all = append(all, m) }).Solution()
	var usual []match.Message
	for _, m := range all {
		if s.Hosts[m.To].Map.Reference(m.Received)-s.Hosts[m.From].Map.Reference(m.Sent) < 100_000_000 {
			usual = append(usual, m)
		}
	}
	late := len(all) - len(usual)
	with, without := r.again(all), r.again(usual)
	t.Logf("%d of %d messages are late", late, len(all))
	if late < 5 {
		t.Errorf("only %d messages are late", late)
	}
	for i := range with.Hosts {
		if !with.Hosts[i].Map.Equal(without.Hosts[i].Map) {
			t.Errorf("the map of %s is another without them", with.Hosts[i].Name)
		}
	}
	for i := range with.Links {
		a, b := &with.Links[i], &without.Links[i]
		if a.Class != hull.Accurate || a.Alpha.Cmp(b.Alpha) != 0 || a.Beta.Cmp(b.Beta) != 0 || a.ErrorMax != b.ErrorMax {
			t.Errorf("link %d-%d, %v: %s and %s", a.A, a.B, a.Class, a.Alpha.FloatString(20), b.Alpha.FloatString(20))
		}
	}
}

// length is how long a scenario is run: all of it, 0, with -scenarios.
func length(short time.Duration) time.Duration {
	if *scenarios != "" {
		return 0
	}
	return short
}

// Where three of ten packets are lost all links are accurate.
func TestLossLeavesLinksAccurate(t *testing.T) {
	r := simulated(t, "loss-30", 1, length(20*time.Second))
	s := r.network(network.Config{}, nil).Solution()
	for _, k := range s.Links {
		if k.Class != hull.Accurate {
			t.Errorf("link %s-%s is %v", s.Hosts[k.A].Name, s.Hosts[k.B].Name, k.Class)
		}
	}
	if v := r.judge(s); v.sampled == 0 || v.unbounded > 0 || v.outside > 0 {
		t.Errorf("%+v", v)
	}
}

// Two groups and a hermit are three components, each with a clock of its own; only the largest is synchronized.
func TestIslandsOfAScenario(t *testing.T) {
	r := simulated(t, "islands", 1, length(20*time.Second))
	s := r.network(network.Config{}, nil).Solution()
	size := make(map[int]int)
	for i, h := range s.Hosts {
		size[h.Component]++
		_, bounded := h.Map.Error((h.Begin + h.End) / 2)
		if own := h.Component == s.Hosts[s.Reference].Component; s.Unsynchronized(int32(i)) == own || bounded != (own || h.Reference != int32(i)) {
			t.Errorf("%s in component %d: unsynchronized %v, bounded %v", h.Name, h.Component, s.Unsynchronized(int32(i)), bounded)
		}
	}
	alone := 0
	for _, n := range size {
		if n == 1 {
			alone++
		}
	}
	if len(size) != 3 || alone != 1 {
		t.Errorf("components have %v hosts", size)
	}
	if v := r.judge(s); v.outside > 0 || v.failed > 0 {
		t.Errorf("%+v", v)
	}
}

// A host that is traced minutes later than the others is tied to them all the same, and bounded for all of its time.
func TestLateStart(t *testing.T) {
	r := simulated(t, "late-start", 1, length(time.Minute))
	s := r.network(network.Config{}, nil).Solution()
	first, last := int64(math.MaxInt64), int64(math.MinInt64)
	for _, h := range s.Hosts {
		first, last = min(first, h.Map.Reference(h.Begin)), max(last, h.Map.Reference(h.Begin))
		for _, at := range []int64{h.Begin, (h.Begin + h.End) / 2, h.End} {
			if _, ok := h.Map.Error(at); !ok || h.Component != 0 {
				t.Errorf("%s, component %d, has no bound", h.Name, h.Component)
			}
		}
	}
	if late := r.truth.End * 6 / 10; last-first < late {
		t.Errorf("the hosts begin within %d s, one should be %d s late", (last-first)/1e9, late/1e9)
	}
	if v := r.judge(s); v.outside > 0 || v.violations > 0 {
		t.Errorf("%+v", v)
	}
}

// A machine that reboots has two clocks, each with a rate of its own and bounded while it runs.
func TestReboot(t *testing.T) {
	for _, name := range []string{"reboot", "s9"} {
		r := simulated(t, name, 2, 0)
		s := r.network(network.Config{}, nil).Solution()
		twice := make(map[string][]float64)
		for _, h := range s.Hosts {
			for _, at := range []int64{h.Begin, (h.Begin + h.End) / 2, h.End} {
				if _, ok := h.Map.Error(at); !ok {
					t.Errorf("%s: %s has no bound", name, h.Name)
				}
			}
			base, _, _ := strings.Cut(h.Name, " (")
			twice[base] = append(twice[base], h.Map.Rate((h.Begin+h.End)/2))
		}
		found := false
		for host, rates := range twice {
			if len(rates) != 2 {
				continue
			}
			found = true
			// It ran 320 ppm faster or slower, not to a part in a thousand of that: what a minute can tell.
			if d := math.Abs(math.Abs(rates[1]-rates[0]) * 1e6); d < 200 || d > 450 {
				t.Errorf("%s: %s ran at %v", name, host, rates)
			}
		}
		if !found {
			t.Errorf("%s: nobody rebooted: %v", name, r.names)
		}
		if v := r.judge(s); v.outside > 0 || v.violations > 0 || v.failed > 0 {
			t.Errorf("%s: %+v", name, v)
		}
	}
}

// A room whose temperature swings by the hour, so that rates differ by five parts per million either
// way: no link fails, and the truth is never further off than three times the shortest delay of a message.
func TestThermalSwing(t *testing.T) {
	const text = `
scenario swing "Three machines of which one swings by 5 ppm within the hour"
duration 4h

host node-1
  clock offset=300ms rate=12 walk=0.0002 uptime=2d
  thermal amplitude=5 period=1h phase=0.1
host node-2
  clock offset=-11s rate=-31 walk=0.0002 uptime=5d
host node-3
  clock offset=90s rate=4 walk=0.0002 uptime=20d frequency=2893MHz

switch rack
link node-{1..3} rack propagation=8us rate=1Gbps queue=512KiB jitter=3us tail=0.3% tail_least=60us tail_alpha=1.6 tail_most=5ms

workload daemons activity=0.02
workload pingpong from=node-1 to=node-2 period=2s
workload pingpong from=node-2 to=node-3 period=2s
`
	path := filepath.Join(t.TempDir(), "swing.scenario")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r := simulated(t, path, 1, length(75*time.Minute))
	floor := int64(math.MaxInt64)
	err := truth.ReadMessages(r.dir, func(m *truth.Message) error {
		if m.Whole() && m.From != m.To {
			floor = min(floor, m.Received-m.Sent)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	s := r.network(network.Config{}, nil).Solution()
	v := r.judge(s)
	t.Logf("shortest delay %d ns; %d links, %+v", floor, len(s.Links), v)
	if v.sampled == 0 || v.unbounded > 0 || v.outside > 0 || v.failed > 0 || v.violations > 0 || v.worst > 3*floor {
		t.Errorf("shortest delay %d ns; %+v", floor, v)
	}
}

// Thousands of messages with delays alike in both directions say where in the middle of the bound the
// truth is: within a fiftieth of it.
func TestMessagesAgree(t *testing.T) {
	r := simulated(t, "s5", 1, length(5*time.Minute))
	s := r.network(network.Config{}, nil).Solution()
	v := r.judge(s)
	t.Logf("%+v", v)
	if v.outside > 0 || v.violations > 0 || v.median > 1000 || v.worst > v.bound/50 {
		t.Errorf("%+v", v)
	}
}
