package hull

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A message is one constraint of a generated link.
type message struct {
	side Side
	p    Point
}

// naive decides everything from all pairs of all messages, in rationals.
type naive []message

// limits are the bounds on the slope that all pairs give, and whether a line
// of positive slope fits. A bound is nil where no pair gives a positive one.
func (m naive) limits() (low, high *big.Rat, fits bool) {
	low, fits = new(big.Rat), true
	for _, u := range m {
		for _, l := range m {
			if u.side != Upper || l.side != Lower {
				continue
			}
			switch {
			case u.p.X == l.p.X:
				fits = fits && u.p.Y >= l.p.Y
			case u.p.X > l.p.X:
				if s := slope(l.p, u.p); high == nil || s.Cmp(high) < 0 {
					high = s
				}
			default:
				if s := slope(u.p, l.p); s.Cmp(low) > 0 {
					low = s
				}
			}
		}
	}
	if high != nil && (high.Sign() <= 0 || low.Cmp(high) > 0) {
		fits = false
	}
	if low.Sign() == 0 {
		low = nil
	}
	return low, high, fits
}

// band is the exact range at x of the lines through the extreme slopes and
// all slopes between two points of one side that lie between them.
func (m naive) band(x int64, low, high *big.Rat) (lo, hi *big.Rat) {
	slopes := []*big.Rat{low, high}
	for i, a := range m {
		for _, b := range m[i+1:] {
			if a.side == b.side && a.p.X != b.p.X {
				if s := slope(a.p, b.p); s.Cmp(low) > 0 && s.Cmp(high) < 0 {
					slopes = append(slopes, s)
				}
			}
		}
	}
	at := new(big.Rat).SetInt64(x)
	for _, s := range slopes {
		var top, bottom *big.Rat
		for _, e := range m {
			y := e.p.intercept(s)
			y.Add(y, new(big.Rat).Mul(s, at))
			if e.side == Upper && (top == nil || y.Cmp(top) < 0) {
				top = y
			}
			if e.side == Lower && (bottom == nil || y.Cmp(bottom) > 0) {
				bottom = y
			}
		}
		if hi == nil || top.Cmp(hi) > 0 {
			hi = top
		}
		if lo == nil || bottom.Cmp(lo) < 0 {
			lo = bottom
		}
	}
	return lo, hi
}

// class is that of the messages, by their definitions: a line that fits is bounded on a side where messages of both directions bound its slope there.
func (m naive) class() Class {
	low, high, fits := m.limits()
	from := func(side Side) bool { return slices.ContainsFunc(m, func(e message) bool { return e.side == side }) }
	switch upper, lower := from(Upper), from(Lower); {
	case len(m) == 0:
		return Absent
	case !fits:
		return Fail
	case upper != lower:
		return Incomplete
	case low != nil && high != nil:
		return Accurate
	default:
		return Approximate
	}
}

func equal(a, b *big.Rat) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Cmp(b) == 0
}

// links draws messages of one link: from tiny grids full of ties and
// collinear points to spans whose products overflow, with and without a
// line that explains them.
func links(t *rapid.T) naive {
	const year = 365 * 24 * 3600 * 1_000_000_000
	scale := rapid.SampledFrom([]int64{1, 1000, 1_000_000, year}).Draw(t, "scale")
	honest := rapid.Bool().Draw(t, "honest")
	number := rapid.Int64Range(-6, 6)
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) message {
		side := rapid.SampledFrom([]Side{Upper, Lower}).Draw(t, "side")
		x := number.Draw(t, "x") * scale
		y := number.Draw(t, "y") * scale
		if honest {
			// The true line is y = x + x/8; delays have outliers.
			delay := rapid.OneOf(rapid.Int64Range(0, 3), rapid.Int64Range(0, 1000)).Draw(t, "delay") * (1 + scale/100)
			y = x + x/8 + delay
			if side == Lower {
				y = x + x/8 - delay
			}
		}
		return message{side, Point{x, y}}
	}), 1, 40).Draw(t, "messages")
}

func check(t interface {
	Helper()
	Fatalf(string, ...any)
}, h *Hull, m naive) {
	t.Helper()
	low, high, fits := m.limits()
	if want := m.class(); h.Class() != want {
		t.Fatalf("class %v, all pairs give %v, with slopes [%v, %v]", h.Class(), want, low, high)
	}
	if fits && (!equal(h.AlphaMin(), low) || !equal(h.AlphaMax(), high)) {
		t.Fatalf("slopes [%v, %v], all pairs give [%v, %v]", h.AlphaMin(), h.AlphaMax(), low, high)
	}
}

func TestAgainstAllPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		messages := links(t)
		var h Hull
		check(t, &h, nil)
		for i, m := range messages {
			before := [2]*big.Rat{h.AlphaMin(), h.AlphaMax()}
			class := h.Class()
			changed := h.Add(m.side, m.p)
			check(t, &h, messages[:i+1])
			if !changed && (class != h.Class() && class != Absent || !equal(before[0], h.AlphaMin()) || !equal(before[1], h.AlphaMax())) {
				t.Fatalf("message %d changed the lines, but Add denies it", i)
			}
		}
	})
}

func TestOrderAndMergeDoNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		messages := links(t)
		var whole Hull
		var all Series
		for _, m := range messages {
			whole.Add(m.side, m.p)
			all.Add(m.side, m.p)
		}
		whole.Complete(&all)
		seed := rapid.Uint64().Draw(t, "seed")
		shuffled := slices.Clone(messages)
		rand.New(rand.NewPCG(seed, 1)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		parts := make([]Hull, rapid.IntRange(1, 4).Draw(t, "parts"))
		for i, m := range shuffled {
			parts[i%len(parts)].Add(m.side, m.p)
		}
		for i := range parts[1:] {
			parts[0].Merge(&parts[i+1])
		}
		parts[0].Complete(&all)
		for _, side := range []Side{Upper, Lower} {
			if !slices.Equal(whole.Points(side), parts[0].Points(side)) || whole.Messages(side) != parts[0].Messages(side) {
				t.Fatalf("side %d: %v and, shuffled in %d parts, %v", side, whole.Points(side), len(parts), parts[0].Points(side))
			}
		}
		if whole.Class() != parts[0].Class() || !equal(whole.AlphaMin(), parts[0].AlphaMin()) || !equal(whole.AlphaMax(), parts[0].AlphaMax()) {
			t.Fatalf("the lines depend on the order")
		}
	})
}

func TestBand(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		messages := links(t)
		var h Hull
		for _, m := range messages {
			h.Add(m.side, m.p)
		}
		if h.Class() != Accurate {
			return // no band
		}
		at := messages[rapid.IntRange(0, len(messages)-1).Draw(t, "at")].p.X
		x := at/2*3 + rapid.Int64Range(-100, 100).Draw(t, "off")
		lo, hi, ok := h.Band(x)
		wantLo, wantHi := messages.band(x, h.AlphaMin(), h.AlphaMax())
		if !ok {
			return // only heights beyond int64, which links cannot reach but by slope
		}
		gap := func(a, b *big.Rat) bool { // 0 <= a-b < 1
			d := new(big.Rat).Sub(a, b)
			return d.Sign() >= 0 && d.Cmp(big.NewRat(1, 1)) < 0
		}
		if !gap(new(big.Rat).SetInt64(hi), wantHi) || !gap(wantLo, new(big.Rat).SetInt64(lo)) {
			t.Fatalf("at %d the band is [%d, %d], all lines give [%s, %s]", x, lo, hi, wantLo.FloatString(3), wantHi.FloatString(3))
		}
	})
}

// The least relaxation is that of the best slope; any other needs at least as much.
func TestRelaxation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		messages := links(t)
		hull := func() (h Hull) {
			var s Series
			for _, m := range messages {
				s.Add(m.side, m.p)
				h.Add(m.side, m.p)
				h.Complete(&s)
			}
			return h
		}
		h := hull()
		for drop := int64(1); h.Class() != Fail && drop < 1<<56; drop <<= 8 {
			for i := range messages {
				if messages[i].side == Upper {
					messages[i].p.Y -= drop
				}
			}
			h = hull()
		}
		if h.Class() != Fail {
			return // one direction only, or apart in time
		}
		c, _ := h.Choose()
		violation := func(s *big.Rat) *big.Rat {
			var high, low *big.Rat
			for _, m := range messages {
				b := m.p.intercept(s)
				if m.side == Upper && (high == nil || b.Cmp(high) < 0) {
					high = b
				}
				if m.side == Lower && (low == nil || b.Cmp(low) > 0) {
					low = b
				}
			}
			d := new(big.Rat).Sub(low, high)
			return d.Quo(d, big.NewRat(2, 1))
		}
		if violation(c.Alpha).Cmp(c.Relaxed) != 0 {
			t.Fatalf("slope %v needs %v, Choose says %v", c.Alpha, violation(c.Alpha), c.Relaxed)
		}
		if c.Alpha.Cmp(big.NewRat(1, 1)) == 0 {
			level, steep := violation(big.NewRat(1, 1<<62)), violation(big.NewRat(1<<62, 1))
			if level.Cmp(c.Relaxed) < 0 || steep.Cmp(c.Relaxed) < 0 {
				return // the best slope is none a clock can have
			}
		}
		for i, a := range messages {
			for _, b := range messages[i+1:] {
				if a.side != b.side || a.p.X == b.p.X {
					continue
				}
				if s := slope(a.p, b.p); s.Sign() > 0 && violation(s).Cmp(c.Relaxed) < 0 {
					t.Fatalf("slope %v needs only %v, Choose took %v with %v", s, violation(s), c.Alpha, c.Relaxed)
				}
			}
		}
	})
}

// Unless none does, the line to use fits all messages, and where the messages
// leave the rate open it is the one nearest to 1.
func TestChosenLineFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		messages := links(t)
		var h Hull
		for _, m := range messages {
			h.Add(m.side, m.p)
		}
		if h.Class() == Fail {
			return // no line fits
		}
		c, ok := h.Choose()
		if !ok || c.Relaxed.Sign() != 0 || c.Alpha.Sign() <= 0 {
			t.Fatalf("%v, %v", c, ok)
		}
		for _, m := range messages {
			over := m.p.intercept(c.Alpha).Cmp(c.Beta)
			if m.side == Upper && over < 0 || m.side == Lower && over > 0 {
				t.Fatalf("%v is on the wrong side of y = %v x + %v", m, c.Alpha, c.Beta)
			}
		}
		low, high, one := h.AlphaMin(), h.AlphaMax(), big.NewRat(1, 1)
		if low != nil && high != nil && new(big.Rat).Sub(high, low).Cmp(vague) <= 0 {
			if c.Alpha.Cmp(mean(low, high)) != 0 {
				t.Fatalf("slope %v, the mean of %v and %v is wanted", c.Alpha, low, high)
			}
			return
		}
		want := one
		if low != nil && low.Cmp(one) > 0 {
			want = low
		} else if high != nil && high.Cmp(one) < 0 {
			want = high
		}
		if c.Alpha.Cmp(want) != 0 {
			t.Fatalf("slope %v between %v and %v", c.Alpha, low, high)
		}
	})
}

func TestSwap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var h, want Hull
		for _, m := range links(t) {
			h.Add(m.side, m.p)
			want.Add(1-m.side, Point{m.p.Y, m.p.X})
		}
		got := h.Swap()
		for _, side := range []Side{Upper, Lower} {
			if !slices.Equal(got.Points(side), want.Points(side)) {
				t.Fatalf("side %d: swapped %v, built swapped %v", side, got.Points(side), want.Points(side))
			}
		}
		if got.Class() != want.Class() || !equal(got.AlphaMin(), want.AlphaMin()) || !equal(got.AlphaMax(), want.AlphaMax()) {
			t.Fatalf("the swapped link has other lines")
		}
	})
}

// With int64 products these three points turn the other way.
func TestOrientBeyondInt64(t *testing.T) {
	o, a := Point{0, 0}, Point{4_000_000_000_000, 4_000_000_000_000}
	for _, c := range []struct {
		b    Point
		want int
	}{
		{Point{8_000_000_000_000, 8_000_000_000_001}, 1},
		{Point{8_000_000_000_000, 8_000_000_000_000}, 0},
		{Point{8_000_000_000_000, 7_999_999_999_999}, -1},
		{Point{-1 << 63, -1 << 63}, 0},
		{Point{-1 << 63, 1<<63 - 1}, 1},
	} {
		if got := orient(o, a, c.b); got != c.want {
			t.Errorf("orient(%v, %v, %v) = %d, want %d", o, a, c.b, got, c.want)
		}
	}
}

func TestStored(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var h Hull
		for _, m := range links(t) {
			h.Add(m.side, m.p)
		}
		b := h.AppendBinary(nil)
		got, rest, err := Parse(append(b, 7))
		if err != nil || len(rest) != 1 {
			t.Fatalf("%v, %d bytes left", err, len(rest))
		}
		if string(got.AppendBinary(nil)) != string(b) || got.Class() != h.Class() || !equal(got.AlphaMax(), h.AlphaMax()) {
			t.Fatalf("the hull read is not the hull stored")
		}
		for cut := range b {
			if _, _, err := Parse(b[:cut]); err == nil {
				t.Fatalf("%d of %d bytes are taken for a whole hull", cut, len(b))
			}
		}
	})
}

func FuzzParse(f *testing.F) {
	var h Hull
	h.Add(Upper, Point{1, 5})
	h.Add(Lower, Point{3, 2})
	h.Add(Upper, Point{9, 12})
	f.Add(h.AppendBinary(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		h, rest, err := Parse(b)
		if err != nil {
			return
		}
		again, _, err := Parse(h.AppendBinary(nil))
		if err != nil || !slices.Equal(again.Points(Upper), h.Points(Upper)) || len(rest) > len(b) {
			t.Fatalf("a hull that was read cannot be stored and read again: %v", err)
		}
	})
}
