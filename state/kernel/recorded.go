package kernel

import "slices"

// A lack is what no event tells, as those that would were not recorded.
type lack struct {
	switches  bool // which thread takes a CPU
	timerEnds bool // when a high resolution timer has been served
}

// Recorded tells the names of all events that the traces can hold, before the first one. Where it is not told, all
// that matters is taken to be recorded.
func (m *Model) Recorded(names []string) {
	lacks := func(of ...string) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return slices.Contains(of, name) })
	}
	m.lacks = lack{
		switches:  lacks("sched_switch"),
		timerEnds: lacks("hrtimer_expire_exit", "timer_hrtimer_expire_exit"),
	}
}
