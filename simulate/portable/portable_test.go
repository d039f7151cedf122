package portable

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func near(t interface{ Fatalf(string, ...any) }, name string, x, got, want, tolerance float64) {
	if math.Abs(got-want) > tolerance*math.Max(1, math.Abs(want)) {
		t.Fatalf("%s(%v) is %v, package math has %v", name, x, got, want)
	}
}

// TestAgainstMath holds the functions against those of package math.
func TestAgainstMath(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(1e-300, 1e300).Draw(t, "x")
		near(t, "Log", x, Log(x), math.Log(x), 1e-15)
		near(t, "Log", 1+1/x, Log(1+1/x), math.Log(1+1/x), 1e-15)
		y := rapid.Float64Range(-700, 700).Draw(t, "y")
		near(t, "Exp", y, Exp(y)/math.Exp(y), 1, 1e-14)
		z := rapid.Float64Range(-1000, 1000).Draw(t, "z")
		near(t, "Sin", z, Sin(z), math.Sin(2*math.Pi*(z-math.Floor(z))), 2e-15)
	})
}

// TestBits are results as one machine had them: another has the same bits.
func TestBits(t *testing.T) {
	var sum uint64
	for i := range 10000 {
		x := float64(i+1) / 777
		for _, v := range []float64{Log(x), Exp(x), Exp(-x), Sin(x)} {
			sum = sum*31 + math.Float64bits(v)
		}
	}
	if want := uint64(3811157922818786462); sum != want {
		t.Errorf("the bits of 40000 results add up to %d, elsewhere to %d", sum, want)
	}
}

func BenchmarkLog(b *testing.B) {
	for b.Loop() {
		Log(1234.5)
	}
}

func BenchmarkExp(b *testing.B) {
	for b.Loop() {
		Exp(1.5)
	}
}
