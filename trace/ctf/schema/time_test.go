package schema

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// anyFrequency draws one of a clock of any kind: whole ns per cycle, as real ones have, or any at all.
var anyFrequency = rapid.OneOf(
	rapid.SampledFrom([]uint64{1, 1000, 1e6, 5e8, 1e9}),
	rapid.SampledFrom([]uint64{3, 24e6, 999e6, 2_893_000_000, 3_290_000_000, 3_293_841_647, math.MaxUint64}),
	rapid.Uint64Range(1, 5e9),
	rapid.Uint64Range(1, math.MaxUint64),
)

// anyCycles draws as many as a machine counts in some years, or any number.
var anyCycles = rapid.OneOf(rapid.Uint64Range(0, 1<<58), rapid.Uint64Range(1<<53-1000, 1<<53), rapid.Uint64())

func anyClock(t *rapid.T) Clock {
	return Clock{
		Frequency: anyFrequency.Draw(t, "frequency"),
		Seconds:   rapid.OneOf(rapid.Int64Range(-1e9, 2e9), rapid.Int64Range(-1e10, 1e10), rapid.Int64()).Draw(t, "seconds"),
		Offset:    rapid.Int64().Draw(t, "offset") >> rapid.IntRange(0, 63).Draw(t, "shift"),
	}
}

var e9 = big.NewInt(second)

// modelled is what the model of a duration is: the exact quotient, cut, and that of the same numbers of 53 bits.
func modelled(cycles *big.Int, frequency uint64) (exact, double *big.Int) {
	freq := new(big.Int).SetUint64(frequency)
	exact = new(big.Int).Mul(cycles, e9)
	exact.Div(exact, freq)
	short := func() *big.Float { return new(big.Float).SetPrec(53) }
	product := short().Mul(short().SetInt(cycles), short().SetInt(e9))
	double, _ = short().Quo(product, short().SetInt(freq)).Int(nil)
	return exact, double
}

// model is the rule for a duration: the double, where a cycle is not a whole number of ns, if it is within 1 ns.
func model(cycles *big.Int, frequency uint64) *big.Int {
	exact, double := modelled(cycles, frequency)
	one := big.NewInt(1)
	switch {
	case second%frequency == 0 || exact.Cmp(double) == 0:
		return exact
	case exact.Cmp(double) < 0:
		return exact.Add(exact, one)
	}
	return exact.Sub(exact, one)
}

// modelTime is the sum of origin and duration.
func modelTime(c *Clock, cycles uint64) *big.Int {
	whole, rest := new(big.Int).DivMod(big.NewInt(c.Offset), new(big.Int).SetUint64(c.Frequency), new(big.Int))
	whole.Add(whole, big.NewInt(c.Seconds))
	if whole.CmpAbs(big.NewInt(math.MaxInt64/second-1)) > 0 {
		whole.SetInt64(0)
	}
	sum := whole.Mul(whole, e9)
	sum.Add(sum, model(rest, c.Frequency)).Add(sum, model(new(big.Int).SetUint64(cycles), c.Frequency))
	if last := big.NewInt(math.MaxInt64); sum.Cmp(last) > 0 {
		return last
	}
	return sum
}

// The time of any value of any clock is what the rule says, and does not fall from one value to the next.
func TestTimeIsThatOfTheModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyClock(t)
		first := anyCycles.Draw(t, "cycles")
		last := int64(math.MinInt64)
		for i := range uint64(100) {
			cycles := first + i
			if cycles < first {
				break
			}
			got := c.Time(cycles)
			if want := modelTime(&c, cycles); got != want.Int64() {
				t.Fatalf("%+v at %d: %d, the model says %d", c, cycles, got, want)
			}
			if got < last {
				t.Fatalf("%+v at %d: %d, at the value before %d", c, cycles, got, last)
			}
			last = got
		}
		if more := rapid.Uint64Range(first, math.MaxUint64).Draw(t, "later"); c.Time(more) < c.Time(first) {
			t.Fatalf("%+v: %d at %d, but %d at %d", c, c.Time(first), first, c.Time(more), more)
		}
	})
}

// For a month after the clock's zero the time is that of the double; no later time is more than 1 ns beside.
func TestDoubleOfAMonth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := Clock{Frequency: anyFrequency.Draw(t, "frequency")}
		if second%c.Frequency == 0 {
			return
		}
		const month = 1 << 53 / 3
		most, _ := c.Cycles(month)
		cycles := rapid.Uint64Range(0, max(most, 1)-1).Draw(t, "cycles")
		_, double := modelled(new(big.Int).SetUint64(cycles), c.Frequency)
		if got := c.Time(cycles); got != double.Int64() {
			t.Fatalf("%+v at %d: %d, the double is %v", c, cycles, got, double)
		}
	})
}

// The cycles of a time are the first ones at that time.
func TestCycles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyClock(t)
		start := anyCycles.Draw(t, "cycles")
		for i := range uint64(100) {
			cycles := start + i
			ns := c.Time(cycles)
			first, ok := c.Cycles(ns)
			if !ok || first > cycles || c.Time(first) != ns || first > 0 && c.Time(first-1) >= ns {
				t.Fatalf("%+v has %d ns at %d; the first of them is said to be %d, %v", c, ns, cycles, first, ok)
			}
		}
	})
}

// The cycles of a time that no value has are the next ones.
func TestCyclesBetween(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyClock(t)
		ns := rapid.Int64().Draw(t, "ns")
		first, ok := c.Cycles(ns)
		switch {
		case !ok && ns >= c.Time(0) && c.Time(math.MaxUint64) >= ns:
			t.Fatalf("%+v: %d ns are said to be none of its times", c, ns)
		case ok && (c.Time(first) < ns || first > 0 && c.Time(first-1) >= ns || ns < c.Time(0)):
			t.Fatalf("%+v: the first at %d ns is said to be %d, whose time is %d", c, ns, first, c.Time(first))
		}
	})
}

// Durations are held where 64 bits end, and do not go round.
func TestDurationsAreHeld(t *testing.T) {
	for _, frequency := range []uint64{1, 3, 1000, 24e6, 999_999_999} {
		// From the last durations below 2⁶⁴ ns, or the last cycles there are, to where the upper word of cycles·10⁹ is the frequency.
		first := lasting(math.MaxUint64, frequency) - 5000
		for _, cycles := range []uint64{first, lasting(math.MaxUint64, frequency), math.MaxUint64 - 5000} {
			for i := range uint64(5000) {
				want := model(new(big.Int).SetUint64(cycles+i), frequency)
				if !want.IsUint64() {
					want.SetUint64(math.MaxUint64)
				}
				if got := nanoseconds(cycles+i, frequency); got != want.Uint64() {
					t.Fatalf("%d cycles of %d Hz last %d ns, not %d", cycles+i, frequency, want, got)
				}
			}
		}
	}
}

func TestTime(t *testing.T) {
	const mpi = 3_293_841_647 // Hz, of a recorded trace
	for _, test := range []struct {
		clock  Clock
		cycles uint64
		want   int64
	}{
		{Clock{Frequency: 1e9}, 5, 5},
		{Clock{Frequency: 1000, Seconds: -5, Offset: 500}, 1, -4_499_000_000},
		{Clock{Frequency: 3, Offset: -1}, 0, -333_333_334},
		{Clock{Frequency: 3_290_000_000}, 3, 0},
		{Clock{Frequency: 1, Seconds: math.MaxInt64}, 7, 7_000_000_000}, // an origin beyond int64
		{Clock{Frequency: 1}, math.MaxUint64, math.MaxInt64},
		{Clock{Frequency: math.MaxUint64, Seconds: 1, Offset: math.MaxInt64}, math.MaxUint64, 2_500_000_000},

		// Two events whose exact times are 1 ns less, as babeltrace prints them, and one between them.
		{Clock{Frequency: mpi, Seconds: 1641387136, Offset: 958208802}, 30_402_051_103_446, 1641396366_258_333_741},
		{Clock{Frequency: mpi, Seconds: 1641387136, Offset: 958208802}, 30_402_051_116_068, 1641396366_258_337_573},
		{Clock{Frequency: mpi, Seconds: 1641387136, Offset: 958208802}, 30_402_051_103_447, 1641396366_258_333_741},

		{Clock{Frequency: mpi, Seconds: 1, Offset: 1290408523}, 0, 1391763983}, // and an origin

		// Where a cycle is a whole number of ns the double of the first is 1 ns less, and does not count.
		{Clock{Frequency: 1e6}, 6_207_890_733, 6_207_890_733_000},
		{Clock{Frequency: 1e6}, 46_603_025_624_910, 46_603_025_624_910_000}, // 8 ns less
		{Clock{Frequency: 1e6}, 1<<53 + 1, (1<<53 + 1) * 1000},
		{Clock{Frequency: 1e9}, 1<<62 + 1, 1<<62 + 1},

		// In the years the double comes to be many ns beside, and 1 of them counts: 79, 79 and 21 here.
		{Clock{Frequency: 999e6}, 296_120_606_464_239_520, 296_417_023_487_727_246},
		{Clock{Frequency: 999e6}, 299_027_237_215_501_537, 299_326_563_779_280_818},
		{Clock{Frequency: mpi}, 293_887_306_997_151_582, 89_223_265_260_739_348},
	} {
		if got := test.clock.Time(test.cycles); got != test.want {
			t.Errorf("%+v at %d: %d, want %d", test.clock, test.cycles, got, test.want)
		}
	}
	if _, ok := (&Clock{Frequency: 1e9, Seconds: 1}).Cycles(999_999_999); ok {
		t.Error("a time before the origin has cycles")
	}
	if _, ok := (&Clock{Frequency: 1, Seconds: 1}).Cycles(999_999_999); ok {
		t.Error("a time less than a cycle before the origin has cycles")
	}
	if _, ok := (&Clock{Frequency: math.MaxUint64}).Cycles(2_000_000_000); ok {
		t.Error("a time behind the clock's last has cycles")
	}
}
