package trace_test

import (
	"math"
	"testing"

	"synchroscope/trace"
)

func TestParseTime(t *testing.T) {
	for s, want := range map[string]int64{
		"0":                    0,
		"1361214076525090092":  1361214076525090092,
		"1361214076.525090092": 1361214076525090092,
		"1.5":                  1_500_000_000,
		"-1.5":                 -1_500_000_000,
		"-0.5":                 -500_000_000,
		"2.":                   2_000_000_000,
		"9223372036.854775807": math.MaxInt64,
	} {
		if got, err := trace.ParseTime(s); err != nil || got != want {
			t.Errorf("ParseTime(%q) = %d, %v, want %d", s, got, err, want)
		}
	}
	for _, s := range []string{"", "-", "+1", "now", "1.0000000001", "1.-5", "9223372036854775808", "9223372036.854775808", "1e9", ".", ".5", "1_0"} {
		if got, err := trace.ParseTime(s); err == nil {
			t.Errorf("ParseTime(%q) = %d, want an error", s, got)
		}
	}
}

// What AppendTime writes, ParseTime reads.
func TestTimeBothWays(t *testing.T) {
	for _, ns := range []int64{0, 1, -1, 999_999_999, -1_000_000_000, 1361214076525090092, math.MaxInt64, math.MinInt64} {
		s := string(trace.AppendTime(nil, ns))
		if got, err := trace.ParseTime(s); err != nil || got != ns {
			t.Errorf("ParseTime(%q) = %d, %v, want %d", s, got, err, ns)
		}
	}
}
