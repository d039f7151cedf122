package traffic

import (
	"math/rand/v2"
	"slices"
	"testing"

	"synchroscope/sync/match"
)

// trueMedian is that of a sorted list, rounded down to a ns.
func trueMedian(sorted []int64) int64 {
	return mean(sorted[(len(sorted)-1)/2], sorted[len(sorted)/2])
}

// The median is as far off as it says at most, between the least and the greatest latency, and off by no more than a share of how far latencies spread, however far
// clocks are apart; of up to 1024 messages it is exact, and of an even number the mean of the two in the middle. It is the same in any order.
func TestMedianAgainstASort(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	shapes := map[string]func() int64{
		"even":      func() int64 { return random.Int64N(25e6) },
		"long tail": func() int64 { return 50_000 + int64(random.ExpFloat64()*400_000) },
		"two heaps": func() int64 { return 100_000 + random.Int64N(2)*2e9 + random.Int64N(50_000) },
		"few times": func() int64 { return 1000 * random.Int64N(9) },
	}
	for name, shape := range shapes {
		for _, apart := range []int64{0, 7e9, -7e9, -3600e9, 1 << 60} {
			for _, messages := range []int{1, 2, 5, 6, 255, 256, 257, 1000, 1024, 1025, 2400, 9999, 10_000} {
				var list []int64
				for range messages {
					list = append(list, apart+shape())
				}
				var p, other Pair
				for i, ns := range list {
					p.Add(passage(int64(i), ns, -1))
				}
				slices.Sort(list)
				for i, ns := range list {
					other.Add(passage(int64(i), ns, -1))
				}
				want := trueMedian(list)
				got, _, _ := p.Median()
				off, bound := max(got-want, want-got), p.Rounding(got)
				// Gaps between the heaps are not told apart where the median is the mean across them: that is exact of the buckets on both sides.
				spread := list[len(list)-1] - list[0]
				if off > bound || got < list[0] || got > list[len(list)-1] || bound > spread/500 || messages <= fine && off != 0 {
					t.Errorf("%s, %d messages, %d ns apart: the median is %d ± %d in %d to %d, want %d", name, messages, apart, got, bound, list[0], list[len(list)-1], want)
				}
				if again, _, _ := other.Median(); again != got || other.Rounding(again) != bound {
					t.Errorf("%s, %d messages, %d ns apart: the median is %d ± %d, in another order %d ± %d", name, messages, apart, got, bound, again, other.Rounding(again))
				}
			}
		}
	}
}

// By clocks that are wrong within their bounds the mean of the two in the middle is within the error that is told, too.
func TestMedianOfAnEvenNumberIsBounded(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 14))
	for _, messages := range []int{2, 6, 300, 4000} {
		for range 50 {
			var p Pair
			var truth []int64
			for i := range messages {
				bound := random.Int64N(400_000)
				latency := 300_000 + random.Int64N(2)*int64(1e6) + random.Int64N(700_000)
				truth = append(truth, latency+int64((random.Float64()*2-1)*float64(bound)))
				p.Add(passage(int64(i), latency, bound))
			}
			slices.Sort(truth)
			want := trueMedian(truth)
			if got, bound, _ := p.Median(); want < got-bound || want > got+bound {
				t.Fatalf("%d messages: the median is %d ± %d, the true one %d", messages, got, bound, want)
			}
		}
	}
	var p Pair
	for i, ns := range []int64{100, 200, 534, 2094, 3000, 4000} {
		p.Add(passage(int64(i), ns, 10))
	}
	if got, bound, _ := p.Median(); got != 1314 || bound != 10 {
		t.Errorf("the median is %d ± %d, want 1314 ± 10", got, bound)
	}
}

// A far clock's latencies are in buckets of a share of how far they spread, not of how far the clock is; those close to zero in such as suit a logarithmic axis.
func TestBucketsAreOfTheSpread(t *testing.T) {
	random := rand.New(rand.NewPCG(15, 16))
	for _, apart := range []int64{7e9, -7e9, -12e6} {
		var s Spread
		for range 5000 {
			s.Add(apart + random.Int64N(25e6))
		}
		held := int64(0)
		for b := range s.Buckets {
			held += b.Count
			if b.High-b.Low > 25e6/500 {
				t.Fatalf("%d ns apart there is a bucket from %d to %d", apart, b.Low, b.High)
			}
		}
		if held != 5000 {
			t.Errorf("%d of 5000 times are in buckets", held)
		}
	}
	var s Spread
	for range 5000 {
		s.Add(1000 + random.Int64N(25e6))
	}
	for b := range s.Buckets {
		if b.High-b.Low > b.Low/30 {
			t.Fatalf("there is a bucket from %d to %d", b.Low, b.High)
		}
	}
}

// The more pairs there are the fewer buckets each has: a matrix of many takes no more than a share of the memory, in whatever order they come, and tells how much
// coarser it is.
func TestManyPairsShareTheMemory(t *testing.T) {
	random := rand.New(rand.NewPCG(17, 18))
	const hosts = 70
	type sent struct {
		from, to int32
		latency  int64
	}
	var all []sent
	for from := range int32(hosts) {
		for to := range int32(hosts) {
			for range 40 {
				if from != to {
					all = append(all, sent{from, to, 7e9 + random.Int64N(5e6)})
				}
			}
		}
	}
	for range 2000 {
		all = append(all, sent{0, 1, 7e9 + random.Int64N(5e6)})
	}
	var exact []int64
	for _, x := range all {
		if x.from == 0 && x.to == 1 {
			exact = append(exact, x.latency)
		}
	}
	slices.Sort(exact)
	want := trueMedian(exact)
	medians := make(map[int64]bool)
	for range 2 {
		var m Matrix
		for _, x := range all {
			m.Add(&Passage{Message: match.Message{From: x.from, To: x.to}, ReceivedAt: x.latency, Error: -1, Related: true})
		}
		p := m.Pairs[[2]int32{0, 1}]
		if got := len(p.Latency.even.buckets); got > 128 || got < 32 || len(m.Pairs) != hosts*(hosts-1) {
			t.Errorf("of %d pairs one has %d buckets", len(m.Pairs), got)
		}
		got, _, _ := p.Median()
		if bound := p.Rounding(got); max(got-want, want-got) > bound || bound > 5e6/50 {
			t.Errorf("the median is %d ± %d, want %d", got, bound, want)
		}
		bytes := 0
		for _, p := range m.Pairs {
			bytes += pairBytes + p.bytes()
		}
		if m.Bytes() != bytes {
			t.Errorf("%d bytes, want %d", m.Bytes(), bytes)
		}
		medians[got] = true
		random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	}
	if len(medians) != 1 {
		t.Errorf("the median depends on the order: %v", medians)
	}
}
