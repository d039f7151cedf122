package validate

// maxTimers is how many timers are remembered. When there are more, all are forgotten.
const maxTimers = 1 << 16

// set is a timer being set, or not any more. It goes off once for each time that it was.
func (m *machine) set(timer int64, is bool) {
	m.recorded.timers = true
	m.remember(timer, is)
}

// off is a timer going off.
func (m *machine) off(on int32, timer int64) {
	m.push(on, wheelTimer, timer)
	m.timing.Done++
	if is, known := m.timers[uint64(timer)]; known && !is && m.recorded.timers && !m.unordered {
		m.fail(m.timing, "timer %#x goes off on CPU %d, but was not set", uint64(timer), on)
	}
	m.remember(timer, false)
}

func (m *machine) remember(timer int64, is bool) {
	if len(m.timers) >= maxTimers {
		clear(m.timers)
	}
	m.timers[uint64(timer)] = is
}
