package validate

// A sending is a buffer that a CPU has handed to a device.
type sending struct {
	known, waiting bool
	buffer         int64
}

// queue is a buffer handed to a device.
func (m *machine) queue(on int32, buffer int64) {
	m.settled(on)
	m.cpu(on).sends = sending{known: true, waiting: true, buffer: buffer}
}

// transmit is the device having taken it.
func (m *machine) transmit(on int32, buffer int64) {
	m.recorded.transmissions = true
	m.sending.Done++
	s := &m.cpu(on).sends
	switch {
	case s.waiting && s.buffer != buffer:
		m.fail(m.sending, "a device takes buffer %#x on CPU %d, but was handed %#x", uint64(buffer), on, uint64(s.buffer))
	case s.known && !s.waiting:
		m.fail(m.sending, "a device takes buffer %#x on CPU %d, which nobody handed to it", uint64(buffer), on)
	}
	s.waiting = false
}

// settled is a CPU going on to something that it does only once the device has taken what it was handed.
func (m *machine) settled(on int32) {
	m.issued(on)
	if s := &m.cpu(on).sends; s.waiting && m.recorded.transmissions {
		s.waiting = false
		m.fail(m.sending, "buffer %#x was handed to a device on CPU %d, which did not take it", uint64(s.buffer), on)
	}
}
