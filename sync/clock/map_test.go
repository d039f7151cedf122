package clock

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

const (
	second = 1_000_000_000
	year   = 365 * 24 * 3600 * second
	now    = 1_795_229_350 * second
)

// ppm draws a crystal's rate error.
func rates() *rapid.Generator[*big.Rat] {
	return rapid.Custom(func(t *rapid.T) *big.Rat {
		return big.NewRat(1_000_000_000_000+rapid.Int64Range(-500_000_000, 500_000_000).Draw(t, "ppm·10⁶"), 1_000_000_000_000)
	})
}

func lines() *rapid.Generator[Line] {
	return rapid.Custom(func(t *rapid.T) Line {
		alpha := rates().Draw(t, "alpha")
		beta := new(big.Rat).Sub(integer(now), new(big.Rat).Mul(alpha, integer(now)))
		return Line{alpha, beta.Add(beta, big.NewRat(rapid.Int64Range(-year, year).Draw(t, "offset·7"), 7))}
	})
}

// within reports whether |a-b| <= n.
func within(a int64, b *big.Rat, n int64) bool {
	d := new(big.Rat).Sub(integer(a), b)
	return d.Abs(d).Cmp(integer(n)) <= 0
}

// Half of the time a clock is known as well as the median or better: where entries are close does not count.
func TestMedian(t *testing.T) {
	m, err := New([]Knot{{0, 0}, {10_000, 10_000}}, [][2]int64{{0, 50}, {6_000, 50}, {6_001, 7}, {6_002, 8}, {6_003, 9}, {9_000, 9}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		begin, end, ns int64
		ok             bool
	}{
		{0, 9_000, 50, true}, {3_100, 9_000, 9, true}, {2_900, 9_000, 50, true}, {6_003, 6_003, 9, true}, {8_000, 20_000, 9, true}, {9_001, 10_000, 0, false},
	} {
		if ns, ok := m.Median(c.begin, c.end); ns != c.ns || ok != c.ok {
			t.Errorf("Median(%d, %d) = %d, %v, want %d, %v", c.begin, c.end, ns, ok, c.ns, c.ok)
		}
	}
}

func TestLineOverTenYears(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := lines().Draw(t, "line")
		begin := now - rapid.Int64Range(0, 5*year).Draw(t, "before")
		end := now + rapid.Int64Range(0, 5*year).Draw(t, "after")
		m := l.Map(begin, end)
		x := rapid.Int64Range(begin, end).Draw(t, "x")
		y := m.Reference(x)
		if !within(y, l.At(integer(x)), 1) {
			t.Fatalf("%d maps to %d, exactly %s", x, y, l.At(integer(x)).FloatString(3))
		}
		if back := m.Local(y); back < x-1 || back > x+1 {
			t.Fatalf("%d maps to %d and back to %d", x, y, back)
		}
		if !within(m.Local(y), l.Inverse().At(integer(y)), 1) {
			t.Fatalf("%d maps back to %d, exactly %s", y, m.Local(y), l.Inverse().At(integer(y)).FloatString(3))
		}
	})
}

func TestLinesOfAPath(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		path := rapid.SliceOfN(lines(), 1, 8).Draw(t, "path")
		whole, want := Same(), integer(now)
		for _, l := range path {
			whole = whole.Then(l)
			want = l.At(want)
		}
		if whole.At(integer(now)).Cmp(want) != 0 {
			t.Fatalf("the composed line and its parts disagree")
		}
		if got := Way(path).nearest(now, new(fraction)); got != round(want) {
			t.Fatalf("%d lines one after the other map %d to %d, exactly %s", len(path), now, got, want.FloatString(3))
		}
		if back := whole.Then(whole.Inverse()); back.Alpha.Cmp(big.NewRat(1, 1)) != 0 || back.Beta.Sign() != 0 {
			t.Fatalf("a line and its inverse give %v, %v", back.Alpha, back.Beta)
		}
	})
}

func integer(x int64) *big.Rat { return new(big.Rat).SetInt64(x) }

// round returns the nearest integer, halves up, held within int64.
func round(r *big.Rat) int64 {
	n := new(big.Int).Lsh(r.Num(), 1)
	n.Add(n, r.Denom())
	d := new(big.Int).Lsh(r.Denom(), 1)
	return nearest(n.Div(n, d)) // Euclidean: downward, for d is positive
}

// What is nearest to a value of a line is so of the fraction in lowest terms.
func TestNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := lines().Draw(t, "line")
		x := rapid.OneOf(rapid.Int64(), rapid.Int64Range(now-second, now+second)).Draw(t, "x")
		if got, want := (Way{l}).nearest(x, new(fraction)), round(l.At(integer(x))); got != want {
			t.Fatalf("%d at %d, exactly %s", got, x, l.At(integer(x)).FloatString(3))
		}
	})
	half := Line{big.NewRat(1, 2), big.NewRat(-7, 1)}
	for x, want := range map[int64]int64{1: -6, 2: -6, 3: -5, -1: -7, math.MaxInt64: 1<<62 - 7} {
		if got := (Way{half}).nearest(x, new(fraction)); got != want {
			t.Errorf("half of %d less 7 is nearest to %d, not %d", x, want, got)
		}
	}
	for _, x := range []int64{math.MinInt64, math.MaxInt64} {
		if got := (Way{{big.NewRat(3, 1), new(big.Rat)}}).nearest(x, new(fraction)); got != x {
			t.Errorf("three times %d is held to %d", x, got)
		}
	}
}

// maps draws a map of several pieces around now, with bounds over its knots.
func maps() *rapid.Generator[*Map] {
	return rapid.Custom(func(t *rapid.T) *Map {
		l := lines().Draw(t, "line")
		at := now - rapid.Int64Range(0, 1000*second).Draw(t, "first")
		k := Knot{at, round(l.At(integer(at)))}
		knots := []Knot{k}
		var bounds [][2]int64
		for range rapid.IntRange(1, 6).Draw(t, "pieces") {
			run := rapid.Int64Range(1000, 3000*second).Draw(t, "run")
			k = Knot{k.Local + run, k.Reference + round(new(big.Rat).Mul(rates().Draw(t, "rate"), integer(run)))}
			knots = append(knots, k)
			bounds = append(bounds, [2]int64{k.Local, rapid.Int64Range(0, 100000).Draw(t, "bound")})
		}
		m, err := New(knots, bounds)
		if err != nil {
			t.Fatal(err)
		}
		return m
	})
}

func TestPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := maps().Draw(t, "map")
		for _, k := range m.Knots() {
			if m.Reference(k.Local) != k.Reference || m.Local(k.Reference) != k.Local {
				t.Fatalf("the map misses its knot %v", k)
			}
		}
		x := now + rapid.Int64Range(-2*3600*second, 8*3600*second).Draw(t, "x")
		y := m.Reference(x)
		if next := m.Reference(x + 2); next <= y {
			t.Fatalf("%d maps to %d, 2 ns later to %d", x, y, next)
		}
		if back := m.Local(y); back < x-1 || back > x+1 {
			t.Fatalf("%d maps to %d and back to %d", x, y, back)
		}
	})
}

// exact is Reference without rounding.
func (m *Map) exact(x *big.Rat) *big.Rat {
	i := m.piece(func(k Knot) bool { return integer(k.Local).Cmp(x) > 0 })
	a, b := m.knots[i], m.knots[i+1]
	y := new(big.Rat).Sub(x, integer(a.Local))
	y.Mul(y, new(big.Rat).Sub(integer(b.Reference), integer(a.Reference)))
	y.Quo(y, new(big.Rat).Sub(integer(b.Local), integer(a.Local)))
	return y.Add(y, integer(a.Reference))
}

func TestCompose(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, g := maps().Draw(t, "f"), maps().Draw(t, "g")
		h := Compose(f, g)
		x := now + rapid.Int64Range(-2*3600*second, 8*3600*second).Draw(t, "x")
		want := g.exact(f.exact(integer(x)))
		if !within(h.Reference(x), want, 2) {
			t.Fatalf("at %d the composite is %d, exactly %s", x, h.Reference(x), want.FloatString(3))
		}
		far := rapid.Int64().Draw(t, "far")
		var c composer
		for _, x := range []int64{x, far} {
			if y, want := c.at(f, g, x), round(g.exact(f.exact(integer(x)))); y != want {
				t.Fatalf("at %d g of f is %d, want %d", x, y, want)
			}
		}
		// Wherever f and g may truly be, the composite's bound covers.
		bound, ok := h.Error(x)
		if !ok {
			return
		}
		e, _ := f.Error(x)
		for _, y := range []int64{f.Reference(x) - e, f.Reference(x), f.Reference(x) + e} {
			d, known := g.Error(y)
			if !known {
				t.Fatalf("a bound at %d where the second map knows none", x)
			}
			for _, z := range []int64{g.Reference(y) - d, g.Reference(y) + d} {
				if off := z - h.Reference(x); off > bound || -off > bound {
					t.Fatalf("at %d the truth may be off by %d, the bound is %d", x, off, bound)
				}
			}
		}
	})
}

func TestErrorTakesTheLarger(t *testing.T) {
	m, err := Identity().WithBounds([][2]int64{{10, 5}, {20, 3}, {30, 9}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		at, ns int64
		ok     bool
	}{{9, 0, false}, {10, 5, true}, {15, 5, true}, {20, 3, true}, {25, 9, true}, {30, 9, true}, {31, 0, false}} {
		if ns, ok := m.Error(c.at); ns != c.ns || ok != c.ok {
			t.Errorf("Error(%d) = %d, %v, want %d, %v", c.at, ns, ok, c.ns, c.ok)
		}
	}
	for _, c := range []struct {
		begin, end, ns int64
		ok             bool
	}{
		{0, 9, 0, false}, {0, 10, 5, true}, {11, 12, 5, true}, {20, 20, 3, true},
		{12, 21, 9, true}, {0, 99, 9, true}, {31, 40, 0, false},
	} {
		if ns, ok := m.Worst(c.begin, c.end); ns != c.ns || ok != c.ok {
			t.Errorf("Worst(%d, %d) = %d, %v, want %d, %v", c.begin, c.end, ns, ok, c.ns, c.ok)
		}
	}
}

func TestFarTimesSaturate(t *testing.T) {
	m := Line{big.NewRat(1, 1), integer(1 << 62)}.Map(0, second)
	if got := m.Reference(math.MaxInt64); got != math.MaxInt64 {
		t.Errorf("beyond the last ns: %d", got)
	}
	if got := m.Local(math.MinInt64); got != math.MinInt64 {
		t.Errorf("before the first ns: %d", got)
	}
	if got := Identity().Reference(math.MinInt64); got != math.MinInt64 {
		t.Errorf("identity of the first ns: %d", got)
	}
}

func TestRefuses(t *testing.T) {
	for _, knots := range [][]Knot{nil, {{1, 1}}, {{1, 1}, {1, 2}}, {{1, 2}, {2, 2}}, {{2, 1}, {1, 2}}} {
		if _, err := New(knots, nil); err == nil {
			t.Errorf("New accepts %v", knots)
		}
	}
	good := []Knot{{0, 0}, {1, 1}}
	for _, bounds := range [][][2]int64{{{0, -1}}, {{1, 1}, {1, 1}}, {{2, 0}, {1, 0}}} {
		if _, err := New(good, bounds); err == nil {
			t.Errorf("New accepts the bounds %v", bounds)
		}
	}
}

func TestStored(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := maps().Draw(t, "map")
		b := m.AppendBinary(nil)
		got, rest, err := Parse(append(b, 1, 2))
		if err != nil || len(rest) != 2 || !got.Equal(m) {
			t.Fatalf("the map read is not the map stored: %v", err)
		}
		for cut := range b {
			if _, _, err := Parse(b[:cut]); err == nil {
				t.Fatalf("%d of %d bytes are taken for a whole map", cut, len(b))
			}
		}
	})
}

func FuzzParse(f *testing.F) {
	m, _ := Identity().WithBounds([][2]int64{{10, 5}, {20, 3}})
	f.Add(m.AppendBinary(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, _, err := Parse(b)
		if err != nil {
			return
		}
		again, _, err := Parse(m.AppendBinary(nil))
		if err != nil || !again.Equal(m) {
			t.Fatalf("a map that was read cannot be stored and read again: %v", err)
		}
		m.Reference(0)
		m.Local(0)
	})
}

// The inverse undoes a map, to the rounding of either, beyond the knots too.
func TestThroughAndInverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		knots := []Knot{{1 << 60, 1<<60 + rapid.Int64Range(-1e15, 1e15).Draw(t, "offset")}}
		for range rapid.IntRange(1, 10).Draw(t, "pieces") {
			k := knots[len(knots)-1]
			d := rapid.Int64Range(1e9, 1e11).Draw(t, "length")
			ppm := rapid.Int64Range(-500, 500).Draw(t, "ppm")
			knots = append(knots, Knot{k.Local + d, k.Reference + d + d/1_000_000*ppm})
		}
		m, err := Through(knots)
		if err != nil {
			t.Fatal(err)
		}
		back := m.Inverse()
		for _, x := range []int64{knots[0].Local - 3600e9, knots[0].Local, knots[0].Local + rapid.Int64Range(0, 1e11).Draw(t, "x"), knots[len(knots)-1].Local + 3600e9} {
			if got := back.Reference(m.Reference(x)) - x; got < -1 || got > 1 {
				t.Fatalf("there and back is off by %d ns", got)
			}
		}
		for _, k := range knots {
			if m.Reference(k.Local) != k.Reference || back.Reference(k.Reference) != k.Local {
				t.Fatalf("knot %v is not on the map", k)
			}
		}
		first, last := m.Knots()[0], m.Knots()[len(m.Knots())-1]
		if first.Local > knots[0].Local-reach || last.Local < knots[len(knots)-1].Local+reach {
			t.Fatalf("the map ends at %v and %v", first, last)
		}
	})
}

// stepped draws a map that steps: between two usual pieces it is steep, or level, now and then.
func stepped() *rapid.Generator[*Map] {
	return rapid.Custom(func(t *rapid.T) *Map {
		k := Knot{now, now + rapid.Int64Range(-year, year).Draw(t, "offset")}
		knots := []Knot{k}
		for i := range 2*rapid.IntRange(1, 3).Draw(t, "steps") + 1 {
			run := rapid.Int64Range(second, 300*second).Draw(t, "run")
			rise := round(new(big.Rat).Mul(rates().Draw(t, "rate"), integer(run)))
			switch {
			case i%2 == 1 && rapid.Bool().Draw(t, "level"):
				rise = rapid.Int64Range(1, 2).Draw(t, "rise")
			case i%2 == 1:
				run = rapid.Int64Range(1, 2).Draw(t, "steep")
			}
			k = Knot{k.Local + run, k.Reference + rise}
			knots = append(knots, k)
		}
		m, err := Through(knots)
		if err != nil {
			t.Fatal(err)
		}
		return m
	})
}

// Beside a step, too, the composite of three maps is what they are after each other, but within some ns on either side of where they step: a
// piece that rises by seconds in a ns ends at its end, and one that does not rise has one.
func TestComposeThroughSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, g, h := stepped().Draw(t, "f"), stepped().Draw(t, "g"), stepped().Draw(t, "h")
		m := Compose(Compose(f, g), h)
		// Each of the maps in turn is asked so much later: what one rounds by a fraction of a ns the next may raise by seconds.
		exact := func(x, later int64) *big.Rat {
			y := integer(x)
			for _, m := range []*Map{f, g, h} {
				y = m.exact(y.Add(y, integer(later)))
			}
			return y
		}
		places := []int64{now + rapid.Int64Range(0, 1000*second).Draw(t, "x")}
		for _, k := range m.Knots()[1 : len(m.Knots())-1] {
			places = append(places, k.Local, k.Local+rapid.Int64Range(-1000, 1000).Draw(t, "beside"))
		}
		for _, x := range places {
			near := 8 + 2*(max(x-now, now-x)>>47) // what is rounded to a ns within the 39 hours of an end piece is as many times as much beyond it
			y, low, high := m.Reference(x), exact(x, -near), exact(x, near)
			if integer(y+near).Cmp(low) < 0 || integer(y-near).Cmp(high) > 0 {
				t.Fatalf("at %d the composite is %d, exactly %s, from %s to %s", x, y, exact(x, 0).FloatString(3), low.FloatString(3), high.FloatString(3))
			}
		}
	})
}
