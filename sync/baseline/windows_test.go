package baseline

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/sync/hull"
)

// Figure 3.3 of the thesis: clocks that begin at 600 and at 800 s, windows of
// 3 s. The first is from 600 to 803, of which the first clock is read to
// 803 and the second to 803; the next ends at 806 of the second, and so on: as many as
// there are times 3 s in the second's recording, and none is lost.
func TestFirstWindowIsTheLargest(t *testing.T) {
	var messages []Constraint
	for at := int64(0); at < 30*second; at += second / 2 {
		x, y := 600*second+at, 800*second+at
		messages = append(messages, up(x, y+1000), low(x+3000, y+2000))
	}
	e, count := Windows(linkOf(messages...), Independent, WindowConfig{Length: 3 * second})
	if count.Windows != 10 || count.Accurate != 10 || count.Changed != 10 {
		t.Errorf("%+v, want 10 windows", count)
	}
	if off := e.Clock.Reference(615*second) - 815*second; off != 0 {
		t.Errorf("off by %d ns", off)
	}
}

// Replace ends with the narrowest of the windows, Correlated with the hull of
// all messages; neither depends on anything that came after it.
func TestWhatWindowsKeep(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		jitter := func(bool) int64 { return 30_000 + int64(r.ExpFloat64()*20_000) }
		l := dialogue(r, rapid.IntRange(20, 400).Draw(t, "messages"), 60*second, linear(0, 0), linear(5*second, 30), jitter)
		var all hull.Hull
		for _, m := range l.Messages {
			all.Add(m.Side, m.At)
		}
		e, count := Windows(l, Correlated, WindowConfig{})
		choice, _ := all.Choose()
		want, _ := choice.Alpha.Float64()
		got, _ := e.Alpha.Float64()
		if max(got-want, want-got) > 1e-15 || count.Changed > count.Windows {
			t.Fatalf("carried along: slope %.17g, of all messages %.17g; %+v", got, want, count)
		}
		// Windows of nearly equal clocks can be told apart by A's time alone.
		if a := accuracy(&all); e.Weight > a*1.000001 {
			t.Fatalf("%g wide, all messages allow %g", e.Weight, a)
		}
		replaced, n := Windows(l, Replace, WindowConfig{})
		if n.Accurate > 0 && replaced.Weight < e.Weight {
			t.Fatalf("one window is narrower than all together: %g, %g", replaced.Weight, e.Weight)
		}
		single, one := Windows(l, Replace, WindowConfig{Length: 1000 * second})
		if one.Windows != 1 || single.Weight != e.Weight {
			t.Fatalf("one window for all: %+v, %g, want %g", one, single.Weight, e.Weight)
		}
	})
}

// Clocks that are days apart, a silence of years: no window is lost, and it takes no time.
func TestWindowsAcrossSilence(t *testing.T) {
	const year = 365 * 24 * 3600 * second
	var messages []Constraint
	for _, at := range []int64{0, second, 2 * second, 100 * year, 100*year + second} {
		messages = append(messages, up(at, at+year+1000), low(at+3000, at+year+2000))
	}
	for _, m := range []Mode{Independent, Replace, Correlated} {
		e, count := Windows(linkOf(messages...), m, WindowConfig{})
		if e.Clock == nil || count.Windows < 2 || count.Windows > 6 {
			t.Errorf("mode %d: %+v, clock %v", m, count, e.Clock)
		}
	}
}
