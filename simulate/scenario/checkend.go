package scenario

import (
	"fmt"
	"time"
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
	return nil
}
