package scenario

import (
	"fmt"
	"slices"
	"time"

	"synchroscope/simulate/chance"
	"synchroscope/simulate/clock"
)

// checkEnd tells what would happen after the end. That is a mistake in a file; where another duration was asked for,
// it does not happen, and stands in Beyond.
func (s *Scenario) checkEnd(o Options) error {
	var first *Error
	look := func(line int, at int64, what string) {
		if at < s.Duration {
			return
		}
		e := &Error{Line: line, Text: fmt.Sprintf("%s at %v, but the scenario lasts %v", what, time.Duration(at), time.Duration(s.Duration))}
		if o.Duration > 0 {
			e.Text += " here, so that does not happen"
			s.Beyond = append(s.Beyond, e)
		} else if first == nil {
			first = e
		}
	}
	for i := range s.Hosts {
		h := &s.Hosts[i]
		look(h.last("tracing"), h.Tracing.Start, "tracing of "+h.Name+" begins")
		for k, p := range h.Clock.Steps {
			look(h.at("step", k), p.At, "the clock of "+h.Name+" is set")
		}
		for k, r := range h.Clock.Reboots {
			look(h.at("reboot", k), r.At, h.Name+" goes down")
		}
		for k, a := range h.Address {
			look(h.at("address", k), a.At, h.Name+" takes another address")
		}
	}
	for _, w := range s.Workloads {
		look(w.Line, w.From, "the workload "+w.Kind+" begins")
	}
	if first != nil {
		return first
	}
	return s.checkOrigins(o)
}

// checkOrigins tells which clock is set back to before the time at which its machine began to count cycles.
func (s *Scenario) checkOrigins(o Options) error {
	for i := range s.Hosts {
		h := &s.Hosts[i]
		if !slices.ContainsFunc(h.Clock.Steps, func(p clock.Step) bool { return p.By < 0 }) {
			continue
		}
		c, err := clock.New(h.Clock, chance.New(o.Seed, clock.Stream(h.Name)))
		if err != nil {
			return &Error{Line: h.last("clock"), Text: err.Error()}
		}
		if k := c.Behind(s.Duration); k >= 0 {
			p := h.Clock.Steps[k]
			return &Error{Line: h.at("step", k), Text: fmt.Sprintf("%s: at %v the clock is set back by %v, to before its cycle 0, and nothing counts such a time; the machine must have run for longer (uptime)",
				h.Name, time.Duration(p.At), -time.Duration(p.By))}
		}
	}
	return nil
}
