package hull

import (
	"cmp"
	"slices"
	"sort"
	"testing"

	"pgregory.net/rapid"
)

// All points lifted at once are what each is by itself, however far they are.
func TestRaise(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := Cap(rapid.IntRange(0, int(loosest)).Draw(t, "cap"))
		number := rapid.OneOf(rapid.Int64(), rapid.Int64Range(-1000, 1000), rapid.Int64Range(1<<60, 1<<60+1e12), rapid.Int64Range(1<<63-1e6, 1<<63-1))
		var points chain
		for range rapid.IntRange(0, 20).Draw(t, "count") {
			points = append(points, Point{number.Draw(t, "x"), number.Draw(t, "y")})
		}
		slices.SortFunc(points, func(p, q Point) int { return cmp.Compare(p.X, q.X) })
		if rapid.Bool().Draw(t, "rising") {
			ys := make([]int64, len(points))
			for i, p := range points {
				ys[i] = p.Y
			}
			slices.Sort(ys)
			for i, y := range ys {
				points[i].Y = y
			}
		}
		at := number.Draw(t, "t")
		var want chain
		for _, p := range points {
			q, ok := c.lifted(p, at)
			if !ok {
				continue
			}
			for len(want) > 0 && want[len(want)-1].Y >= q.Y {
				want = want[:len(want)-1]
			}
			want = append(want, q)
		}
		if got := c.raise(nil, points, at); !slices.Equal(got, want) {
			t.Fatalf("%v at %d are lifted to %v, each to %v", points, at, got, want)
		}
	})
}

// The vertex that a rising line touches first is the one that turns tell, also of a chain that is none for a ns.
func TestSupport(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		step := rapid.OneOf(rapid.Int64Range(1, 3), rapid.Int64Range(1, 1<<40), rapid.Int64Range(1, 1<<58))
		c := chain{{rapid.Int64Range(-1<<62, 0).Draw(t, "x"), rapid.Int64Range(-1<<62, 0).Draw(t, "y")}}
		for range rapid.IntRange(0, 7).Draw(t, "count") {
			p := c[len(c)-1]
			c = append(c, Point{p.X + step.Draw(t, "dx") - rapid.Int64Range(0, 1).Draw(t, "upright"), p.Y + step.Draw(t, "dy")})
		}
		o := Point{step.Draw(t, "x"), step.Draw(t, "y")}
		a := Point{o.X + step.Draw(t, "dx"), o.Y + step.Draw(t, "dy")}
		want := c[sort.Search(len(c)-1, func(i int) bool { return turn(o, a, c[i], c[i+1]) >= 0 })]
		if got := c.support(o, a); got != want {
			t.Fatalf("from %v to %v touches %v of %v, by turns %v", o, a, got, c, want)
		}
	})
}
