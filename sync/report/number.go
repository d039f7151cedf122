package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

const (
	thin  = "\u202f" // between groups of digits, and before a unit
	minus = "\u2212"
	none  = "–"
)

// group writes a whole number with its digits in threes: "612 408".
func group(n int64) string { return signed(grouped(strconv.FormatUint(magnitude(n), 10)), n < 0) }

func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

func grouped(digits string) string {
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteString(thin)
		}
		b.WriteRune(d)
	}
	return b.String()
}

func signed(s string, negative bool) string {
	if negative && strings.ContainsAny(s, "123456789") {
		return minus + s
	}
	return s
}

// fixed writes v with so many decimals, both sides of the point in threes.
func fixed(v float64, decimals int) string {
	whole, fraction, _ := strings.Cut(strconv.FormatFloat(math.Abs(v), 'f', decimals, 64), ".")
	s := grouped(whole)
	for i := 0; i < len(fraction); i += 3 {
		s += map[bool]string{true: ".", false: thin}[i == 0] + fraction[i:min(i+3, len(fraction))]
	}
	return signed(s, v < 0)
}

// counted is "1 host", "4 hosts".
func counted(n int, one string) string {
	if n == 1 {
		return "1\u00a0" + one
	}
	return group(int64(n)) + "\u00a0" + one + "s"
}

// A unit of time, in ns.
type unit struct {
	ns   float64
	name string
}

var units = []unit{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1, "ns"}}

func unitOf(ns float64) unit {
	for _, u := range units {
		if math.Abs(ns) >= u.ns {
			return u
		}
	}
	return units[len(units)-1]
}

// bound writes an error bound with three digits, rounded up, so that it stays a bound.
func bound(ns int64) string {
	u := unitOf(float64(ns))
	v := float64(ns) / u.ns
	if u.ns == 1 {
		return fixed(v, 0) + thin + u.name
	}
	decimals := max(0, 2-int(math.Floor(math.Log10(max(v, 1)))))
	k := math.Pow10(decimals)
	return fixed(math.Ceil(v*k-1e-9)/k, decimals) + thin + u.name
}

func plusMinus(ns int64) string {
	if ns < 0 {
		return "unknown"
	}
	return "±" + thin + bound(ns)
}

// between is a bound over some time: "± 117 µs to 290 µs", or one figure where both are written alike.
func between(least, most int64) string {
	if bound(least) == bound(most) {
		return plusMinus(most)
	}
	return plusMinus(least) + " to " + bound(most)
}

// about writes a duration in three digits or so.
func about(ns float64) string {
	if ns == 0 {
		return "0" + thin + "ns"
	}
	u := unitOf(ns)
	v := ns / u.ns
	decimals := max(0, 2-int(math.Floor(math.Log10(math.Abs(v)))))
	if u.ns == 1 {
		decimals = min(decimals, 1)
	}
	return fixed(v, min(decimals, 3)) + thin + u.name
}

// ppm is a rate as what it differs from 1, with as many decimals as are certain to ± half, which is negative
// where that is not known.
func ppm(rate, half float64) string {
	decimals := 3
	if half > 0 {
		decimals = min(6, max(0, 1-int(math.Floor(math.Log10(half*1e6)))))
	}
	s := fixed((rate-1)*1e6, decimals)
	if rate > 1 && strings.ContainsAny(s, "123456789") {
		s = "+" + s
	}
	return s + thin + "ppm"
}

// scientific is a number as the tables of the papers have it: "3.65E-010" as 3.65·10⁻¹⁰.
func scientific(v float64) string {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return map[bool]string{true: "0", false: none}[v == 0]
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(math.Abs(v), 'e', 2, 64), "e")
	n, _ := strconv.Atoi(exponent)
	return signed(mantissa, v < 0) + "·10" + superscript(n)
}

func superscript(n int) string {
	digits := []rune("⁰¹²³⁴⁵⁶⁷⁸⁹")
	s := ""
	if n < 0 {
		s = "⁻"
	}
	for _, d := range strconv.FormatUint(magnitude(int64(n)), 10) {
		s += string(digits[d-'0'])
	}
	return s
}

// perSecond is a cap on the change of rate: two digits, rounded up, so that nobody reads a stricter condition than was used.
func perSecond(cap float64) string {
	v := cap * 1e6
	power := math.Pow10(int(math.Floor(math.Log10(v))) - 1)
	return fmt.Sprint(strconv.FormatFloat(math.Ceil(v/power-1e-9)*power, 'g', 2, 64), thin, "ppm a second")
}
