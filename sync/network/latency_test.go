package network_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"synchroscope/sync/match"
	"synchroscope/sync/network"
)

// Latencies of both directions are in every version, while messages still come and clocks bend: to the ns as long as there
// are no more than 4096 messages, and from then on of a sample. What is called the shortest is the shortest within
// what the windows of a link leave out, the median has between 46 and 54 of 100 messages below it and the
// 99th percentile between 98 and 99.8.
func TestLatencies(t *testing.T) {
	const second = 1_000_000_000
	dice := rand.New(rand.NewPCG(5, 6))
	for name, bend := range map[string]float64{"lines": 0, "curves": 3e6} {
		t.Run(name, func(t *testing.T) {
			n := network.New(network.Config{})
			n.AddHost("a", "a")
			n.AddHost("b", "b")
			clock := func(host int32, at int64) int64 {
				if host == 0 {
					return at
				}
				return at + 7*second + at/20_000 + int64(bend*math.Sin(float64(at)/60e9))
			}
			var told [2][]match.Message
			hear := func(m match.Message) { told[m.From] = append(told[m.From], m) }
			at := int64(0)
			version := int64(0)
			for i := range 20_000 {
				at += dice.Int64N(20_000_000)
				from := int32(i & 1)
				way := 50_000 + int64(dice.ExpFloat64()*80_000)
				if i == 6000 || i == 6001 {
					way = 20_000 // much shorter than any other
				}
				k := match.Key{Protocol: 6, Form: 1, A: uint64(i)}
				n.Endpoint(match.Endpoint{Time: clock(from, at), Host: from, Key: k}, hear)
				n.Endpoint(match.Endpoint{Time: clock(1-from, at+way), Host: 1 - from, Direction: match.Receive, Key: k}, hear)
				if i != 3 && i != 19 && i != 1000 && i != 8000 && i != 19_999 {
					continue
				}
				s := n.Solution()
				if s.Version <= version {
					t.Fatalf("version %d after %d", s.Version, version)
				}
				version = s.Version
				for from := range int32(2) {
					checkLatency(t, s, s.Links[0].Latency[from], told[from])
				}
			}
		})
	}
}

// shortestOf is the first of sorted times that so many of a hundred are not longer than, found by counting.
func shortestOf(times []int64, hundredths int) int64 {
	for _, ns := range times {
		n := 0
		for _, other := range times {
			if other <= ns {
				n++
			}
		}
		if n*100 >= hundredths*len(times) {
			return ns
		}
	}
	return -1
}

// Of two, three or ten messages 99 of a hundred are no longer than the longest alone.
func TestWithin(t *testing.T) {
	var times []int64
	for i := range int64(300) {
		times = append(times, 10*i)
		for _, hundredths := range []int{1, 50, 90, 95, 99, 100} {
			if got, want := network.Within(times, hundredths), shortestOf(times, hundredths); got != want {
				t.Errorf("%d of a hundred of %d times are within %d, want %d", hundredths, len(times), got, want)
			}
		}
	}
}

// checkLatency holds what a solution says of one direction against all its messages.
func checkLatency(t *testing.T, s *network.Solution, got network.Latency, messages []match.Message) {
	t.Helper()
	var delays []int64
	for _, m := range messages {
		delays = append(delays, s.Hosts[m.To].Map.Reference(m.Received)-s.Hosts[m.From].Map.Reference(m.Sent))
	}
	slices.Sort(delays)
	n := len(delays)
	if n <= 4096 {
		want := network.Latency{Min: delays[0], Median: delays[(n-1)/2] + (delays[n/2]-delays[(n-1)/2])/2, P99: shortestOf(delays, 99), Of: n}
		if got != want {
			t.Errorf("%+v of %d messages, want %+v", got, n, want)
		}
		return
	}
	part := func(v int64) float64 {
		at, _ := slices.BinarySearch(delays, v)
		return float64(at) / float64(n)
	}
	if got.Min-delays[0] > 2000 || got.Min < delays[0] {
		t.Errorf("the shortest of %d delays is %d, not %d", n, delays[0], got.Min)
	}
	if p := part(got.Median); p < 0.46 || p > 0.54 {
		t.Errorf("%d is not the median of %d delays: %.3f are below", got.Median, n, p)
	}
	if p := part(got.P99); p < 0.98 || p > 0.998 {
		t.Errorf("%d is not the 99th percentile of %d delays: %.4f are below", got.P99, n, p)
	}
}
