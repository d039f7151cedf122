package scenario

import (
	"fmt"

	"synchroscope/simulate/clock"
)

// lines are where the statements below a host stand, by what they begin with, in order; those of
// the host itself and of changes to it are under "".
type lines map[string][]int

func (l lines) add(kind string, line int) { l[kind] = append(l[kind], line) }

// last is the last one of a kind, else that of the host.
func (h *Host) last(kind string) int {
	if all := h.lines[kind]; len(all) > 0 {
		return all[len(all)-1]
	}
	return h.Line
}

// at is the one with that number.
func (h *Host) at(kind string, number int) int {
	if all := h.lines[kind]; number < len(all) {
		return all[number]
	}
	return h.Line
}

// check tells what cannot be of a host, with the line that says so.
func (h *Host) check(nat map[string]bool) error {
	fail := func(line int, format string, args ...any) error {
		return &Error{Line: line, Text: fmt.Sprintf(format, args...)}
	}
	if h.CPUs < 1 || h.CPUs > maxCPUs {
		return fail(h.last(""), "a host has 1 to %d CPUs, not %d", maxCPUs, h.CPUs)
	}
	if h.Behind != "" && !nat[h.Behind] {
		return fail(h.last(""), "%s is behind %q, but there is no switch of that name with nat=yes", h.Name, h.Behind)
	}
	if line, err := h.checkClock(); err != nil {
		return fail(line, "%s: %v", h.Name, err)
	}
	if err := h.Tracing.check(); err != nil {
		return fail(h.last("tracing"), "%s: %v", h.Name, err)
	}
	if err := h.Kernel.check(); err != nil {
		return fail(h.last("kernel"), "%s: %v", h.Name, err)
	}
	last := int64(0)
	for i, a := range h.Address {
		if a.At <= last || a.IP == [4]byte{} {
			return fail(h.at("address", i), "the addresses that %s takes each have a time and an ip, in order of time", h.Name)
		}
		last = a.At
	}
	return nil
}

// checkClock checks the clock statement, each swing, and then steps and reboots up to the first that cannot be.
func (h *Host) checkClock() (line int, err error) {
	plain := h.Clock
	plain.Thermal, plain.Steps, plain.Reboots = nil, nil, nil
	if err := plain.Check(); err != nil {
		return h.last("clock"), err
	}
	for i, w := range h.Clock.Thermal {
		if err := (clock.Spec{Thermal: []clock.Wave{w}}).Check(); err != nil {
			return h.at("thermal", i), err
		}
	}
	for i := range h.Clock.Steps {
		if err := (clock.Spec{Steps: h.Clock.Steps[:i+1]}).Check(); err != nil {
			return h.at("step", i), err
		}
	}
	for i := range h.Clock.Reboots {
		if err := (clock.Spec{Reboots: h.Clock.Reboots[:i+1]}).Check(); err != nil {
			return h.at("reboot", i), err
		}
	}
	return h.Line, h.Clock.Check()
}
