package hull

import (
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Whatever the order, and however many parts were merged, a series is the
// hulls of the messages by window, with the smallest windows that suffice.
func TestSeriesIsAFunctionOfTheSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		messages := links(t)
		if rapid.Bool().Draw(t, "many windows") {
			for i := range rapid.IntRange(0, 3000).Draw(t, "more") {
				x := int64(i) * 1_000_000
				messages = append(messages, message{Side(i % 2), Point{x, x + x/8}})
			}
		}
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		build := func() *Series {
			shuffled := slices.Clone(messages)
			r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
			parts := make([]Series, 1+r.IntN(3))
			for i, m := range shuffled {
				parts[i%len(parts)].Add(m.side, m.p)
			}
			for i := range parts[1:] {
				parts[0].Merge(&parts[i+1])
			}
			return parts[0].Clone()
		}
		a, b := build(), build()
		if !reflect.DeepEqual(a, b) {
			t.Fatalf("two orders of the same messages give\n%v\nand\n%v", a, b)
		}
		first, last := messages[0].p.X, messages[0].p.X
		for _, m := range messages {
			first, last = min(first, m.p.X), max(last, m.p.X)
		}
		if last>>a.width-first>>a.width >= maxWindows {
			t.Fatalf("windows of 2^%d ns are too many from %d to %d", a.width, first, last)
		}
		if a.width > 0 && uint64(last>>(a.width-1))-uint64(first>>(a.width-1)) < maxWindows {
			t.Fatalf("windows of 2^%d ns are wider than need be", a.width)
		}
		// Each window is the hull of its own messages.
		for _, w := range a.windows {
			var h Hull
			for _, m := range messages {
				if m.p.X>>a.width == w.at {
					h.insert(m.side, m.p)
				}
			}
			if !slices.Equal(w.ceiling, h.ceiling) || !slices.Equal(w.floor, h.floor) {
				t.Fatalf("window %d has %v, its messages give %v", w.at, w, h)
			}
		}
	})
}

// A lift is the square, rounded up, and never less.
func TestLift(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := Cap(rapid.IntRange(0, int(loosest)).Draw(t, "cap"))
		x, at := rapid.Int64().Draw(t, "x"), rapid.Int64().Draw(t, "t")
		if rapid.Bool().Draw(t, "near") {
			at = x + rapid.Int64Range(-1e15, 1e15).Draw(t, "d")
		}
		d := subtract(x, at)
		want := new(big.Int).Mul(d, d)
		unit := new(big.Int).Lsh(big.NewInt(1), uint(56-c))
		want.Add(want, unit).Sub(want, big.NewInt(1)).Quo(want, unit)
		got, ok := c.lift(x, at)
		if ok != (want.Cmp(big.NewInt(reach)) < 0) {
			t.Fatalf("lift %v, ok %v", want, ok)
		}
		if ok && want.Cmp(big.NewInt(got)) != 0 {
			t.Fatalf("lifted by %d, want %v", got, want)
		}
	})
}

func TestSeriesStored(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s Series
		for _, m := range links(t) {
			s.Add(m.side, m.p)
		}
		b := s.AppendBinary(nil)
		got, rest, err := ParseSeries(append(b, 7))
		if err != nil || len(rest) != 1 {
			t.Fatalf("%v, %d bytes left", err, len(rest))
		}
		if !reflect.DeepEqual(got.byOther(), s.byOther()) {
			t.Fatalf("by the second clock the series read has other messages")
		}
		if string(got.AppendBinary(nil)) != string(b) || !slices.Equal(got.Points(Upper), s.Points(Upper)) || !slices.Equal(got.Points(Lower), s.Points(Lower)) {
			t.Fatalf("the series read is not the series stored")
		}
		for cut := range b {
			if _, _, err := ParseSeries(b[:cut]); err == nil {
				t.Fatalf("%d of %d bytes are taken for a whole series", cut, len(b))
			}
		}
	})
}

func FuzzParseSeries(f *testing.F) {
	var s Series
	f.Add(s.AppendBinary(nil))
	s.Add(Upper, Point{1, 5})
	s.Add(Lower, Point{3, 2})
	s.Add(Upper, Point{9_000_000, 12_000_000})
	f.Add(s.AppendBinary(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, rest, err := ParseSeries(b)
		if err != nil {
			return
		}
		again, _, err := ParseSeries(s.AppendBinary(nil))
		if err != nil || !slices.Equal(again.Points(Upper), s.Points(Upper)) || len(rest) > len(b) {
			t.Fatalf("a series that was read cannot be stored and read again: %v", err)
		}
	})
}

// A link that talks all the time: what one message costs, in the hull of all
// and in the series, and what is kept of them.
func BenchmarkAdd(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	var messages [1 << 16]message
	for i := range messages {
		at := int64(i) * 500_000
		delay := 60_000 + int64(r.ExpFloat64()*100_000)
		messages[i] = message{Upper, Point{at, at + delay}}
		if i%2 == 1 {
			messages[i] = message{Lower, Point{at + delay, at}}
		}
	}
	for _, name := range []string{"hull", "series", "both"} {
		b.Run(name, func(b *testing.B) {
			var h Hull
			var s Series
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				m := messages[i%len(messages)]
				ahead := 1<<60 + int64(i/len(messages))*int64(len(messages))*500_000
				p := Point{m.p.X + ahead, m.p.Y + ahead}
				if name != "series" {
					h.Add(m.side, p)
				}
				if name != "hull" {
					s.Add(m.side, p)
				}
			}
			b.ReportMetric(float64(len(s.Points(Upper))+len(s.Points(Lower))), "points")
		})
	}
}
