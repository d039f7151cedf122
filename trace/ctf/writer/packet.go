package writer

import (
	"errors"

	"synchroscope/trace"
)

// Open begins a packet at a time, which must not be behind that of its first event. An open
// packet is closed before.
func (s *Stream) Open(cycles uint64) {
	if s.open {
		s.Flush()
	}
	if s.over {
		s.fail("a packet begins behind the end of a stream that has been cut")
	}
	if s.err != nil {
		return
	}
	s.open, s.events, s.full = true, 0, 0
	s.claims = s.claims[:0]
	s.auto[place(trace.PacketBegin)] = cycles
	if s.class.begins {
		s.last = cycles
	}
	s.marks = s.marks[:0]
	s.pos = 0
	s.run(stagePacket, s.class.packet)
	if s.opt.Packet != nil && s.err == nil {
		s.opt.Packet(s)
	}
	if s.err == nil && s.at.code != opEnd {
		s.fail("packet: no value for field %q", s.at.name)
	}
	s.stage = stageNone
}

// Flush closes the open packet, at the time of its last event.
func (s *Stream) Flush() error {
	s.auto[place(trace.PacketEnd)] = s.last
	if !s.class.begins {
		s.auto[place(trace.PacketEnd)] = max(s.last, s.auto[place(trace.PacketBegin)])
	}
	return s.close(0)
}

// FlushAt closes the open packet at a time that is not before that of its last event.
func (s *Stream) FlushAt(cycles uint64) error {
	s.auto[place(trace.PacketEnd)] = cycles
	return s.close(0)
}

// Cut closes the open packet and leaves out its last bytes, as a crash would. The stream is
// not written to any more.
func (s *Stream) Cut(bytes int) error {
	s.auto[place(trace.PacketEnd)] = s.last
	err := s.close(bytes)
	s.over = true
	return err
}

// close writes the packet but for its last bytes.
func (s *Stream) close(cut int) error {
	if s.stage != stageNone {
		s.fail("a packet ends before %s", s.missing())
	}
	if !s.open || s.err != nil {
		return s.err
	}
	s.open = false
	content := s.pos
	size := max(roundUp(content, 8), s.full)
	align := uint64(s.opt.PacketAlign) * 8
	size = (size + align - 1) / align * align
	s.auto[place(trace.ContentSize)], s.auto[place(trace.PacketSize)] = content, size
	if !s.room(size) {
		return s.err
	}
	s.patch()
	n := int(size / 8)
	b := s.buf[:max(n-cut, 0)]
	if _, err := s.out.Write(b); err != nil {
		s.err = err
		return err
	}
	if s.opt.Index != nil && cut == 0 {
		s.index(s.auto[:])
	}
	s.written += size / 8
	clear(s.buf[:n+slack])
	s.auto[place(trace.Sequence)]++
	return s.err
}

// patch writes what is known only now into packet header and context.
func (s *Stream) patch() {
	for _, m := range s.marks {
		v := s.auto[place(m.op.role)]
		for _, c := range s.claims {
			if c.role&m.op.role != 0 {
				v = c.value
			}
		}
		if !m.op.whole && !m.op.variable {
			v ^= m.value
		}
		store(s.buf, m.pos, m.op, v)
	}
}

// Close closes the open packet. It does not close the file.
func (s *Stream) Close() error {
	if s.open {
		return s.Flush()
	}
	return s.err
}

// Discard counts n events as discarded; the packet closed next says so.
func (s *Stream) Discard(n uint64) { s.auto[place(trace.Discarded)] += n }

// Lose closes the open packet and leaves out the numbers of n packets, as if they were lost.
func (s *Stream) Lose(n uint64) error {
	err := s.Close()
	s.auto[place(trace.Sequence)] += n
	return err
}

// Set sets what packets say from the one that is closed next on: the CPU, the instance, the number of the
// packet, which counts on from there, or that of discarded events.
func (s *Stream) Set(r trace.Role, value uint64) {
	s.auto[place(r)] = value
}

// Claim makes the open packet say something, true or not, in all fields that have the role.
func (s *Stream) Claim(r trace.Role, value uint64) {
	s.claims = append(s.claims, claim{r, value})
}

// Pad makes the open packet at least that many bytes long.
func (s *Stream) Pad(bytes int) { s.full = uint64(bytes) * 8 }

// Content is how many bits of the open packet are written, its header included.
func (s *Stream) Content() uint64 { return s.pos }

// Raw appends bytes to the content of the open packet, from the next whole byte on.
func (s *Stream) Raw(b []byte) {
	switch {
	case s.err != nil:
	case !s.open || s.stage != stageNone:
		s.err = errors.New("raw bytes stand between the events of a packet")
	default:
		s.pos = roundUp(s.pos, 8)
		if end := s.pos + uint64(len(b))*8; s.room(end) {
			copy(s.buf[s.pos>>3:], b)
			s.pos = end
		}
	}
}
