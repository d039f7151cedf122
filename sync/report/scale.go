package report

import (
	"math"
	"strconv"
	"strings"
)

// roundStep is the least of 1, 2, 5 times a power of ten that is not below least.
func roundStep(least float64) float64 {
	if !(least > 0) {
		return 1
	}
	power := math.Pow10(int(math.Floor(math.Log10(least))))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= least*(1-1e-9) {
			return m * power
		}
	}
	return 10 * power
}

// roundValues are at most about so many round values between low and high.
func roundValues(low, high float64, most int) []float64 {
	step := roundStep((high - low) / float64(max(1, most)))
	var values []float64
	for k := math.Ceil(low / step); k*step <= high+step*1e-9 && len(values) < 100; k++ {
		values = append(values, k*step)
	}
	return values
}

// A timeMark is a round time on an axis, and its words.
type timeMark struct {
	ns    float64
	label string
}

// timesBetween are round times between two, with as many decimals as tell them apart, however far they are from 0.
func timesBetween(first, last float64, most int) []timeMark {
	var marks []timeMark
	u, step := unitOf(last), roundStep((last-first)/float64(max(1, most)))
	decimals := max(0, -int(math.Floor(math.Log10(step/u.ns)+1e-9)))
	for _, t := range roundValues(first, last, most) {
		s := strconv.FormatFloat(math.Abs(t/u.ns), 'f', decimals, 64)
		whole, fraction, ok := strings.Cut(s, ".")
		s = grouped(whole)
		if ok {
			s += "." + fraction
		}
		if t < 0 {
			s = minus + s
		}
		marks = append(marks, timeMark{t, s + thin + u.name})
	}
	return marks
}

// axisLabel writes a value of an axis in the unit that suits its largest one.
func axisLabel(ns, largest float64, sign bool) string {
	u := unitOf(largest)
	v := ns / u.ns
	s := strconv.FormatFloat(math.Abs(v), 'f', -1, 64)
	if r := strconv.FormatFloat(math.Abs(v), 'g', 3, 64); !strings.Contains(r, "e") {
		s = r
	}
	if whole, fraction, ok := strings.Cut(s, "."); ok {
		s = grouped(whole) + "." + fraction
	} else {
		s = grouped(s)
	}
	switch {
	case ns < 0:
		s = minus + s
	case sign && ns > 0:
		s = "+" + s
	}
	return s + thin + u.name
}

// A heightScale is the vertical axis of bounds: even, or of powers of ten where the worst is much worse than the best.
type heightScale struct {
	low, high   float64
	log         bool
	top, bottom float64 // pixels
}

func newHeightScale(least, most, top, bottom float64) heightScale {
	s := heightScale{high: max(most, 1) * 1.08, top: top, bottom: bottom}
	if least > 0 && most/least > 30 {
		s.log = true
		s.low, s.high = math.Pow10(int(math.Floor(math.Log10(least)))), math.Pow10(int(math.Ceil(math.Log10(most))))
	}
	return s
}

func (s heightScale) y(v float64) float64 {
	share := v / s.high
	if s.log {
		share = math.Log(max(v, s.low)/s.low) / math.Log(s.high/s.low)
	}
	return s.bottom - (s.bottom-s.top)*share
}

func (s heightScale) marks() []float64 {
	if !s.log {
		return roundValues(0, s.high, 5)
	}
	var marks []float64
	for v := s.low; v <= s.high*(1+1e-9); v *= 10 {
		marks = append(marks, v)
	}
	return marks
}
