package clock

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

func found(times ...int64) int64 {
	var t Ticks
	for _, at := range times {
		t.Add(at)
	}
	return t.Tick()
}

func TestTicks(t *testing.T) {
	const ms = 1_000_000
	many := func(step func(i int) int64, shared int) (times []int64) {
		at := int64(1_700_000_000_000_000_123)
		for i := range 100 {
			for range 1 + shared {
				times = append(times, at)
			}
			at += step(i)
		}
		return times
	}
	for _, c := range []struct {
		name  string
		times []int64
		want  int64
	}{
		{"nothing", nil, 0},
		{"one event", []int64{7}, 0},
		{"three steps", []int64{0, ms, 3 * ms, 4 * ms}, 0},
		{"four steps", []int64{0, ms, 3 * ms, 4 * ms, 9 * ms}, ms},
		{"four steps, some events at once", []int64{0, 0, ms, ms, 3 * ms, 4 * ms, 9 * ms}, ms},
		{"whole µs", many(func(i int) int64 { return int64(1+i%7) * 1000 }, 0), 1000},
		{"whole steps of less than a µs", many(func(i int) int64 { return int64(1+i%7) * 500 }, 0), 0},
		{"seldom, and fine", many(func(i int) int64 { return ms + int64(i) }, 0), 0},
		{"often, and fine", many(func(i int) int64 { return int64(1 + i) }, 0), 0},
		{"coarse, but for one step", append(many(func(int) int64 { return ms }, 3), 1_700_000_000_000_000_123+99*ms+999), 0},
		{"uneven", many(func(i int) int64 { return 4*ms + int64(i*7919%1000) }, 3), 4*ms + 978},
		{"uneven, one lost", many(func(i int) int64 { return (4*ms + int64(i%3)) * int64(1+i/99) }, 3), 4*ms + 2},
		{"uneven, with pauses", many(func(i int) int64 {
			if i%10 == 9 {
				return 1000*ms + int64(i)
			}
			return 4*ms + int64(i%3)
		}, 3), 4*ms + 2},
		{"set back by whole ms", []int64{5 * ms, 9 * ms, 2 * ms, 3 * ms, 8 * ms}, ms},
		{"to the ends of time", []int64{math.MinInt64, math.MaxInt64, math.MinInt64, math.MaxInt64, math.MinInt64}, math.MaxInt64},
	} {
		if got := found(c.times...); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// A clock that is seen to tick ticks by no more than what is found, and one that counts ns is not said to tick.
func TestTicksAreNoShorter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		every := rapid.Int64Range(1, 20_000_000).Draw(t, "every")
		gap := rapid.Int64Range(100, 10_000_000).Draw(t, "gap")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		var k, resumed Ticks
		at, origin := r.Int64N(1<<60), r.Int64N(every)
		for i := range rapid.IntRange(0, 3000).Draw(t, "events") {
			at += int64(r.ExpFloat64() * float64(gap))
			shown := at - (at-origin)%every
			k.Add(shown)
			resumed.Add(shown)
			if i%700 == 13 {
				state := resumed.AppendState(nil)
				resumed = Ticks{}
				if err := resumed.Restore(state); err != nil {
					t.Fatal(err)
				}
			}
		}
		tick := k.Tick()
		if tick != 0 && tick < every {
			t.Fatalf("found %d of %d", tick, every)
		}
		if every == 1 && tick > 0 {
			t.Fatalf("a fine clock is said to advance by %d", tick)
		}
		if got := resumed.Tick(); got != tick || resumed.Regular() != k.Regular() {
			t.Fatalf("%d after a resume, %d without", got, tick)
		}
	})
}

func TestRestoreTicksRefusesDamage(t *testing.T) {
	var k Ticks
	for i := range int64(50) {
		k.Add(i * 4_000_017)
	}
	state := k.AppendState(nil)
	for n := 1; n < len(state); n++ {
		if err := new(Ticks).Restore(state[:n]); err == nil {
			t.Errorf("%d of %d bytes are enough", n, len(state))
		}
	}
	if err := new(Ticks).Restore(append(state, 0)); err == nil {
		t.Error("a byte more is not seen")
	}
}

func BenchmarkTicks(b *testing.B) {
	var k Ticks
	b.ReportAllocs()
	for i := range b.N {
		k.Add(int64(i) * 317)
	}
}
