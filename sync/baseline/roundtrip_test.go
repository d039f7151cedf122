package baseline

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/sync/hull"
)

func up(x, y int64) Constraint  { return Constraint{hull.Upper, hull.Point{X: x, Y: y}} }
func low(x, y int64) Constraint { return Constraint{hull.Lower, hull.Point{X: x, Y: y}} }

func linkOf(messages ...Constraint) *Link { return &Link{A: 0, B: 1, Messages: messages} }

// T1 to T4 are 0, 150, 160, 110: half-way B is 100 ahead, and a message takes 50 on the mean.
func TestOffsetOfARoundTrip(t *testing.T) {
	want := Point{T: 55, D: 100, E: 50}
	if p := offset(trip{up(0, 150), low(110, 160)}, 0, 0); p != want {
		t.Errorf("%+v, want %+v", p, want)
	}
	// The same messages, but B began.
	if p := offset(trip{low(110, 160), up(0, 150)}, 0, 0); p != want {
		t.Errorf("seen from B: %+v, want %+v", p, want)
	}
	if p := offset(trip{up(0, 150), low(110, 160)}, -1000, 90); p != (Point{T: 1055, D: 10, E: 50}) {
		t.Errorf("about another origin: %+v", p)
	}
}

// Table 4.3 of the thesis: a round trip a second for ten minutes, a residual
// of 1.55 µs, and errors of 3.65e-10 and 1.28e-7 s.
func TestErrorsOfAFit(t *testing.T) {
	const n = 600
	// Residuals that are orthogonal to the line but for little, and of one size.
	size := 1550 * math.Sqrt((n-2.0)/n)
	var points []Point
	for i := range n {
		points = append(points, Point{T: float64(i) * 1e9, D: 5000 + 3e-6*float64(i)*1e9 + size*[]float64{1, -1, -1, 1}[i%4]})
	}
	f, ok := leastSquares(points)
	near := func(what string, got, want, by float64) {
		t.Helper()
		if math.Abs(got-want) > by*math.Abs(want) {
			t.Errorf("%s is %g, want %g", what, got, want)
		}
	}
	if !ok || f.N != n {
		t.Fatalf("%+v, %v", f, ok)
	}
	near("ER", f.ER, 1550, 1e-4)
	near("EX", f.EX, 3.65e-10, 5e-3)
	near("ED0", f.ED0, 1.27e2, 5e-3)
	near("X", f.X, 3e-6, 1e-3)
	near("D0", f.D0, 5000, 1e-2)
}

// Formulas 3.3 and 3.4 as they are printed, in rationals.
func TestLeastSquaresAgainstTheFormulas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		origin := rapid.Int64Range(0, 43200e9).Draw(t, "origin")
		n := rapid.IntRange(2, 40).Draw(t, "points")
		var points []Point
		sum := make([]*big.Rat, 5) // n, T, D, TT, TD
		for i := range sum {
			sum[i] = new(big.Rat)
		}
		for range n {
			at := origin + rapid.Int64Range(0, 1800e9).Draw(t, "t")
			d := rapid.Int64Range(-1e6, 1e6).Draw(t, "d")
			points = append(points, Point{T: float64(at), D: float64(d)})
			x, y := new(big.Rat).SetInt64(at), new(big.Rat).SetInt64(d)
			for i, v := range []*big.Rat{big.NewRat(1, 1), x, y, new(big.Rat).Mul(x, x), new(big.Rat).Mul(x, y)} {
				sum[i].Add(sum[i], v)
			}
		}
		mul := func(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }
		sub := func(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }
		delta := sub(mul(sum[0], sum[3]), mul(sum[1], sum[1]))
		f, ok := leastSquares(points)
		if ok != (delta.Sign() != 0) {
			t.Fatalf("a rate: %v, delta %v", ok, delta)
		}
		if !ok {
			return
		}
		x := sub(mul(sum[0], sum[4]), mul(sum[1], sum[2]))
		d0 := sub(mul(sum[3], sum[2]), mul(sum[1], sum[4]))
		x.Quo(x, delta)
		d0.Quo(d0, delta)
		// At the points, where it matters, not at the origin, which may be hours off.
		for _, p := range points {
			at := new(big.Rat).SetFloat64(p.T)
			want, _ := at.Add(mul(at, x), d0).Float64()
			if got := f.X*p.T + f.D0; math.Abs(got-want) > 1e-2+1e-9*math.Abs(f.D0) {
				t.Fatalf("at %g: %g, want %g", p.T, got, want)
			}
		}
	})
}

// A stray answer does not make every pause a round trip.
func TestPairingOfMessages(t *testing.T) {
	const s = 1_000_000_000
	messages := []Constraint{low(1000, 500)} // nobody saw the question
	for i := range int64(4) {
		at := (i + 1) * s / 2
		messages = append(messages, up(at, at+100), low(at+300, at+200))
	}
	trips := roundTrips(messages, s)
	if len(trips) != 4 {
		t.Fatalf("%d round trips, want 4: %v", len(trips), trips)
	}
	for _, p := range trips {
		if h, ok := hold(p[0], p[1]); !ok || h != 100 {
			t.Errorf("%v holds for %d ns, want 100", p, h)
		}
	}
	if trips := roundTrips(messages, 99); len(trips) != 0 {
		t.Errorf("%d round trips hold for less than 100 ns", len(trips))
	}
}

// Each message is in one round trip at most, and each is an answer after its question.
func TestRoundTripsAreSound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var messages []Constraint
		for range rapid.IntRange(0, 50).Draw(t, "messages") {
			x := rapid.Int64Range(0, 2000).Draw(t, "x")
			delay := rapid.Int64Range(1, 300).Draw(t, "delay")
			if rapid.Bool().Draw(t, "up") {
				messages = append(messages, up(x, x+delay))
			} else {
				messages = append(messages, low(x, x-delay))
			}
		}
		messages = sorted(messages)
		trips := roundTrips(messages, 500)
		next := 0
		for _, p := range trips {
			if p[0].Side == p[1].Side {
				t.Fatalf("%v is in one direction", p)
			}
			if h, ok := hold(p[0], p[1]); !ok || h > 500 {
				t.Fatalf("%v holds for %d", p, h)
			}
			// E is half of what both took: never below 0, and D is that near to the true offset of 0.
			if q := offset(p, 0, 0); q.E < 0 || math.Abs(q.D) > q.E {
				t.Fatalf("%v is %+v", p, q)
			}
			for next+1 < len(messages) && (messages[next] != p[0] || messages[next+1] != p[1]) {
				next++
			}
			if next+1 >= len(messages) {
				t.Fatalf("%v are no neighbours, or were used before", p)
			}
			next += 2
		}
	})
}

// Of E = 10, 20, 30, 40, 900 the mean is 200 and the deviation 391.6: within
// 1.64 of them are -442 to 842.
func TestFilter(t *testing.T) {
	var s Segment
	points := []Point{{E: 10}, {E: 20}, {E: 30}, {E: 40}, {E: 900}}
	kept := s.filter(points, 1.64)
	if len(kept) != 4 || s.Kept != 4 || s.Points != 5 || s.Mean != 200 || s.Min != 10 || s.Max != 900 {
		t.Errorf("%+v, %+v", kept, s)
	}
	if s.describe(kept); s.KeptMean != 25 || s.KeptMin != 10 || s.KeptMax != 40 {
		t.Errorf("of those kept: %+v", s)
	}
	if kept := (&Segment{}).filter(points, math.Inf(1)); len(kept) != 5 {
		t.Errorf("of all points %d were kept", len(kept))
	}
}

// Three hours are six segments, each with its own rate; one without points leaves the others alone.
func TestSegments(t *testing.T) {
	const minute = 60_000_000_000
	var messages []Constraint
	offset := func(x int64) int64 { // 10 ppm faster from hour to hour
		h := x / (60 * minute)
		return h*(h+1)/2*36_000_000 + h*(x%(60*minute))/100_000 - h*36_000_000
	}
	for x := int64(0); x < 180*minute; x += minute / 6 {
		if x > 61*minute && x < 89*minute {
			continue
		}
		messages = append(messages, up(x, x+offset(x)+1000), low(x+3000, x+3000+offset(x+3000)-1000))
	}
	segments := RoundTrips(linkOf(messages...), RoundTripConfig{})
	if len(segments) != 6 {
		t.Fatalf("%d segments, want 6", len(segments))
	}
	for i, s := range segments {
		want := float64(i/2) * 1e-5
		if math.Abs(s.Fit.X-want) > 1e-8 || s.Mean < 999 || s.Mean > 1001 || s.KeptMean < 999 || s.KeptMean > 1001 {
			t.Errorf("segment %d has the rate %g, want %g; E is %g", i, s.Fit.X, want, s.Mean)
		}
	}
	e := RoundTrip.Estimate(linkOf(messages...), Config{})
	if e.Pieces != 6 || e.Alpha != nil {
		t.Fatalf("%d pieces, alpha %v", e.Pieces, e.Alpha)
	}
	for i, s := range segments {
		x := s.Begin + (s.End-s.Begin)/2
		if got := e.Clock.Reference(x) - x; math.Abs(float64(got-offset(x))) > 20 {
			t.Errorf("in the middle of segment %d the offset is %d, want %d", i, got, offset(x))
		}
	}
	knots := e.Clock.Knots()
	for i := 1; i < len(knots); i++ {
		if knots[i].Local <= knots[i-1].Local || knots[i].Reference <= knots[i-1].Reference {
			t.Errorf("time stands still at knot %d", i)
		}
	}
}

// One round trip gives an offset and no rate, none gives nothing: never NaN.
func TestFewPoints(t *testing.T) {
	e := RoundTrip.Estimate(linkOf(up(0, 150), low(110, 160)), Config{})
	if e.Clock == nil || e.Clock.Reference(55) != 155 || e.Clock.Reference(1055)-e.Clock.Reference(55) != 1000 || math.IsNaN(e.Weight) {
		t.Errorf("one round trip: %+v", e)
	}
	for _, m := range Methods() {
		for _, l := range []*Link{linkOf(up(0, 150)), linkOf(up(0, 150), up(20, 180)), linkOf(low(0, -10))} {
			if e := m.Estimate(l, Config{}); e.Clock != nil {
				t.Errorf("%v makes a clock of messages in one direction: %+v", m, e)
			}
		}
		same := linkOf(up(100, 150), up(100, 160), low(100, 60))
		if e := m.Estimate(same, Config{}); e.Clock != nil && (math.IsNaN(e.Weight) || math.IsInf(e.Weight, 0)) {
			t.Errorf("%v of messages at one time: %+v", m, e)
		}
	}
}
