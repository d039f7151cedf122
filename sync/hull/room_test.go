package hull

import (
	"math"
	"math/rand/v2"
	"testing"
)

// exchanged is a series of so many exchanges, one each so many ns, by a clock that is off by what offset says; there and back take what delay draws.
func exchanged(n int, apart float64, offset func(x float64) float64, delay func(r *rand.Rand, x float64) float64, seed uint64) *Series {
	r := rand.New(rand.NewPCG(seed, 7))
	s := new(Series)
	for i := range n {
		x := float64(i) * apart
		there, at := delay(r, x), x+3e5
		s.Add(Upper, Point{int64(x), int64(math.Ceil(x + there + offset(x+there)))})
		s.Add(Lower, Point{int64(math.Ceil(at + delay(r, x+1.5e10))), int64(at + offset(at))})
	}
	return s
}

// swing is what a clock is off by whose rate swings by so much within so many ns.
func swing(by, period float64) func(x float64) float64 {
	return func(x float64) float64 { return by * period / (2 * math.Pi) * math.Sin(2*math.Pi*x/period) }
}

func right(float64) float64 { return 0 }

// However delays are spread, nothing speaks against a clock that is right.
func TestDelaysAreNotTakenForTheClock(t *testing.T) {
	delays := map[string]func(r *rand.Rand, x float64) float64{
		"from nothing on": func(r *rand.Rand, _ float64) float64 { return 1e5 * r.ExpFloat64() },
		"from 20 µs on":   func(r *rand.Rand, _ float64) float64 { return 2e4 + 1e5*r.ExpFloat64() },
		"even":            func(r *rand.Rand, _ float64) float64 { return 1e5 * r.Float64() },
		"wild":            func(r *rand.Rand, _ float64) float64 { return 3e4 / (1 - r.Float64()) },
		"rarely short": func(r *rand.Rand, _ float64) float64 {
			if r.Float64() < 0.1 {
				return 2e4
			}
			return 1e5 + 1e4*r.ExpFloat64()
		},
		"in bursts, each way at another time": func(r *rand.Rand, x float64) float64 {
			return 2e4 + 1e4*r.ExpFloat64()*(1+30*max(0, math.Sin(x/1e10)))
		},
	}
	narrow := 0
	for name, delay := range delays {
		for _, n := range []int{40, 130, 400} {
			for seed := range uint64(60) {
				s := exchanged(n, 1e9, right, delay, seed)
				if f := s.Fit(); !f.OK || f.Cap != Crystals {
					t.Errorf("%d exchanges that take %s, seed %d: a clock that is right gets %+v", n, name, seed, f)
				}
				all := [2]int{0, len(s.windows)}
				line := bands(s.line(all).Band)
				if trips, ok := s.trips(all, line); ok && trips.narrow(trips.band(line)) {
					narrow++
				}
			}
		}
	}
	if narrow < 100 {
		t.Errorf("only %d of these bands are narrow, so that there was little to be taken for a clock", narrow)
	}
}

// Where load comes and goes, in the one direction and then in the other, all that went there and back at one time took longer than what did at different times, though
// the clock is right. What swings as fast as load does is no clock.
func TestLoadIsNotTakenForTheClock(t *testing.T) {
	queue := func(ns, period, phase float64) func(r *rand.Rand, x float64) float64 {
		return func(r *rand.Rand, x float64) float64 {
			load := 0.0
			if math.Mod(x/period+phase, 1) < 0.5 {
				load = ns
			}
			return 5e4 + 1e4*r.ExpFloat64() + load*r.Float64()
		}
	}
	for _, cycles := range []float64{1, 2, 4, 8, 64} {
		for _, ns := range []float64{1e5, 5e5, 3e6} {
			for seed := range uint64(10) {
				period := 240e9 / cycles
				s := new(Series)
				r := rand.New(rand.NewPCG(seed, 9))
				for i := range 240 {
					x := float64(i) * 1e9
					at := x + 3e5
					s.Add(Upper, Point{int64(x), int64(x + queue(ns, period, 0)(r, x))})
					s.Add(Lower, Point{int64(at + queue(ns, period, 0.5)(r, at)), int64(at)})
				}
				// Much longer queues leave a few messages that were fast, and by chance a swing fits.
				if f := s.Fit(); !f.OK || f.Cap > Crystals && (ns < 1e6 || f.Cap > swinging) {
					t.Errorf("%v cycles of %v ns, seed %d: %+v", cycles, ns, seed, f)
				}
			}
		}
	}
}

// A line fits what was exchanged by a clock that swings by less than messages take, and is not the clock. The band is that of a cap that
// leaves trips their room, and the clock is in it.
func TestALineThatIsNotTheClock(t *testing.T) {
	const second = 1e9
	jitter := func(r *rand.Rand, _ float64) float64 { return 3e4 + 1e5*r.ExpFloat64() }
	for _, c := range []struct {
		name   string
		n      int
		apart  float64
		offset func(x float64) float64
		delay  func(r *rand.Rand, x float64) float64
	}{
		{name: "3 ppm in 50 s", n: 1200, apart: second / 10, offset: swing(3e-6, 50*second), delay: jitter},
		{name: "5 ppm in 30 s", n: 1200, apart: second / 10, offset: swing(5e-6, 30*second), delay: jitter},
		{name: "5 ppm in 30 s, behind a first message that is late", n: 1200, apart: second / 10, offset: swing(5e-6, 30*second), delay: func(r *rand.Rand, x float64) float64 {
			if x == 0 {
				return 3e7
			}
			return jitter(r, x)
		}},
	} {
		for seed := range uint64(10) {
			s := exchanged(c.n, c.apart, c.offset, c.delay, seed)
			all := [2]int{0, len(s.windows)}
			if s.line(all) == nil {
				t.Fatalf("%s, seed %d: no line fits", c.name, seed)
			}
			outside := func(by *Corridor) (n int) {
				for i := range 1000 {
					x := float64(c.n-1) * c.apart * float64(i) / 999
					y := int64(math.Round(x + c.offset(x)))
					if lo, hi, ok := by.Band(int64(x)); !ok || y < lo-1 || y > hi+1 {
						n++
					}
				}
				return n
			}
			line := Fit{OK: true, parts: [][2]int{all}}
			if n := outside(s.Corridor(line, Crystals)); n == 0 {
				t.Errorf("%s, seed %d: the band of a line has the clock everywhere", c.name, seed)
			}
			f := s.Fit()
			if n := outside(s.Corridor(f, f.Cap)); n > 0 {
				t.Errorf("%s, seed %d: at %d of 1000 instants the clock is not in the band, by %+v", c.name, seed, n, f)
			}
		}
	}
}
