package hull

import (
	"math/rand/v2"
	"testing"
)

// pair is ten minutes of two hosts: a message one way or the other about so often, delays
// from a floor of 40 µs on with a tail, of spread ns in the mean, crystals that keep their rates.
func pair(seed uint64, every int64, spread float64) []message {
	const second = int64(1_000_000_000)
	r := rand.New(rand.NewPCG(seed, 3))
	offset, ppm := r.Int64N(20*second), r.Int64N(100)-50
	clock := func(x int64) int64 { return 1<<60 + x + offset + x/1_000_000*ppm }
	var list []message
	for x := int64(0); x < 600*second; x += every/2 + r.Int64N(every) {
		delay := 40_000 + int64(r.ExpFloat64()*spread)
		if r.IntN(2) == 0 {
			list = append(list, message{Upper, Point{1<<60 + x, clock(x + delay)}})
		} else {
			list = append(list, message{Lower, Point{1<<60 + x + delay, clock(x)}})
		}
	}
	return list
}

// Of ten busy minutes one message in a hundred narrows the lines at most, all others cost a test
// each; a hull has ten points at most in the mean, however many messages there are. The
// number that pass grows with the root of all, and with that of the floor of delays by their spread. So it is one in a hundred, too, at 18 ms,
// as in the experiment of the thesis (3.7.2), where delays spread over ten times the floor.
func TestFewMessagesPass(t *testing.T) {
	for _, c := range []struct {
		every        int64
		spread, most float64
	}{{2_000_000, 60_000, 0.01}, {10_000_000, 60_000, 0.02}, {50_000_000, 60_000, 0.04}, {18_000_000, 400_000, 0.01}} {
		var messages, passed, points, hulls int
		for seed := range uint64(20) {
			var h Hull
			for _, m := range pair(seed, c.every, c.spread) {
				h.Add(m.side, m.p)
				messages++
				points += len(h.ceiling) + len(h.floor)
				hulls += 2
			}
			passed += h.Accurate()
		}
		share, size := float64(passed)/float64(messages), float64(points)/float64(hulls)
		t.Logf("a message each %d ms, delays spread over %.0f µs: %.3f %% of %d pass, hulls have %.1f points", c.every/1_000_000, c.spread/1e3, 100*share, messages, size)
		if share > c.most || size > 10 {
			t.Errorf("a message each %d ms, delays spread over %.0f µs: %.2f %% pass, hulls have %.1f points", c.every/1_000_000, c.spread/1e3, 100*share, size)
		}
	}
}

// An estimate with a bound begins with the first message that makes one possible: the third, if
// it is one of two that enclose one of the other direction, and always with the second of both directions by turns.
func TestFirstEstimate(t *testing.T) {
	var h Hull
	for i, m := range []message{
		{Upper, Point{1000, 1050}}, {Lower, Point{1100, 1060}}, {Upper, Point{9000, 9050}}, {Lower, Point{9100, 9060}},
	} {
		h.Add(m.side, m.p)
		if (h.Class() == Accurate) != (i >= 2) {
			t.Errorf("after %d messages the class is %v", i+1, h.Class())
		}
	}
}
