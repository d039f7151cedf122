package traffic

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"synchroscope/sync/clock"
	"synchroscope/sync/match"
	"synchroscope/sync/network"
)

// A quantile is within a 32nd of the one of the sorted list, on either side of zero, and that one of few times; the buckets hold every time.
func TestSpreadAgainstAList(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, widest := range []int64{1, 40, 1000, 1 << 30, math.MaxInt64} {
		var s Spread
		var list []int64
		for n := range 999 {
			ns := random.Int64N(widest)
			if random.IntN(3) == 0 {
				ns = -ns
			}
			s.Add(ns)
			list = append(list, ns)
			if n < fine {
				sorted := slices.Sorted(slices.Values(list))
				if got := [...]int64{s.Quantile(0), s.Quantile(0.5), s.Quantile(1)}; got != [...]int64{sorted[0], sorted[n/2], sorted[n]} {
					t.Fatalf("quantiles of %v are %d", sorted, got)
				}
			}
		}
		slices.Sort(list)
		for _, share := range []float64{0, 0.25, 0.5, 0.99, 1} {
			want := list[min(int(share*999), 998)]
			got := s.Quantile(share)
			if off := math.Abs(float64(got) - float64(want)); off > math.Abs(float64(want))/32 {
				t.Errorf("the %g quantile of times to %d is %d, want %d", share, widest, got, want)
			}
		}
		i := 0
		for b := range s.Buckets {
			for range b.Count {
				if list[i] < b.Low || list[i] >= b.High && b.High != math.MaxInt64 {
					t.Fatalf("%d is in the bucket from %d to %d", list[i], b.Low, b.High)
				}
				i++
			}
		}
		if i != len(list) {
			t.Errorf("%d of %d times are in buckets", i, len(list))
		}
	}
}

// A message that is received before it is sent by no more than the error of both clocks is told apart from one that is so by more, as is one of clocks
// without a bound. While clocks are not final, those alone are told that are beyond a bound. Where the two hosts are compared directly, it is that error.
func TestReceivedBeforeSent(t *testing.T) {
	solution := func(final, bounded bool) *network.Solution {
		s := &network.Solution{Final: final, Reference: 0}
		for range 2 {
			m := clock.Identity()
			if bounded {
				var err error
				if m, err = m.WithBounds([][2]int64{{0, 30}, {1000, 30}}); err != nil {
					t.Fatal(err)
				}
			}
			s.Hosts = append(s.Hosts, network.Host{Map: m, Begin: 0, End: 1000})
		}
		return s
	}
	pairs := func(s *network.Solution) *network.Solution {
		m, err := clock.Identity().WithBounds([][2]int64{{0, 10}, {1000, 10}})
		if err != nil {
			t.Fatal(err)
		}
		s.Hosts[0].Name, s.Hosts[1].Name = "a", "b"
		return s.WithPairs([]network.Comparison{{From: &s.Hosts[0], To: &s.Hosts[1], Map: m}})
	}
	for _, x := range []struct {
		by               *network.Solution
		early            int64
		backward, beyond bool
	}{
		{nil, -1, false, false}, {nil, 1, true, true},
		{solution(true, true), -1, false, false}, {solution(true, true), 1, true, false}, {solution(true, true), 60, true, false}, {solution(true, true), 61, true, true},
		{solution(true, false), 1, true, true},
		{pairs(solution(true, true)), 11, true, false}, {pairs(solution(true, true)), 12, true, true}, {pairs(solution(true, false)), 11, true, false},
		{solution(false, true), 60, false, false}, {solution(false, true), 61, true, true}, {solution(false, false), 61, false, false},
	} {
		m := match.Message{From: 0, To: 1, Sent: 500, Received: 500 - x.early}
		p := Pass(x.by, m, m.Sent, m.Received)
		if p.Backward != x.backward || p.Beyond != x.beyond {
			t.Errorf("%d ns early: %v, beyond the error: %v, want %v and %v", x.early, p.Backward, p.Beyond, x.backward, x.beyond)
		}
		var pair Pair
		pair.Add(&p)
		if pair.Backward > 0 != x.backward || pair.Beyond > 0 != x.beyond {
			t.Errorf("%d ns early: a pair of %+v", x.early, pair)
		}
	}
}

func passage(sent, latency, bound int64) *Passage {
	return &Passage{Message: match.Message{From: 0, To: 1, Data: 10}, SentAt: sent, ReceivedAt: sent + latency, Error: bound, Related: true, Backward: latency < 0}
}

// The true median lies within the error of the one that is told, whatever the clocks were off within their bounds,
// also where these are closer than the buckets are wide.
func TestMedianIsBounded(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for i := range 200 {
		var p Pair
		var truth []int64
		off := random.Float64()*2 - 1
		closest := []int64{0, 1000}[i%2]
		for i := range int64(201) {
			bound := closest + 10*i*closest/1000
			latency := 20_000 + random.Int64N(5000)
			truth = append(truth, latency+int64(off*float64(bound)))
			p.Add(passage(i, latency, bound))
		}
		slices.Sort(truth)
		median, bound, known := p.Median()
		if !known || truth[100] < median-bound || truth[100] > median+bound {
			t.Fatalf("median %d ± %d, the true one is %d", median, bound, truth[100])
		}
	}
	var p Pair
	p.Add(passage(0, 10, 5))
	p.Add(passage(0, -20, -1))
	if median, bound, known := p.Median(); median != -5 || bound != -1 || !known || p.Backward != 1 || p.Messages != 2 || p.Bytes != 20 || p.Least != -20 || p.Most != 10 {
		t.Errorf("median %d ± %d (%v) of %+v", median, bound, known, p)
	}
	p = Pair{}
	p.Add(&Passage{SentAt: 1, ReceivedAt: 0})
	if _, _, known := p.Median(); known || p.Messages != 1 || p.Least != 0 {
		t.Errorf("hosts that nothing relates have a latency: %+v", p)
	}
}

// Where a pair has all messages that the synchronization measured, or a sample of, its median is the one that the synchronization tells, and the
// error is as much greater as that may be off; of other messages, and by other clocks, it is the pair's own.
func TestMedianIsThatOfTheSynchronization(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for _, messages := range []int{600, 12_000} {
		n := network.New(network.Config{})
		n.AddHost("a", "a")
		n.AddHost("b", "b")
		var all []match.Message
		for i := range messages {
			from, at, way := int32(i&1), int64(i)*10_000_000, 50_000+int64(random.ExpFloat64()*80_000)
			k := match.Key{Protocol: 6, Form: 1, A: uint64(i)}
			hear := func(m match.Message) { all = append(all, m) }
			n.Endpoint(match.Endpoint{Time: at, Host: from, Key: k}, hear)
			n.Endpoint(match.Endpoint{Time: at + way, Host: 1 - from, Direction: match.Receive, Key: k}, hear)
		}
		s := n.Solution()
		var pairs, part [2]Pair
		var exact [2][]int64
		for i, m := range all {
			p := Pass(s, m, s.Hosts[m.From].Map.Reference(m.Sent), s.Hosts[m.To].Map.Reference(m.Received))
			pairs[m.From].Add(&p)
			exact[m.From] = append(exact[m.From], p.Latency())
			if i > 1 {
				part[m.From].Add(&p)
			}
		}
		for from := range int32(2) {
			told := s.Links[0].Latency[from]
			ns, err, known := pairs[from].MedianBy(s, from, 1-from)
			if !known || ns != told.Median || told.Of == 0 {
				t.Errorf("%d messages: the median is %d, and the synchronization says %+v", messages, ns, told)
			}
			slices.Sort(exact[from])
			if middle := trueMedian(exact[from]); middle < ns-err || middle > ns+err || err > ns {
				t.Errorf("%d messages: the median is %d ± %d, the true one %d", messages, ns, err, middle)
			}
			for _, by := range []*network.Solution{nil, s} {
				own, _, _ := part[from].Median()
				if ns, _, _ := part[from].MedianBy(by, from, 1-from); ns != own {
					t.Errorf("%d messages but one: the median is %d, by itself %d", messages, ns, own)
				}
			}
		}
	}
}

// Few messages are dots each; many are counted in cells, none lost, no more dots than the limit, and the same in any order.
func TestCloud(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	var all []*Passage
	for range 5000 {
		p := passage(random.Int64N(1_000_000), random.Int64N(300_000)-10_000, 0)
		if random.IntN(2) == 0 {
			p.From, p.To = 1, 0
		}
		all = append(all, p)
	}
	few := NewCloud(0, 1_000_000, 100, 400)
	for _, p := range all[:300] {
		few.Add(p)
	}
	if dots := few.Dots(); !few.Single() || len(dots) != 300 || !slices.IsSortedFunc(dots, Dot.compare) {
		t.Errorf("300 messages are %d dots", len(dots))
	}
	var want []Dot
	for range 3 {
		c := NewCloud(1000, 990_000, 100, 400) // a few are sent before and after
		for _, p := range all {
			c.Add(p)
		}
		if begin, end, wide := c.Cells(); begin != 1000 || end != 990_000 || wide < 9890 || wide%9890 != 0 {
			t.Errorf("cells of %d from %d to %d", wide, begin, end)
		}
		dots, n := c.Dots(), int64(0)
		for _, d := range dots {
			n += d.Count
		}
		if c.Single() || n != 5000 || len(dots) > 400 || len(dots) < 100 {
			t.Errorf("%d dots of %d messages", len(dots), n)
		}
		if want != nil && !slices.Equal(dots, want) {
			t.Error("the dots depend on the order")
		}
		want = dots
		random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	}
}
