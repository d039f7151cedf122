package ctf

import "synchroscope/trace"

// An event later than the end of its packet is either none, such as the zeros that a crash leaves in a file, or
// of a clock that is set back further on in the packet, so that the packet ends before its events do. What tells them
// apart is what follows: in the second case all of it can be read, and the clock is at the packet's end behind it.
//
// So the rest of the packet is read once ahead of the cursor, by a cursor of its own. That happens where an event leaps
// over its packet's end by more than the lateness, at most once in a packet, and whether it does depends on
// nothing but the file: who resumes there reads the same.

// It takes a window as large as the cursor's, and of the buffers for larger events few are lent to all cursors of a reader's streams together.

// A scoutError is that of a file that cannot be read ahead of the cursor: it ends the reading, as it would where the cursor comes there.
type scoutError struct{ error }

func (e scoutError) Unwrap() error { return e.error }

func scouting(err error) error {
	if err == nil {
		return nil
	}
	return scoutError{err}
}

// comesBack tells whether the rest of the packet, from the event at next on, can be read and leads back to the packet's end.
func (s *stream) comesBack(before uint64) (bool, error) {
	p := *s
	p.sink, p.repeat = quiet{}, nil
	p.win = window{file: s.open, size: s.win.size, own: make([]byte, max(len(s.win.own), minWindow+trace.Spare)), lender: s.scouts}
	if p.win.lender == nil {
		p.win.lender = &lender{}
	}
	defer p.win.giveBack()
	p.event = trace.Event{CPU: s.event.CPU, Trace: s.event.Trace, Stream: s.event.Stream}
	p.event.Prepare(s.packet.class.slots)
	p.forget()
	p.cycles, p.limit = before, noLimit
	for p.next < p.packet.content {
		p.pass()
		if ok, err := p.decode(); !ok || err != nil {
			return false, scouting(err)
		}
	}
	return p.cycles <= s.limit, nil
}
