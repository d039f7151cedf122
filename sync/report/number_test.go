package report

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/sync/network"
)

func plain(s string) string {
	return strings.NewReplacer(thin, " ", "\u00a0", " ", minus, "-").Replace(s)
}

func TestNumbers(t *testing.T) {
	for got, want := range map[string]string{
		group(-1234567):                "-1 234 567",
		group(-1 << 63):                "-9 223 372 036 854 775 808",
		fixed(-0.0001, 2):              "0.00",
		fixed(12345.67891, 4):          "12 345.678 9",
		bound(0):                       "0 ns",
		bound(999):                     "999 ns",
		bound(24_011):                  "24.1 µs",
		bound(183_001):                 "184 µs",
		bound(38_000_000):              "38.0 ms",
		between(116_100, 116_900):      "± 117 µs",
		between(116_100, 290_000):      "± 117 µs to 290 µs",
		plusMinus(-1):                  "unknown",
		ppm(1.00001234567, 0):          "+12.346 ppm",
		ppm(1.00001234567, 1e-6):       "+12.3 ppm",
		ppm(0.9999, -1):                "-100.000 ppm",
		scientific(-2.07e-4):           "-2.07·10⁻⁴",
		scientific(3.65e-10):           "3.65·10⁻¹⁰",
		scientific(0):                  "0",
		perSecond(2.8e-8):              "0.028 ppm a second",
		about(77_249):                  "77.2 µs",
		about(-1.5e9):                  "-1.50 s",
		counted(1, "host"):             "1 host",
		axisLabel(-400e3, 400e3, true): "-400 µs",
		axisLabel(2e5, 4e5, true):      "+200 µs",
		axisLabel(1234e9, 5e12, false): "1 234 s",
		marked(0, 39e9, 8):             "0 s, 5 s, 10 s, 15 s, 20 s, 25 s, 30 s, 35 s",
		marked(3600.1e9, 3600.29e9, 4): "3 600.10 s, 3 600.15 s, 3 600.20 s, 3 600.25 s",
		marked(-1.5e6, 1e6, 3):         "-1 ms, 0 ms, 1 ms",
	} {
		if plain(got) != want {
			t.Errorf("%q, want %q", plain(got), want)
		}
	}
}

// A bound that is written is not below the bound.
func TestBoundIsNotRoundedDown(t *testing.T) {
	units := map[string]float64{"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}
	rapid.Check(t, func(t *rapid.T) {
		ns := rapid.Int64Range(0, 1e15).Draw(t, "ns")
		s := strings.Split(bound(ns), thin)
		var written float64
		for _, c := range strings.Join(s[:len(s)-1], "") {
			if c == '.' {
				break
			}
			written = written*10 + float64(c-'0')
		}
		if _, fraction, ok := strings.Cut(strings.Join(s[:len(s)-1], ""), "."); ok {
			scale := 0.1
			for _, c := range fraction {
				written += float64(c-'0') * scale
				scale /= 10
			}
		}
		written *= units[s[len(s)-1]]
		if written < float64(ns)*(1-1e-12) || written > float64(ns)*1.01+1 {
			t.Fatalf("%d ns is written as %q, %v", ns, bound(ns), written)
		}
	})
}

// marked are times on an axis, one after another.
func marked(first, last float64, most int) string {
	var labels []string
	for _, t := range timesBetween(first, last, most) {
		labels = append(labels, t.label)
	}
	return strings.Join(labels, ", ")
}

// Of a clock whose pieces but for those in which it was set have one rate, that rate is told once.
func TestRateOfAClockThatWasSet(t *testing.T) {
	even, set, other := network.Piece{Rate: 1 - 1e-5}, network.Piece{Rate: 1.5}, network.Piece{Rate: 1 - 2e-5}
	for _, c := range []struct {
		pieces []network.Piece
		want   string
	}{
		{[]network.Piece{even, set, even}, "+10.000 ppm"},
		{[]network.Piece{even, set, other}, "+10.00 ppm to +20.00 ppm"},
		{[]network.Piece{set}, "-333 333.333 ppm"},
	} {
		if got := plain(mapRates(c.pieces)); got != c.want {
			t.Errorf("%v: %q, want %q", c.pieces, got, c.want)
		}
	}
}
