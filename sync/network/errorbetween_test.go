package network_test

import (
	"slices"
	"sort"
	"testing"
	"time"

	"synchroscope/simulate/clock"
	"synchroscope/simulate/scenario"
	"synchroscope/simulate/truth"
	"synchroscope/sync/match"
	"synchroscope/sync/network"
)

// instant is the true time at which a clock showed a local one; ok is false where the samples on both sides are not of one steady stretch.
func instant(samples []truth.Sample, local int64) (at int64, ok bool) {
	i := sort.Search(len(samples), func(i int) bool { return samples[i].Local >= local && !samples[i].Down })
	if i == 0 || i == len(samples) || !steady(samples, i) {
		return 0, false
	}
	a, b := samples[i-1], samples[i]
	return a.True + int64(float64(local-a.Local)*float64(b.True-a.True)/float64(b.Local-a.Local)), local >= a.Local
}

// shows is what a clock showed at a true time.
func shows(samples []truth.Sample, at int64) (local int64, ok bool) {
	i := sort.Search(len(samples), func(i int) bool { return samples[i].True >= at })
	if i == 0 || i == len(samples) || !steady(samples, i) {
		return 0, false
	}
	a, b := samples[i-1], samples[i]
	return a.Local + int64(float64(at-a.True)*float64(b.Local-a.Local)/float64(b.True-a.True)), true
}

// steady reports whether a clock that runs is not set between a sample and the one before.
func steady(samples []truth.Sample, i int) bool {
	a, b := samples[i-1], samples[i]
	passed, shown := b.True-a.True, b.Local-a.Local
	return !a.Down && !b.Down && max(shown-passed, passed-shown) <= passed/500
}

// A passing is a message as a solution with pairs has it.
type passing struct {
	match.Message
	latency int64 // in reference time
	bound   int64
	sum     int64 // of both bounds to the reference
}

// passings are those of all messages with a bound.
func passings(s *network.Solution, messages []match.Message) (list []passing) {
	for _, m := range messages {
		bound, ok := s.ErrorBetween(m.From, m.To, m.Sent, m.Received)
		if !ok {
			continue
		}
		p := passing{Message: m, bound: bound, sum: -1}
		p.latency = s.Hosts[m.To].Map.Reference(m.Received) - s.Hosts[m.From].Map.Reference(m.Sent)
		a, known := s.Error(m.From, m.Sent)
		if b, both := s.Error(m.To, m.Received); known && both {
			p.sum = a + b
		}
		list = append(list, p)
	}
	return list
}

// paired is a recording's solution with the comparisons of its pairs, and its messages.
func paired(t *testing.T, r *recording) (*network.Solution, []match.Message, *network.Comparer) {
	t.Helper()
	told := make(map[match.Message]bool)
	n := r.network(network.Config{}, func(m match.Message) {
		retracted := m.Retracted
		if m.Retracted = false; retracted {
			delete(told, m)
		} else {
			told[m] = true
		}
	})
	s := n.Solution()
	x, err := n.Constraints().Comparer(network.Config{})
	if err != nil {
		t.Fatal(err)
	}
	pairs, err := x.Compare(x.Linked()...)
	if err != nil {
		t.Fatal(err)
	}
	var messages []match.Message
	for m := range told {
		messages = append(messages, m)
	}
	return s.WithPairs(pairs), messages, x
}

// How long a message was on its way is as far from the truth as its bound says, at most, for every message: where the
// clocks keep their rates, where these wander or are set, where clocks are set, where they tick, and on islands. No bound is wider than what both
// clocks have to the reference, and that is what it is where one of them is the reference.
func TestErrorBetween(t *testing.T) {
	step := func(host int, at, by int64) func(*scenario.Scenario) {
		return func(s *scenario.Scenario) { s.Hosts[host].Clock.Steps = []clock.Step{{At: at, By: by}} }
	}
	wander := func(s *scenario.Scenario) {
		for i := range s.Hosts {
			s.Hosts[i].Clock.Walk = 0.05
			s.Hosts[i].Clock.Thermal = []clock.Wave{{Amplitude: 20, Period: 20e9, Phase: float64(i) / 8}}
		}
	}
	late := func(step func(*scenario.Scenario)) func(*scenario.Scenario) {
		return func(s *scenario.Scenario) {
			for i := range s.Links {
				s.Links[i].Out.Outliers, s.Links[i].Back.Outliers = 0.05, 0.05 // 200 ms late, so that clocks are set while messages are on their way
			}
			step(s)
		}
	}
	for _, c := range []struct {
		name     string
		duration time.Duration
		alter    func(*scenario.Scenario)
	}{
		{"chain-8", 4 * time.Second, nil},
		{"chain-8", 20 * time.Second, wander},
		{"s2", 20 * time.Minute, nil},
		{"islands", 5 * time.Second, nil},
		{"web", 3 * time.Second, everySecond(1_000_000)},
		{"chain-8", 12 * time.Second, step(6, 8e9, 3_000_000)},
		{"chain-8", 12 * time.Second, step(3, 8e9, -700_000)},
		{"outliers", 8 * time.Second, late(step(0, 4e9, 50_000_000))},
		{"outliers", 8 * time.Second, late(step(1, 4e9, 5_000_000))},
		{"outliers", 8 * time.Second, late(step(2, 4e9, -5_000_000))},
		{"outliers", 8 * time.Second, late(step(1, 4e9, 150_000))},
		{"web", 12 * time.Second, step(1, 8e9, 700_000_000)},
	} {
		for seed := range uint64(*seeds) {
			r := simulated(t, c.name, seed+1, c.duration, func(s *scenario.Scenario) {
				if c.alter != nil {
					c.alter(s)
				}
			})
			s, messages, _ := paired(t, r)
			checked, nearer := 0, 0
			for _, p := range passings(s, messages) {
				reference := s.Hosts[p.From].Reference
				if p.sum >= 0 && p.bound > p.sum || p.bound != p.sum && (p.From == reference || p.To == reference) {
					t.Errorf("%s, seed %d: %+v is wider than the sum, or not it to the reference", c.name, seed+1, p)
				}
				if p.sum < 0 || p.bound < p.sum/2 {
					nearer++
				}
				sent, ok1 := instant(r.clocks[p.From], p.Sent)
				received, ok2 := instant(r.clocks[p.To], p.Received)
				from, ok3 := shows(r.clocks[reference], sent)
				to, ok4 := shows(r.clocks[reference], received)
				if !ok1 || !ok2 || !ok3 || !ok4 {
					continue
				}
				checked++
				off := p.latency - (to - from)
				off = max(off, -off)
				for _, set := range r.truth.Hosts[slices.IndexFunc(r.truth.Hosts, func(h truth.Host) bool { return h.Name == s.Hosts[reference].Name })].Clock.Steps { // what passed is the truth then, and what the reference showed is one as well
					if sent < set.At && set.At <= received {
						off = min(off, max(p.latency-(to-from-set.By), to-from-set.By-p.latency))
					}
				}
				if off > p.bound+10 {
					t.Errorf("%s, seed %d: %+v is off by %d", c.name, seed+1, p, off)
				}
			}
			pieces := 0
			for i := range s.Hosts {
				pieces = max(pieces, len(s.Hosts[i].Map.Knots())-1)
			}
			t.Logf("%s, seed %d: %d messages, %d checked, of %d the bound is less than half of the sum; up to %d pieces", c.name, seed+1, len(messages), checked, nearer, pieces)
		}
	}
}

// In a chain the ends are far from the reference, and neighbours know each other well: the error of their messages is that of
// the comparison of the two, and little more.
func TestErrorBetweenNeighbours(t *testing.T) {
	for seed := range uint64(3) {
		r := simulated(t, "chain-8", seed+1, 4*time.Second)
		s, messages, x := paired(t, r)
		all, err := x.Compare(x.Linked()...)
		if err != nil {
			t.Fatal(err)
		}
		nearer := 0
		for _, c := range all {
			var bounds, sums []int64
			for _, p := range passings(s, messages) {
				if from, to := s.Hosts[p.From].Name, s.Hosts[p.To].Name; from == c.From.Name && to == c.To.Name || from == c.To.Name && to == c.From.Name {
					bounds, sums = append(bounds, p.bound), append(sums, p.sum)
				}
			}
			slices.Sort(bounds)
			slices.Sort(sums)
			median, sum := bounds[len(bounds)/2], sums[len(sums)/2]
			told := c.Report().Error
			if median < int64(told.Min) || median > int64(told.Max)+10_000 {
				t.Errorf("seed %d: %s and %s are told ±%d, the comparison says %+v", seed+1, c.From.Name, c.To.Name, median, *told)
			}
			if median < sum/2 {
				nearer++
			}
			t.Logf("seed %d: %s and %s: ±%d, the sum is %d, the comparison says %+v", seed+1, c.From.Name, c.To.Name, median, sum, *told)
		}
		if nearer < 4 {
			t.Errorf("seed %d: of %d pairs %d are known better than by the sum", seed+1, len(all), nearer)
		}
	}
}

// How well two hosts are known against each other is the same whoever of the two is asked about first: by their comparison where one was told,
// by the map of the other to the reference where one of them is that, and else not.
func TestKnown(t *testing.T) {
	r := simulated(t, "chain-8", 1, 4*time.Second)
	s, _, _ := paired(t, r)
	bare := s.WithPairs(nil)
	told, referred, unknown := 0, 0, 0
	for a := range int32(len(s.Hosts)) {
		for b := range a {
			least, median, most, ok := s.Known(a, b)
			x, y, z, both := s.Known(b, a)
			if x != least || y != median || z != most || both != ok || ok && (least > median || median > most) {
				t.Errorf("%d and %d: %d, %d, %d, %t; the other way %d, %d, %d, %t", a, b, least, median, most, ok, x, y, z, both)
			}
			_, _, _, without := bare.Known(a, b)
			switch reference := s.Hosts[a].Reference == b || s.Hosts[b].Reference == a; {
			case reference != without:
				t.Errorf("%d and %d, of which one is the reference: %t; without comparisons known: %t", a, b, reference, without)
			case reference:
				referred++
			case ok:
				told++
			default:
				unknown++
			}
		}
	}
	if told == 0 || referred == 0 {
		t.Errorf("%d pairs are known by a comparison, %d by the reference, %d not", told, referred, unknown)
	}
}
