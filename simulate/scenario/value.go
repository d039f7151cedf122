package scenario

import (
	"fmt"
	"math"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"synchroscope/simulate/chance"
)

// A field is a key of a statement and where its value goes.
type field struct {
	key  string
	read func(r reader, text string) error
}

// A reader reads values: it knows what relative ones relate to, and draws those
// that are left to chance.
type reader struct {
	duration int64 // of the scenario, 0 if that is not known yet
	dice     func(key string) *chance.Source
	key      string
}

func duration(key string, to *int64) field {
	return field{key, func(r reader, text string) error {
		v, err := r.span(text, r.parseDuration)
		*to = int64(v)
		return err
	}}
}

// ppm, plain and percent are reals; ppm may carry its unit.
func ppm(key string, to *float64) field {
	return field{key, func(r reader, text string) error {
		v, err := r.span(text, func(s string) (float64, error) { return parseReal(strings.TrimSuffix(s, "ppm")) })
		*to = v
		return err
	}}
}

func plain(key string, to *float64) field {
	return field{key, func(r reader, text string) (err error) {
		*to, err = r.span(text, parseReal)
		return err
	}}
}

func chanceOf(key string, to *float64) field {
	return field{key, func(r reader, text string) (err error) {
		*to, err = r.span(text, func(s string) (float64, error) {
			s, percent := strings.CutSuffix(s, "%")
			v, err := parseReal(s)
			if percent {
				v /= 100
			}
			return v, err
		})
		if err == nil && (*to < 0 || *to > 1) {
			return fmt.Errorf("%q is no probability", text)
		}
		return err
	}}
}

// units are what a number is multiplied with.
type units map[string]float64

var (
	bytesUnits = units{"": 1, "B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
	bitUnits   = units{"bps": 1, "kbps": 1e3, "Mbps": 1e6, "Gbps": 1e9}
	hertzUnits = units{"Hz": 1, "kHz": 1e3, "MHz": 1e6, "GHz": 1e9}
)

// whole is an integer that is not negative, with a unit.
func whole[T int | int64 | uint64](key string, u units, to *T) field {
	return field{key, func(r reader, text string) error {
		v, err := r.span(text, u.parse)
		if err == nil && (v < 0 || v > 1<<53) {
			return fmt.Errorf("%q is too large, or negative", text)
		}
		*to = T(math.Round(v))
		return err
	}}
}

func flag(key string, to *bool) field {
	return field{key, func(_ reader, text string) error {
		if text != "yes" && text != "no" {
			return fmt.Errorf("%q is neither yes nor no", text)
		}
		*to = text == "yes"
		return nil
	}}
}

func name(key string, to *string) field {
	return field{key, func(_ reader, text string) error {
		*to = text
		return nil
	}}
}

func list(key string, to *[]string) field {
	return field{key, func(_ reader, text string) error {
		*to = nil
		for s := range strings.SplitSeq(text, ",") {
			*to = append(*to, strings.TrimSpace(s))
		}
		return nil
	}}
}

func address(key string, to *[4]byte) field {
	return field{key, func(_ reader, text string) error {
		ip, err := netip.ParseAddr(text)
		if err != nil || !ip.Is4() {
			return fmt.Errorf("%q is no IPv4 address", text)
		}
		*to = ip.As4()
		return nil
	}}
}

// span reads a value, or draws it from a range such as -5s..5s.
func (r reader) span(text string, parse func(string) (float64, error)) (float64, error) {
	low, high, isRange := strings.Cut(text, "..")
	a, err := parse(low)
	if err != nil || !isRange {
		return a, err
	}
	b, err := parse(high)
	if err != nil {
		return 0, err
	}
	if b < a {
		return 0, fmt.Errorf("the range %q ends before it begins", text)
	}
	return a + float64(r.dice(r.key).Float64()*(b-a)), nil
}

// parseDuration reads 20ms, 1h30m, 2d or, of the scenario's duration, 50%.
func (r reader) parseDuration(text string) (float64, error) {
	if part, ok := strings.CutSuffix(text, "%"); ok {
		v, err := parseReal(part)
		if err == nil && r.duration == 0 {
			return 0, fmt.Errorf("%q is part of a duration that is not given above", text)
		}
		return math.Floor(v * float64(r.duration) / 100), err
	}
	if days, ok := strings.CutSuffix(text, "d"); ok {
		v, err := parseReal(days)
		return v * 86400e9, err
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0, fmt.Errorf("%q is no duration such as 20ms, 1h30m or 2d", text)
	}
	return float64(d), nil
}

func parseReal(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%q is no number", text)
	}
	return v, nil
}

func (u units) parse(text string) (float64, error) {
	i := len(text)
	for i > 0 && (text[i-1] < '0' || text[i-1] > '9') {
		i--
	}
	by, ok := u[text[i:]]
	if !ok && len(u) == 1 {
		return 0, fmt.Errorf("%q is no plain number", text)
	}
	if !ok {
		return 0, fmt.Errorf("%q has no unit that is known here; those are %s", text, u)
	}
	v, err := parseReal(text[:i])
	return v * by, err
}

func (u units) String() string {
	if _, ok := u["bps"]; ok {
		return "bps, kbps, Mbps and Gbps"
	}
	if _, ok := u["Hz"]; ok {
		return "Hz, kHz, MHz and GHz"
	}
	return "B, kB, MB, GB, KiB, MiB, GiB"
}
