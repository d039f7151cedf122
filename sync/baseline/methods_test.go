package baseline

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/sync/hull"
	"synchroscope/sync/network"
)

const second = 1_000_000_000

func sorted(messages []Constraint) []Constraint {
	slices.SortFunc(messages, func(p, q Constraint) int {
		return cmp.Or(cmp.Compare(p.At.X, q.At.X), cmp.Compare(p.At.Y, q.At.Y), cmp.Compare(p.Side, q.Side))
	})
	return messages
}

// dialogue is n questions and answers at random times within a span of true
// time, over clocks a and b; delay is asked for each direction.
func dialogue(r *rand.Rand, n int, span int64, a, b func(int64) int64, delay func(back bool) int64) *Link {
	l := &Link{A: 0, B: 1}
	for range n {
		l.exchange(r.Int64N(span), a, b, delay)
	}
	l.Messages = sorted(l.Messages)
	return l
}

// regular is the same at equal distances.
func regular(n int, span int64, a, b func(int64) int64, delay func(back bool) int64) *Link {
	l := &Link{A: 0, B: 1}
	for i := range n {
		l.exchange(span/int64(n)*int64(i), a, b, delay)
	}
	l.Messages = sorted(l.Messages)
	return l
}

func (l *Link) exchange(at int64, a, b func(int64) int64, delay func(back bool) int64) {
	there := at + delay(false)
	l.Messages = append(l.Messages, up(a(at), b(there)))
	answer := there + 20_000
	l.Messages = append(l.Messages, low(a(answer+delay(true)), b(answer)))
}

func linear(offset int64, ppm int64) func(int64) int64 {
	return func(t int64) int64 { return t + offset + t/1_000_000*ppm + t%1_000_000*ppm/1_000_000 }
}

// With equal delays in both directions there is nothing to disagree about.
func TestAllMethodsAgreeOnPerfectDelays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		offset := rapid.Int64Range(-3600, 3600).Draw(t, "offset") * second
		ppm := rapid.Int64Range(-200, 200).Draw(t, "ppm")
		delay := rapid.Int64Range(1000, 200_000).Draw(t, "delay")
		span := rapid.SampledFrom([]int64{10 * second, 120 * second}).Draw(t, "span")
		b := linear(offset, ppm)
		same := func(bool) int64 { return delay }
		l := regular(400, span, linear(0, 0), b, same)
		for _, m := range Methods() {
			tolerance := int64(5)
			switch m {
			case WindowCorrelated: // the outermost messages are not quite at the same places in both directions
				tolerance += delay / 1000
			case WindowIndependent:
				tolerance += 2 * delay
			case WindowReplace: // a window of three seconds knows little of other times
				tolerance += 2 * delay * max(1, span/(3*second))
			}
			e := m.Estimate(l, Config{})
			if e.Clock == nil {
				t.Fatalf("%v makes nothing of it", m)
			}
			for _, x := range []int64{span / 10, span / 2, span - span/10} {
				if off := e.Clock.Reference(x) - b(x); max(off, -off) > tolerance {
					t.Fatalf("%v is off by %d ns at %d", m, off, x)
				}
			}
		}
	})
}

// A clock that is set by a constant has an estimate that differs by it, to
// the ns; both clocks in half ns have one that is twice as large.
func TestShiftAndScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		jitter := func(bool) int64 { return 30_000 + int64(r.ExpFloat64()*20_000) }
		ppm := rapid.Int64Range(-200, 200).Draw(t, "ppm")
		l := dialogue(r, 100, 600*second, linear(0, 0), linear(0, ppm), jitter)
		by := rapid.Int64Range(-1e15, 1e15).Draw(t, "by")
		alike := func(m Method, c Config, what string, change func(x, y int64) (int64, int64)) {
			other := &Link{A: 0, B: 1}
			for _, p := range l.Messages {
				p.At.X, p.At.Y = change(p.At.X, p.At.Y)
				other.Messages = append(other.Messages, p)
			}
			e, f := m.Estimate(l, Config{}), m.Estimate(other, c)
			if e.Clock == nil || f.Clock == nil {
				t.Fatalf("%v, %s: %v, %v", m, what, e, f)
			}
			for _, x := range []int64{60 * second, 300 * second, 540 * second} {
				wantX, wantY := change(x, e.Clock.Reference(x))
				if off := f.Clock.Reference(wantX) - wantY; max(off, -off) > 3 {
					t.Fatalf("%v, %s: off by %d ns", m, what, off)
				}
			}
		}
		twice := Config{
			RoundTrip: RoundTripConfig{Segment: 3600 * second, Hold: 2 * second},
			Window:    WindowConfig{Length: 6 * second},
		}
		for _, m := range Methods() {
			alike(m, Config{}, "both shifted", func(x, y int64) (int64, int64) { return x + by, y + by })
			alike(m, twice, "scaled", func(x, y int64) (int64, int64) { return 2 * x, 2 * y })
			// The first window reaches from the earlier beginning to the later, as the clocks show them, so the
			// other modes see other windows.
			if m == RoundTrip || m == Regression || m == WindowCorrelated {
				alike(m, Config{}, "one shifted", func(x, y int64) (int64, int64) { return x, y + by })
				alike(m, Config{}, "the other shifted", func(x, y int64) (int64, int64) { return x + by, y })
			}
		}
	})
}

// A queue on one way pulls a regression by half of what it holds, and a hull not at all.
func TestQueuePullsRegressions(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	queued := func(back bool) int64 {
		d := 30_000 + int64(r.ExpFloat64()*1000)
		if !back && r.IntN(2) == 0 {
			d += 100_000
		}
		return d
	}
	l := dialogue(r, 2000, 600*second, linear(0, 0), linear(0, 0), queued)
	at := func(m Method) int64 { return m.Estimate(l, Config{}).Clock.Reference(300*second) - 300*second }
	if off := at(Regression); off < 20_000 || off > 30_000 {
		t.Errorf("the regression is off by %d ns, want 25000", off)
	}
	if off := at(WindowCorrelated); max(off, -off) > 2000 {
		t.Errorf("the hull is off by %d ns", off)
	}
}

// Times that no clock shows make no method panic, go on for ever, or give a clock that goes back.
func TestTimesOfNoClock(t *testing.T) {
	times := rapid.OneOf(rapid.Int64(), rapid.Int64Range(0, 1e12),
		rapid.SampledFrom([]int64{math.MinInt64, math.MinInt64 + 1, 0, math.MaxInt64 - 1, math.MaxInt64}))
	rapid.Check(t, func(t *rapid.T) {
		l := &Link{A: 0, B: 1}
		for range rapid.IntRange(1, 30).Draw(t, "messages") {
			p := up(times.Draw(t, "x"), times.Draw(t, "y"))
			p.Side = hull.Side(rapid.IntRange(0, 1).Draw(t, "side"))
			l.Messages = append(l.Messages, p)
		}
		l.Messages = sorted(l.Messages)
		for _, m := range Methods() {
			e := m.Estimate(l, Config{})
			if e.Clock == nil {
				continue
			}
			for i, k := range e.Clock.Knots()[1:] {
				if before := e.Clock.Knots()[i]; k.Local <= before.Local || k.Reference <= before.Reference {
					t.Fatalf("%v: knot %v follows %v", m, k, before)
				}
			}
		}
	})
}

func ExampleMethod_String() {
	for _, m := range Methods() {
		n, _ := ParseMethod(m.String())
		fmt.Println(n)
	}
	// Output:
	// roundtrip
	// regression
	// window-independent
	// window-replace
	// window-correlated
}

// How far a loop is from closing is what package network found of its own clocks: no other method is credited with it.
func TestLoopsAreNotTaken(t *testing.T) {
	s := newSet(linear(0, 0), linear(0, 0), linear(0, 0))
	for at := int64(0); at < 60*second; at += second / 10 {
		for i, k := range [][2]int32{{0, 1}, {1, 2}, {0, 2}} {
			begin := at + int64(i)*100_000
			s.send(k[0], k[1], begin, begin+30_000)
			s.send(k[1], k[0], begin+40_000, begin+70_000)
		}
	}
	own := s.done()
	known := func(k network.Link) bool { return k.Loop != nil }
	if !slices.ContainsFunc(own.Links, known) {
		t.Fatal("three links make no loop")
	}
	for _, m := range Methods() {
		if slices.ContainsFunc(Solve(own, s.messages.Links(), m, Config{}).Links, known) {
			t.Errorf("%v has a loop", m)
		}
	}
}
