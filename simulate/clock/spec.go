// Package clock is the clock of a simulated machine: from true time to what the
// machine's tracer stamps, exactly.
//
// docs/simulator.md defines the function. It is piecewise linear in integers, so
// parameters and chance give the same stamps on every machine, and it can be
// asked again for the truth.
package clock

import (
	"fmt"
	"math"
)

// Epoch is the local time, in ns, that a right clock shows at true time 0:
// 2026-01-01 00:00:00 UTC.
const Epoch = 1_767_225_600 * second

const (
	second = 1_000_000_000
	day    = 86400 * second
)

// A Spec is what is wrong with a clock. The zero value is a right one of 1 GHz whose machine
// booted when the scenario began.
type Spec struct {
	Offset     int64    `json:"offset_ns,omitempty"`          // local minus right time at true time 0
	Rate       float64  `json:"rate_ppm,omitempty"`           // how much too fast
	Ageing     float64  `json:"ageing_ppm_per_day,omitempty"` // by how much the rate grows
	Thermal    []Wave   `json:"thermal,omitempty"`
	Walk       float64  `json:"walk_ppm_per_sqrt_s,omitempty"` // the random walk of the rate: after t seconds its standard deviation is Walk·√t
	Steps      []Step   `json:"steps,omitempty"`               // in order of time
	Reboots    []Reboot `json:"reboots,omitempty"`             // in order of time
	Resolution int64    `json:"resolution_ns,omitempty"`       // what the clock advances by, 1 ns if 0
	Frequency  uint64   `json:"frequency_hz,omitempty"`        // of its cycles, 1 GHz if 0
	Uptime     int64    `json:"uptime_ns,omitempty"`           // how long the machine runs at true time 0
}

// A Wave is a rate that swings, as with the warmth of the day.
type Wave struct {
	Amplitude float64 `json:"amplitude_ppm"`
	Period    int64   `json:"period_ns"`
	Phase     float64 `json:"phase,omitempty"` // in turns: 0.25 begins at the top
}

// A Step is an instant from which on the clock shows so much more. It shows what it has shown
// before again if that is negative.
type Step struct {
	At int64 `json:"at_ns"`
	By int64 `json:"by_ns"`
}

// A Reboot is when the machine goes down, and for how long. Cycles are counted from
// zero when it is up again.
type Reboot struct {
	At     int64   `json:"at_ns"`
	Down   int64   `json:"down_ns"`
	Offset int64   `json:"offset_ns,omitempty"` // what the clock shows more from then on, because it was set anew
	Rate   float64 `json:"rate_ppm,omitempty"`  // what it is faster by from the next whole second on, because it was measured anew
}

// Check tells what cannot be.
func (s Spec) Check() error {
	for _, p := range []struct {
		name       string
		value, max float64
	}{
		{"offset", float64(s.Offset), 3650 * day},
		{"rate", s.Rate, 10_000},
		{"ageing", s.Ageing, 1000},
		{"walk", s.Walk, 100},
		{"resolution", float64(s.Resolution), second},
		{"uptime", float64(s.Uptime), 3650 * day},
	} {
		if !(math.Abs(p.value) <= p.max) {
			return fmt.Errorf("the %s of a clock is at most %.15g", p.name, p.max)
		}
	}
	switch {
	case s.Walk < 0 || s.Resolution < 0 || s.Uptime < 0:
		return fmt.Errorf("walk, resolution and uptime of a clock are not negative")
	case s.Frequency != 0 && (s.Frequency < 1000 || s.Frequency > 100*second):
		return fmt.Errorf("the frequency of a clock is from 1 kHz to 100 GHz, not %d Hz", s.Frequency)
	}
	for _, w := range s.Thermal {
		if !(math.Abs(w.Amplitude) <= 1000) || w.Period < second || !(math.Abs(w.Phase) <= 1) {
			return fmt.Errorf("a swing of a clock's rate has up to 1000 ppm, a period of a second or more and a phase within a turn")
		}
	}
	if err := s.checkTimes(); err != nil {
		return err
	}
	return s.checkSums()
}

// checkSums tells what can be one by one and not together: a clock goes forward but for its steps, its times and
// those of steps and reboots are within 64 bits of ns, and its cycles within 63 bits.
func (s Spec) checkSums() error {
	const longest = 31 * day // of a scenario
	rate, set := math.Abs(s.Rate)+31*math.Abs(s.Ageing), math.Abs(float64(s.Offset))
	for _, w := range s.Thermal {
		rate += math.Abs(w.Amplitude)
	}
	for _, p := range s.Steps {
		set += math.Abs(float64(p.By))
	}
	for _, r := range s.Reboots {
		rate += math.Abs(r.Rate)
		set += math.Abs(float64(r.Offset))
	}
	switch {
	case rate > 200_000:
		return fmt.Errorf("all that a clock's rate is off by is 200000 ppm at most, not %.6g", rate)
	case set > 18_250*day:
		return fmt.Errorf("all that a clock is off and set by is 50 years at most")
	case (float64(s.Uptime)+set+longest)/second*float64(s.frequency()) >= 1<<63:
		return fmt.Errorf("a clock of %d Hz counts to less than 2^63 cycles; the machine cannot run so long, or be set so far, at that frequency", s.frequency())
	}
	return nil
}

func (s Spec) checkTimes() error {
	last := int64(0)
	for _, p := range s.Steps {
		if p.At < last || p.By > 3650*day || p.By < -3650*day {
			return fmt.Errorf("the steps of a clock are in order, and none is more than ten years")
		}
		last = p.At
	}
	up := int64(0)
	for _, r := range s.Reboots {
		if r.At <= up || r.Down < 1 || r.Down > day || r.At > math.MaxInt64/4 {
			return fmt.Errorf("a machine is down for up to a day, and goes down when it is up")
		}
		if !(math.Abs(r.Rate) <= 10_000) || r.Offset > 3650*day || r.Offset < -3650*day {
			return fmt.Errorf("after a reboot a clock is off by 10000 ppm and ten years at most")
		}
		up = r.At + r.Down
	}
	return nil
}

// frequency is that of the cycles.
func (s Spec) frequency() uint64 {
	if s.Frequency == 0 {
		return second
	}
	return s.Frequency
}
