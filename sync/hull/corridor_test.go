package hull

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A bent is a clock whose rate changes no faster than a cap, and messages of it.
type bent struct {
	cap      Cap
	from, to int64 // X of the recording
	steps    []step
	rate     float64
	waves    [3]struct{ height, period, phase float64 } // ns
	messages []message
}

type step struct{ at, by int64 }

const day = int64(86_400_000_000_000)

// at is the true second clock, to a fraction of a ns.
func (b *bent) at(x int64) (ns int64, fraction float64) {
	d := float64(x - b.from)
	off := b.rate * d
	for _, w := range b.waves {
		off += w.height * math.Sin(2*math.Pi*d/w.period+w.phase)
	}
	ns = x + 7*day
	for _, s := range b.steps {
		if x >= s.at {
			ns += s.by
		}
	}
	whole := math.Floor(off)
	return ns + int64(whole), off - whole
}

// bents draws clocks. A wave of height h and period p bends by h(2π/p)².
func bents(t *rapid.T) *bent {
	b := &bent{cap: Cap(rapid.IntRange(0, int(Steepest)).Draw(t, "cap"))}
	span := rapid.SampledFrom([]int64{day / 864_000, day / 1440, day / 24, day}).Draw(t, "span")
	b.from = rapid.SampledFrom([]int64{1 << 60, 0, -1 << 50}).Draw(t, "from")
	b.to = b.from + span
	b.rate = float64(rapid.IntRange(-500, 500).Draw(t, "ppm")) * 1e-6
	for i := range b.waves {
		w := &b.waves[i]
		w.period = float64(span) * rapid.SampledFrom([]float64{0.1, 0.5, 1, 3, 10}).Draw(t, "period")
		w.phase = rapid.Float64Range(0, 6).Draw(t, "phase")
		w.height = 0.33 * b.cap.PerSecond() / 1e9 * w.period * w.period / (4 * math.Pi * math.Pi)
		// No faster than 300 ppm, as crystals.
		w.height = min(w.height, 1e-4*w.period/(2*math.Pi))
	}
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	gap := rapid.SampledFrom([]int64{1, 3, 10}).Draw(t, "quiet")
	for range rapid.IntRange(4, 300).Draw(t, "messages") {
		x := b.from + r.Int64N(span/gap)
		if r.IntN(4) == 0 {
			x = b.to - r.Int64N(span/gap)
		}
		b.talk(x, Side(r.IntN(2)), int64(r.ExpFloat64()*100_000))
	}
	return b
}

func (b *bent) talk(x int64, side Side, delay int64) {
	y, _ := b.at(x)
	if side == Upper {
		y += 1 + delay
	} else {
		y -= delay
	}
	b.messages = append(b.messages, message{side, Point{x, y}})
}

func (b *bent) series() *Series {
	s := new(Series)
	for _, m := range b.messages {
		s.Add(m.side, m.p)
	}
	return s
}

// inside checks that the true clock is in the band from before the first
// message to after the last.
func (b *bent) inside(t *rapid.T, c *Corridor) {
	span := b.to - b.from
	for i := int64(-20); i <= 120; i++ {
		x := b.from + span/100*i
		lo, hi, ok := c.Band(x)
		if !ok {
			continue
		}
		y, fraction := b.at(x)
		if y < lo || y > hi || y == hi && fraction > 0.001 {
			t.Fatalf("at %d of %d the clock shows %d + %.3f, the band is [%d, %d]", x-b.from, span, y, fraction, lo, hi)
		}
	}
}

// Whatever a clock under a cap does, it is in the corridor under that cap, at
// every instant, seen from either host.
func TestCorridorHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := bents(t)
		s := b.series()
		f := Fit{OK: true, parts: [][2]int{{0, len(s.windows)}}}
		c := s.Corridor(f, b.cap)
		b.inside(t, c)
		if _, bad := s.contradicts([2]int{0, len(s.windows)}, b.cap); bad {
			t.Fatalf("a clock under cap %d is said to contradict itself", b.cap)
		}
		if b.cap < Steepest {
			// The reciprocal of a rate of 1.0005 may change a little faster.
			swapped := s.Corridor(f, b.cap+1).Swap()
			for i := range int64(11) {
				x := b.from + (b.to-b.from)/10*i
				y, fraction := b.at(x)
				lo, hi, ok := swapped.Band(y)
				if ok && (x < lo-1 || x > hi+1) {
					t.Fatalf("the first clock shows %d (%f) when the second shows %d, the band is [%d, %d]", x, fraction, y, lo, hi)
				}
			}
		}
		got := s.Fit()
		// More than the margin only where the band is pinched with it.
		if most := s.roomy(f.parts[0], b.cap+margin); !got.OK || got.Cap > most || len(got.Cuts) != 0 {
			t.Fatalf("a clock under cap %d gets %+v, more than cap %d", b.cap, got, most)
		}
	})
}

// A band is that of all lines through the lifted points, and it is no
// narrower than that of all messages lifted.
func TestCorridorAgainstAllLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		messages := links(t)
		s := new(Series)
		for _, m := range messages {
			s.Add(m.side, m.p)
		}
		limit := Cap(rapid.IntRange(0, int(loosest)).Draw(t, "cap"))
		c := s.Corridor(Fit{parts: [][2]int{{0, len(s.windows)}}}, limit)
		at := messages[rapid.IntRange(0, len(messages)-1).Draw(t, "at")].p.X
		at += rapid.Int64Range(-100, 100).Draw(t, "off")
		lift := func(from naive) (to naive, ok bool) {
			for _, m := range from {
				ns, ok := limit.lift(m.p.X, at)
				if !ok {
					return nil, false
				}
				if m.side == Lower {
					ns = -ns
				}
				m.p.Y += ns
				to = append(to, m)
			}
			return to, true
		}
		var kept naive
		ceiling, floor := c.parts[0].around(at, near)
		for _, p := range ceiling {
			kept = append(kept, message{Upper, p})
		}
		for _, p := range floor {
			kept = append(kept, message{Lower, p.mirrored()})
		}
		few, ok := lift(kept)
		all, also := lift(messages)
		lo, hi, banded := c.Band(at)
		if !ok || !also || !banded {
			return
		}
		low, high, fits := few.limits()
		if !fits {
			t.Fatalf("a band, and no line fits")
		}
		if low == nil || high == nil {
			return
		}
		wantLo, wantHi := few.band(at, low, high)
		tight := func(a, b *big.Rat) bool { // 0 <= a-b < 1
			d := new(big.Rat).Sub(a, b)
			return d.Sign() >= 0 && d.Cmp(big.NewRat(1, 1)) < 0
		}
		// Lifts are rounded. Where points are ns apart that may turn a hull in, and what decides is missed.
		convex := true
		for _, side := range []chain{limit.raise(nil, ceiling, at), limit.raise(nil, floor, ^at)} {
			for i := 2; i < len(side); i++ {
				convex = convex && orient(side[i-2], side[i-1], side[i]) > 0
			}
		}
		if wantHi.Cmp(new(big.Rat).SetInt64(hi)) > 0 || wantLo.Cmp(new(big.Rat).SetInt64(lo)) < 0 {
			t.Fatalf("at %d the band is [%d, %d], narrower than all lines: [%s, %s]", at, lo, hi, wantLo.FloatString(3), wantHi.FloatString(3))
		}
		if convex && (!tight(new(big.Rat).SetInt64(hi), wantHi) || !tight(wantLo, new(big.Rat).SetInt64(lo))) {
			t.Fatalf("at %d the band is [%d, %d], all lines give [%s, %s]", at, lo, hi, wantLo.FloatString(3), wantHi.FloatString(3))
		}
		if low, high, fits := all.limits(); fits && low != nil && high != nil {
			wantLo, wantHi := all.band(at, low, high)
			if wantHi.Cmp(new(big.Rat).SetInt64(hi)) > 0 || wantLo.Cmp(new(big.Rat).SetInt64(lo)) < 0 {
				t.Fatalf("at %d the band [%d, %d] is narrower than all messages allow: [%s, %s]", at, lo, hi, wantLo.FloatString(3), wantHi.FloatString(3))
			}
		}
	})
}

// A path fits every message that is kept, and the others too as far as a
// window is straight; it rises, and it is in the band.
func TestPathFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := bents(t)
		s := b.series()
		f := s.Fit()
		c := s.Corridor(f, f.Cap)
		knots, ok := s.Path(f, c, b.from, b.to)
		if !ok {
			if _, _, ok := c.Band(b.from); ok {
				if _, _, ok := c.Band(b.to); ok {
					t.Fatalf("the clock is bounded and has no path")
				}
			}
			return
		}
		if knots[0].X > b.from || knots[len(knots)-1].X < b.to {
			t.Fatalf("a path from %d to %d does not cover %d to %d", knots[0].X, knots[len(knots)-1].X, b.from, b.to)
		}
		for i := 1; i < len(knots); i++ {
			if knots[i].X <= knots[i-1].X || knots[i].Y <= knots[i-1].Y {
				t.Fatalf("a path goes back from %v to %v", knots[i-1], knots[i])
			}
		}
		kept := make(map[message]bool)
		for _, side := range []Side{Upper, Lower} {
			for _, p := range s.Points(side) {
				kept[message{side, p}] = true
			}
		}
		sag := f.Cap.Sag(uint64(s.Width()))
		for _, m := range b.messages {
			if !kept[m] && m.side == Upper {
				m.p.Y += sag
			} else if !kept[m] {
				m.p.Y -= sag
			}
			i, _ := slices.BinarySearchFunc(knots, m.p.X, func(k Point, x int64) int { return int(max(-1, min(1, k.X-x))) })
			i = min(max(i, 1), len(knots)-1)
			if o := orient(knots[i-1], knots[i], m.p); m.side == Upper && o < 0 || m.side == Lower && o > 0 {
				t.Fatalf("message %v is on the wrong side of the piece %v %v", m, knots[i-1], knots[i])
			}
		}
		for _, k := range knots {
			if lo, hi, ok := c.Band(k.X); ok && (k.Y < lo-sag || k.Y > hi+sag) {
				t.Fatalf("knot %v is not in the band [%d, %d]", k, lo, hi)
			}
		}
	})
}

// A clock that steps is cut once, between the right messages, and is in the
// corridor before, after, and while nobody knows.
func TestStepIsCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := &bent{from: 1 << 60, to: 1<<60 + 60_000_000_000, rate: 3e-5}
		b.waves[0].period, b.waves[1].period, b.waves[2].period = 1, 1, 1
		at := b.from + rapid.Int64Range(20, 40).Draw(t, "at")*1_000_000_000 + rapid.Int64Range(0, 999_999_999).Draw(t, "and")
		by := rapid.SampledFrom([]int64{10_000_000, 1_000_000_000, 3600_000_000_000, -20_000_000}).Draw(t, "by")
		b.steps = []step{{at, by}}
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		for x := b.from; x < b.to; x += 1 + r.Int64N(200_000_000) {
			b.talk(x, Side(r.IntN(2)), 20_000+int64(r.ExpFloat64()*100_000))
		}
		s := b.series()
		f := s.Fit()
		if !f.OK || f.Cap != Crystals || len(f.parts) != 2 || len(f.Cuts) != 1 {
			t.Fatalf("a clock with a step gets %+v", f)
		}
		for _, c := range f.Cuts {
			before, after := false, false
			for _, p := range slices.Concat(c.Upper, c.Lower) {
				before, after = before || p.X < at, after || p.X >= at
			}
			if !before || !after {
				t.Fatalf("the step at %d is seen in %+v", at, c)
			}
		}
		c := s.Corridor(f, f.Cap)
		// Set forward was the second clock, or back the first: then it shows times twice, as long as it was set by.
		// An hour from its messages a part is known to some percent.
		most := 5_000_000_000 + 2*max(by, 0)
		if e := c.Edges(); len(e) != 2 || e[0] >= at || e[1] < at || e[1]-e[0] > most+most/40 {
			t.Fatalf("the step at %d is cut from %d to %d", at-b.from, e[0]-b.from, e[1]-b.from)
		}
		// Seen from the second clock it is set forward itself, or the first back, which loses nothing.
		y, _ := b.at(at)
		most = 5_000_000_000 + max(by, -2*by)
		if e := c.Swap().Edges(); len(e) != 2 || e[0] >= y || e[1] < y || e[1]-e[0] > most+most/40 {
			t.Fatalf("the step at %d is cut from %d to %d by the second clock", y, e[0]-y, e[1]-y)
		}
		b.inside(t, c)
		knots, ok := s.Path(f, c, b.from, b.to)
		if !ok || len(knots) < 4 {
			t.Fatalf("path %v", knots)
		}
		back := c.Swap()
		for i := range int64(61) {
			x := b.from + i*1_000_000_000
			y, _ := b.at(x)
			if lo, hi, ok := back.Band(y); !ok || x < lo-1 || x > hi+1 {
				t.Fatalf("at %d s the first clock is in [%d, %d] of itself", i, lo-x, hi-x)
			}
		}
	})
}

// Messages that no clock explains, with however many steps, are named.
func TestNothingExplainsNonsense(t *testing.T) {
	s := new(Series)
	for i := range int64(200) {
		x := i * 1_000_000_000
		s.Add(Upper, Point{x, x - 1_000_000}) // received before it was sent
		s.Add(Lower, Point{x + 1000, x + 1_000_000})
	}
	f := s.Fit()
	if f.OK || len(f.Cuts) == 0 || len(f.Cuts) > maxParts || len(f.Cuts[0].Upper) == 0 || len(f.Cuts[0].Lower) == 0 {
		t.Fatalf("nonsense gets %+v", f)
	}
}

// A clock whose rate is set now and then has no cap. Where it is talked to all
// the time, with delays of like size both ways, it is in the corridor
// nevertheless, but for an instant in some thousands, and then it is near.
func TestKinksAreInTheCorridor(t *testing.T) {
	const second = int64(1_000_000_000)
	const from, to = int64(1 << 60), int64(1<<60) + 600*second
	instants, outside := 0, 0
	for seed := range uint64(90) {
		ppm := []int64{3, 20, 100}[seed%3]
		floor := []int64{20_000, 60_000, 300_000}[seed/3%3]
		r := rand.New(rand.NewPCG(seed, 1))
		var at, rate []int64 // when the rate is set, and to what
		for x := from; x < to; x += 5*second + r.Int64N(60*second) {
			at, rate = append(at, x), append(rate, r.Int64N(2*ppm+1)-ppm)
		}
		clock := func(x int64) (y int64) {
			y = x
			for i := range at {
				end := x
				if i+1 < len(at) {
					end = min(x, at[i+1])
				}
				y += max(0, end-at[i]) / 1_000_000 * rate[i]
			}
			return y
		}
		var s Series
		for x := from; x < to; x += r.Int64N(second / 5) {
			delay := floor + int64(r.ExpFloat64()*float64(floor))
			if r.IntN(2) == 0 {
				s.Add(Upper, Point{x, clock(x + delay)})
			} else {
				s.Add(Lower, Point{x + delay, clock(x)})
			}
		}
		f := s.Fit()
		if !f.OK || len(f.Cuts) > 0 {
			t.Fatalf("rates within %d ppm, delays from %d ns: %+v", ppm, floor, f)
		}
		c := s.Corridor(f, f.Cap)
		for x := from; x < to; x += second {
			lo, hi, ok := c.Band(x)
			instants++
			over := max(clock(x)-hi, lo-clock(x))
			if over > 0 {
				outside++
			}
			if !ok || over > (hi-lo)/5 {
				t.Errorf("seed %d: after %d s the clock is in [%d, %d] of itself", seed, (x-from)/second, lo-clock(x), hi-clock(x))
			}
		}
	}
	if outside > instants/5000 {
		t.Errorf("outside at %d of %d instants", outside, instants)
	}
	t.Logf("outside at %d of %d instants", outside, instants)
}
