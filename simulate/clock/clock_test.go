package clock

import (
	"math"
	"math/bits"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/simulate/chance"
	"synchroscope/trace/ctf/schema"
)

// anySpec draws a clock that has some of everything within a quarter of an hour.
func anySpec(back bool) *rapid.Generator[Spec] {
	return rapid.Custom(func(t *rapid.T) Spec {
		s := Spec{
			Offset:     rapid.Int64Range(-10*day, 10*day).Draw(t, "offset"),
			Rate:       rapid.Float64Range(-500, 500).Draw(t, "rate"),
			Ageing:     rapid.Float64Range(-5, 5).Draw(t, "ageing"),
			Walk:       rapid.SampledFrom([]float64{0, 1e-6, 0.001, 0.1}).Draw(t, "walk"),
			Resolution: rapid.SampledFrom([]int64{0, 1, 100, 4_000_000}).Draw(t, "resolution"),
			Frequency:  rapid.SampledFrom([]uint64{0, second, 2_893_201_000, 3_290_000_000, 999_000_000, 24_000_000, 1000}).Draw(t, "frequency"),
			Uptime:     rapid.Int64Range(0, 40*day).Draw(t, "uptime"),
		}
		for range rapid.IntRange(0, 2).Draw(t, "waves") {
			s.Thermal = append(s.Thermal, Wave{rapid.Float64Range(-2, 2).Draw(t, "amplitude"),
				rapid.Int64Range(second, day).Draw(t, "period"), rapid.Float64Range(0, 1).Draw(t, "phase")})
		}
		at := int64(0)
		low := int64(0)
		if back {
			low = -3 * second
		}
		for range rapid.IntRange(0, 3).Draw(t, "steps") {
			at += rapid.Int64Range(0, 300*second).Draw(t, "after")
			s.Steps = append(s.Steps, Step{at, rapid.Int64Range(low, 3*second).Draw(t, "by")})
		}
		at = 0
		for range rapid.IntRange(0, 2).Draw(t, "reboots") {
			at += rapid.Int64Range(1, 300*second).Draw(t, "after")
			r := Reboot{at, rapid.Int64Range(1, 30*second).Draw(t, "down"), rapid.Int64Range(-second, second).Draw(t, "set"), rapid.Float64Range(-320, 320).Draw(t, "measured")}
			s.Reboots = append(s.Reboots, r)
			at += r.Down
		}
		return s
	})
}

const span = 900 * second

func newClock(t interface{ Fatal(...any) }, s Spec, seed uint64) *Clock {
	c, err := New(s, chance.New(seed, Stream("test")))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestAnyOrder: what a clock shows at a time does not depend on what it was asked before.
func TestAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anySpec(true).Draw(t, "spec")
		c := newClock(t, s, 7)
		for _, at := range rapid.SliceOf(rapid.Int64Range(0, span)).Draw(t, "times") {
			for _, at := range []int64{at, max(0, at-second), at + second, at} {
				fresh := newClock(t, s, 7)
				if got, want := c.Local(at), fresh.Local(at); got != want {
					t.Fatalf("at %d the clock shows %d, asked afresh %d", at, got, want)
				}
				if got, want := c.Cycles(at), fresh.Cycles(at); got != want {
					t.Fatalf("at %d the clock counts %d, asked afresh %d", at, got, want)
				}
			}
		}
	})
}

// TestNeverBack: without steps back, time does not go back within a boot.
func TestNeverBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := newClock(t, anySpec(false).Draw(t, "spec"), rapid.Uint64().Draw(t, "seed"))
		a := rapid.Int64Range(0, span).Draw(t, "a")
		b := a + rapid.SampledFrom([]int64{0, 1, 2, 1000, second, 100 * second}).Draw(t, "later")
		if c.Boot(a) < 0 || c.Boot(a) != c.Boot(b) {
			return
		}
		if c.Local(b) < c.Local(a) || c.Cycles(b) < c.Cycles(a) {
			t.Fatalf("the clock shows %d (%d cycles) at %d and %d (%d cycles) at %d", c.Local(a), c.Cycles(a), a, c.Local(b), c.Cycles(b), b)
		}
	})
}

// TestBehind: a clock counts all that it shows, from its origin on, unless a step sets it back too far, and then that
// step is the one.
func TestBehind(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anySpec(true).Draw(t, "spec")
		s.Uptime = rapid.Int64Range(0, 10*second).Draw(t, "short")
		for i := range s.Steps {
			s.Steps[i].At /= 20
		}
		c := newClock(t, s, 7)
		ahead := func(at int64) int64 { return c.fine(at) - c.boots[c.Boot(at)].Origin }
		times := []int64{rapid.Int64Range(0, span-1).Draw(t, "at")}
		k := c.Behind(span)
		for i, p := range s.Steps {
			if i != k {
				times = append(times, p.At)
			} else if ahead(p.At) >= 0 {
				t.Fatalf("step %d sets the clock to before its origin, it says, but that is %d ns past it", k, ahead(p.At))
			}
		}
		for _, at := range times {
			if c.Running(at) && ahead(at) < 0 && (k < 0 || at < s.Steps[k].At) {
				t.Fatalf("at %d the clock is %d ns before its origin, but Behind is %d", at, -ahead(at), k)
			}
		}
	})
	// What is drawn seldom is said here: the machine is up for 5 s, and for 1 s at its second boot.
	steps := []Step{{At: second, By: -5 * second}, {At: 2 * second, By: -3 * second}, {At: 7 * second, By: -2 * second}}
	for _, x := range []struct {
		uptime int64
		steps  []Step
		end    int64
		want   int
	}{
		{5 * second, steps, span, 1},
		{5 * second, steps, 2 * second, -1},
		{50 * second, steps[:2], span, -1},
		{50 * second, steps, span, 2},
		{0, nil, span, -1},
	} {
		c := newClock(t, Spec{Uptime: x.uptime, Steps: x.steps, Reboots: []Reboot{{At: 5 * second, Down: second}}}, 7)
		if got := c.Behind(x.end); got != x.want {
			t.Errorf("after %d s, steps %v, before %d: step %d is the first that sets the clock to before its origin, not %d", x.uptime/second, x.steps, x.end, x.want, got)
		}
	}
}

// TestCycles: local time is what follows from origin, cycles and frequency, as readers of traces compute it: also where that is not
// the exact quotient.
func TestCycles(t *testing.T) {
	beside := 0
	rapid.Check(t, func(t *rapid.T) {
		s := anySpec(false).Draw(t, "spec")
		s.Uptime += rapid.Int64Range(0, 40).Draw(t, "days") * day
		c := newClock(t, s, 7)
		first := rapid.Int64Range(0, span).Draw(t, "at")
		for at := first; at < first+100_000; at += 997 {
			boot := c.Boot(at)
			if boot < 0 {
				return
			}
			origin, cycles := c.Boots()[boot].Origin, c.Cycles(at)
			if c.Frequency() != second && origin%second != 0 {
				t.Fatalf("the origin is %d", origin)
			}
			declared := schema.Clock{Frequency: c.Frequency(), Seconds: origin / second}
			if c.Frequency() == second {
				declared.Seconds, declared.Offset = 0, origin
			}
			if want := declared.Time(cycles); c.Local(at) != want {
				t.Fatalf("at %d the clock shows %d, its cycles say %d", at, c.Local(at), want)
			}
			hi, lo := bits.Mul64(cycles, second)
			if exact, _ := bits.Div64(hi, lo, c.Frequency()); origin+int64(exact) != c.Local(at) {
				beside++
			}
		}
	})
	if beside == 0 {
		t.Error("the exact quotient would do for all of these")
	}
}

// TestMeaning: a clock without chance runs away as its parameters say, within the rounding of knots.
func TestMeaning(t *testing.T) {
	for _, c := range []struct {
		name string
		spec Spec
		at   int64
		off  float64 // ns that it is wrong by
	}{
		{"right", Spec{}, 5000 * second, 0},
		{"offset", Spec{Offset: -3 * second}, 5000 * second, -3e9},
		{"fast", Spec{Rate: 100}, 1000 * second, 1e8},
		{"slow", Spec{Rate: -37.5}, 1234567890, -37.5e-6 * 1234567890},
		{"ageing", Spec{Ageing: 2}, 86400 * second, 2e-6 * 86400e9 / 2},
		{"half a wave", Spec{Thermal: []Wave{{Amplitude: 1, Period: 7200 * second}}}, 3600 * second, 1e-6 * 7200e9 / math.Pi},
		{"a wave", Spec{Thermal: []Wave{{Amplitude: 1, Period: 7200 * second, Phase: 0.3}}}, 7200 * second, 0},
		{"step", Spec{Steps: []Step{{10 * second, 5000}, {20 * second, -2000}}}, 20 * second, 3000},
		{"reboot", Spec{Reboots: []Reboot{{At: 10 * second, Down: 40 * second, Offset: 77, Rate: -320}}}, 150 * second, 77 - 320e-6*100e9},
	} {
		got := newClock(t, c.spec, 7).Local(c.at) - Epoch - c.at
		if math.Abs(float64(got)-c.off) > 5 {
			t.Errorf("%s: the clock is off by %d ns after %d ns, not by %v", c.name, got, c.at, c.off)
		}
	}
}

// TestReboot: the machine is down for as long as it is, and then its cycles begin again.
func TestReboot(t *testing.T) {
	c := newClock(t, Spec{Uptime: 500 * second, Reboots: []Reboot{{At: 100 * second, Down: 30 * second}}}, 7)
	for _, x := range []struct {
		at     int64
		boot   int
		cycles uint64
	}{
		{0, 0, 500 * second}, {100*second - 1, 0, 600*second - 1}, {100 * second, -1, 600 * second},
		{130*second - 1, -1, 630*second - 1}, {130 * second, 1, 0}, {131 * second, 1, second},
	} {
		if c.Boot(x.at) != x.boot || c.Cycles(x.at) != x.cycles || c.Running(x.at) != (x.boot >= 0) {
			t.Errorf("at %d: boot %d, %d cycles; it should be boot %d, %d cycles", x.at, c.Boot(x.at), c.Cycles(x.at), x.boot, x.cycles)
		}
	}
}

func BenchmarkCycles(b *testing.B) {
	spec := Spec{Rate: 50, Walk: 0.001, Frequency: 2_893_201_000}
	c := newClock(b, spec, 7)
	at := int64(0)
	for b.Loop() {
		at += 500
		c.Cycles(at)
	}
}
