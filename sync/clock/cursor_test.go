package clock

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// A cursor gives what its map gives, wherever it was before, to the ns: near knots, near halves, far outside and at the ends of time.
func TestCursor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		anywhere := rapid.OneOf(rapid.Int64(), rapid.Int64Range(-1000, 1000), rapid.Int64Range(now-year, now+year))
		k := Knot{anywhere.Draw(t, "local"), anywhere.Draw(t, "reference")}
		knots := []Knot{k}
		for range rapid.IntRange(1, 6).Draw(t, "pieces") {
			run := rapid.OneOf(rapid.Int64Range(1, 40), rapid.Int64Range(1, 40*second), rapid.Int64Range(1, year), rapid.Int64Range(1, math.MaxInt64)).Draw(t, "run")
			rise := rapid.OneOf(rapid.Just(run), rapid.Int64Range(max(1, run-run/2000), run+min(run/2000, math.MaxInt64-run)), rapid.Int64Range(1, math.MaxInt64)).Draw(t, "rise")
			if k = (Knot{k.Local + run, k.Reference + rise}); k.Local <= knots[len(knots)-1].Local || k.Reference <= knots[len(knots)-1].Reference {
				break // beyond the end of time
			}
			knots = append(knots, k)
		}
		if len(knots) < 2 {
			t.Skip("no piece")
		}
		m, err := New(knots, nil)
		if err != nil {
			t.Fatal(err)
		}
		references, locals := m.References(), m.Locals()
		near := rapid.Custom(func(t *rapid.T) int64 {
			k := rapid.SampledFrom(knots).Draw(t, "knot")
			return rapid.SampledFrom([]int64{k.Local, k.Reference}).Draw(t, "side") + rapid.OneOf(rapid.Int64Range(-3, 3), rapid.Int64Range(-year, year)).Draw(t, "off")
		})
		for _, x := range rapid.SliceOfN(rapid.OneOf(near, anywhere), 1, 40).Draw(t, "times") {
			if got, want := references.At(x), m.Reference(x); got != want {
				t.Fatalf("%v: %d maps to %d by a cursor, %d by the map", knots, x, got, want)
			}
			if got, want := locals.At(x), m.Local(x); got != want {
				t.Fatalf("%v: %d maps back to %d by a cursor, %d by the map", knots, x, got, want)
			}
		}
	})
}

// Halves, where a float cannot tell, go up as they do in the map.
func TestCursorOfHalves(t *testing.T) {
	m, err := New([]Knot{{-1_000_000, -1_000_000}, {1_000_000, 1_000_001}, {3_000_000, 3_000_000}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := m.References()
	for x := int64(-2_000_000); x < 4_000_000; x += 250 {
		for _, x := range []int64{x - 1, x, x + 1} {
			if got, want := c.At(x), m.Reference(x); got != want {
				t.Fatalf("%d maps to %d by a cursor, %d by the map", x, got, want)
			}
		}
	}
}

func BenchmarkReference(b *testing.B) {
	knots := []Knot{{now, now}}
	for i := range int64(60) {
		k := knots[i]
		knots = append(knots, Knot{k.Local + 30*second, k.Reference + 30*second + 1000*(i%7) - 2000})
	}
	m, err := New(knots, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("map", func(b *testing.B) {
		sum, t := int64(0), int64(now)
		for b.Loop() {
			sum += m.Reference(t)
			if t += 123_457; t > now+1800*second {
				t = now
			}
		}
		_ = sum
	})
	b.Run("cursor", func(b *testing.B) {
		sum, t, c := int64(0), int64(now), m.References()
		for b.Loop() {
			sum += c.At(t)
			if t += 123_457; t > now+1800*second {
				t = now
			}
		}
		_ = sum
	})
}
