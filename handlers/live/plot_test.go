package live

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"
	"testing/synctest"

	"pgregory.net/rapid"

	"synchroscope/handlers/wire"
	"synchroscope/sync/clock"
	"synchroscope/sync/hull"
	"synchroscope/sync/match"
	"synchroscope/sync/network"
)

// linkOf makes a link from messages between clocks of which b runs ppm faster.
func linkOf(points []constraint) *network.Link {
	var h hull.Hull
	link := &network.Link{A: 0, B: 1}
	for _, p := range points {
		h.Add(hull.Side(p.direction), p.Point)
		if p.direction == 0 {
			link.AToB++
		} else {
			link.BToA++
		}
	}
	link.Class, link.AlphaMin, link.AlphaMax = h.Class(), h.AlphaMin(), h.AlphaMax()
	link.Alpha, link.Beta, _ = h.Midline()
	link.Upper, link.Lower = h.Points(hull.Upper), h.Points(hull.Lower)
	if link.Class == hull.Accurate {
		link.RateCap = hull.Crystals.PerSecond()
	}
	return link
}

// evidenceOf is that of all messages of a link between hosts with these ids.
func evidenceOf(a, b string, points []constraint) *network.Evidence {
	e := network.NewEvidence(a, b)
	for _, p := range points {
		e.Add(hull.Side(p.direction), p.Point)
	}
	return e
}

func spanOf(points []constraint) span {
	s := span{math.MaxInt64, math.MinInt64}
	for _, p := range points {
		s.add(p.X)
	}
	return s
}

const epoch = 1795229345_000_000_000

// exchange draws messages both ways between clocks 3 s and 50 ppm apart.
func exchange(t *rapid.T) []constraint {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) constraint {
		x := epoch + rapid.Int64Range(0, 40e9).Draw(t, "x")
		y := x - 3e9 + (x-epoch)/20000
		delay := rapid.Int64Range(1, 1e6).Draw(t, "delay")
		if rapid.Bool().Draw(t, "direction") {
			return constraint{hull.Point{X: x, Y: y + delay}, 0}
		}
		return constraint{hull.Point{X: x, Y: y - delay}, 1}
	}), 1, 60).Draw(t, "messages")
}

// Residuals are those of rational arithmetic, and the plot keeps the order that the
// geometry has: lower points below the band, the band around both tangents, upper points above.
func TestPlot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		points := exchange(t)
		link := linkOf(points)
		line, midline := estimateOf(link)
		at := spanOf(points)
		out := plot{line, at}.body(link, evidenceOf("a", "b", points), points)
		if midline != (link.Class == hull.Accurate) {
			t.Fatalf("midline %v of a link of class %v", midline, link.Class)
		}
		if !midline {
			return
		}
		for i, p := range points {
			want := new(big.Rat).SetInt64(p.X)
			want.Add(want.Mul(want, link.Alpha), link.Beta)
			want.Sub(new(big.Rat).SetInt64(p.Y), want)
			exact, _ := want.Float64()
			if got := out.Points[i]; got != [3]float64{float64(p.X - at.begin), exact, float64(p.direction)} {
				t.Fatalf("point %v, want y %v", got, exact)
			}
			if y := int64(out.BBegin) + int64(out.BTimes[i]); y != p.Y || out.BTimes[i] < 0 {
				t.Fatalf("point %d is at %d in the time of b, want %d", i, y, p.Y)
			}
			if over := p.direction == 0; over != (exact >= 0) && exact != 0 {
				t.Fatalf("a point of direction %d has residual %v", p.direction, exact)
			}
		}
		for i, x := range []int64{at.begin, at.end} {
			want := new(big.Rat).SetInt64(x)
			want.Sub(want.Add(new(big.Rat).Mul(want, link.Alpha), link.Beta), new(big.Rat).SetInt64(x+int64(out.Ahead)))
			exact, _ := want.Float64()
			if got := out.Drift[i]; got[0] != float64(x-at.begin) || math.Abs(got[1]-exact) > 1e-6*(1+math.Abs(exact)) || i == 0 && math.Abs(got[1]) > 0.6 {
				t.Fatalf("b is ahead by %d and %v at %d, want %v", int64(out.Ahead), got, x, exact)
			}
		}
		// The tangents are steepest and flattest: their residuals are opposite.
		for i := range 2 {
			if sum := out.Lmin[i][1] + out.Lmax[i][1]; math.Abs(sum) > 1e-3*(1+math.Abs(out.Lmin[i][1])) {
				t.Fatalf("Lmin %v and Lmax %v do not have the midline in their middle", out.Lmin, out.Lmax)
			}
			low, high := min(out.Lmin[i][1], out.Lmax[i][1]), max(out.Lmin[i][1], out.Lmax[i][1])
			band := out.Band[i*(len(out.Band)-1)]
			if band[1] > low+1e-6 || band[2] < high-1e-6 {
				t.Fatalf("band %v at an end where the tangents are at %v and %v", band, low, high)
			}
		}
	})
}

// Hull vertices are always among the points, the rest is spread evenly, and
// no more than the limit is kept.
func TestSampler(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		points := exchange(t)
		link := linkOf(points)
		limit := rapid.IntRange(1, 80).Draw(t, "limit")
		s := sampler{most: limit}
		for _, p := range points {
			s.add(p)
			if len(s.kept) >= 2*limit {
				t.Fatalf("%d points held", len(s.kept))
			}
		}
		vertices := slices.Concat(constraints(link.Upper, 0), constraints(link.Lower, 1))
		got := s.with(vertices)
		for _, v := range vertices {
			if !slices.Contains(got, v) {
				t.Fatalf("vertex %v is not shown", v)
			}
		}
		if len(got) > max(limit, len(vertices)) {
			t.Fatalf("%d points shown, limit %d", len(got), limit)
		}
		if len(points) <= limit {
			for _, p := range points {
				if !slices.Contains(got, p) {
					t.Fatalf("%v is missing though all have room", p)
				}
			}
		}
		for _, p := range got {
			if !slices.Contains(points, p) {
				t.Fatalf("%v was never sent", p)
			}
		}
	})
}

func TestSamplerSpreadsEvenly(t *testing.T) {
	s := sampler{most: 100}
	for i := range int64(1_000_000) {
		s.add(constraint{Point: hull.Point{X: i, Y: i}})
	}
	got := s.with(nil)
	if len(got) != 100 || s.seen != 1_000_000 {
		t.Fatalf("%d of %d points", len(got), s.seen)
	}
	for i := 1; i < len(got); i++ {
		if d := got[i].X - got[i-1].X; d < 5_000 || d > 20_000 {
			t.Errorf("points %d and %d are %d apart", i-1, i, d)
		}
	}
}

// Where messages went one way there is a line to draw against, and nothing that bounds.
func TestNoMidline(t *testing.T) {
	points := []constraint{{hull.Point{X: epoch + 10, Y: 1000}, 0}, {hull.Point{X: epoch, Y: 900}, 0}}
	link := linkOf(points)
	line, midline := estimateOf(link)
	out := plot{line, span{epoch, epoch + 10}}.body(link, evidenceOf("a", "b", points), points)
	if midline || out.Lmin != nil || out.Lmax != nil || len(out.Band) > 0 {
		t.Fatalf("a one-way link has a midline %v, lines %v %v or a band %v", midline, out.Lmin, out.Lmax, out.Band)
	}
	if want := [][3]float64{{10, 90, 0}, {0, 0, 0}}; !slices.Equal(out.Points, want) {
		t.Errorf("points %v, want %v: against slope 1 without a delay", out.Points, want)
	}
}

// The clock in force is on the same paper, as the maps of both hosts have it: where it bends and at both ends, by how much it is beyond the line of the link.
func TestForceOnPaper(t *testing.T) {
	knots := func(list ...clock.Knot) *clock.Map {
		m, err := clock.Through(list)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	a := &network.Host{Map: knots(clock.Knot{Local: 0, Reference: 0}, clock.Knot{Local: 1000, Reference: 1000})}
	b := &network.Host{Map: knots(clock.Knot{Local: 5000, Reference: 0}, clock.Knot{Local: 5410, Reference: 400}, clock.Knot{Local: 6000, Reference: 1000})}
	p := plot{estimate{pieces: []ruler{newRuler(big.NewRat(1, 1), big.NewRat(5000, 1))}}, span{0, 1000}}
	if got, want := fmt.Sprint(p.force(a, b)), "[[0 0] [400 10] [1000 0]]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	b.Component = 1
	if got := p.force(a, b); got != nil {
		t.Errorf("a clock is in force that nothing relates: %v", got)
	}
}

// Of a part of the time only its messages are shown, each where it is among all, and the band is that of all.
func TestPointsOfAPart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var points []constraint
		for i := range int64(400) {
			x := epoch + i*1e8
			y := x - 3e9 + (x-epoch)/20000
			points = append(points, constraint{hull.Point{X: x, Y: y + 100_000 + i*7919%50_000}, 0}, constraint{hull.Point{X: x + 5e7, Y: y + 5e7 - 90_000 - i*104729%50_000}, 1})
		}
		set := newFake("a", "b")
		solution := set.solved(1, 0, 0)
		solution.Links = []network.Link{*linkOf(points)}
		set.change(func() { set.solution = solution })
		set.messages = func(_ context.Context, yield func(match.Message) bool) error {
			for _, p := range points {
				if p.direction == 0 {
					yield(match.Message{From: 0, To: 1, Sent: p.X, Received: p.Y})
				} else {
					yield(match.Message{From: 1, To: 0, Sent: p.Y, Received: p.X})
				}
			}
			return nil
		}
		c := connect(t, set, Options{}, nil)
		c.all()
		ask := func(gen, begin, end int64) (out wire.Points) {
			part := ""
			if begin != 0 {
				part = fmt.Sprintf(`,"begin":"%d","end":"%d"`, begin, end)
			}
			c.send(fmt.Sprintf(`{"op":"points","view":1,"gen":%d,"a":0,"b":1,"limit":1000%s}`, gen, part))
			return unmarshal[wire.Points](t, c.one(1, wire.KindPoints))
		}
		all := ask(1, 0, 0)
		heights := map[float64]float64{}
		for _, p := range all.Points {
			heights[p[0]] = p[1]
		}
		if all.Total != 800 || len(heights) != 800 {
			t.Fatalf("%d of %d points", len(heights), all.Total)
		}
		const begin, end = epoch + 10e9, epoch + 11e9
		part := ask(2, begin, end)
		if part.Begin != begin || part.End != end || part.Total != 20 || len(part.Points) != 20 {
			t.Fatalf("%d of %d points from %d to %d", len(part.Points), part.Total, part.Begin, part.End)
		}
		for _, p := range part.Points {
			if height, ok := heights[p[0]+10e9]; !ok || height != p[1] || p[0] < 0 || p[0] >= 1e9 {
				t.Errorf("a point at %v, %v; among all it is at %v", p[0], p[1], height)
			}
		}
		for _, edge := range part.Band {
			if edge[0] < 0 || edge[0] > 1e9 || edge[1] > 0 || edge[2] < 0 {
				t.Errorf("the band is %v", edge)
			}
		}
		if len(part.Band) == 0 {
			t.Error("no band")
		}
		if none := ask(3, epoch-2e9, epoch-1e9); none.Total != 0 || len(none.Points) != 0 {
			t.Errorf("%d points before the first message", none.Total)
		}
	})
}
