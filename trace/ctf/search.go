package ctf

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"synchroscope/trace"
	"synchroscope/trace/ctf/schema"
)

// maxSearch is how many bytes behind a packet that cannot be read are searched for
// another one: a few packets of any usual size.
const maxSearch = 16 << 20

// What begins like a packet and is none costs time, and an evil file has nothing else: a stream may have
// maxMistaken of them, and headers are searched that have up to maxSearchedHead bytes.
const (
	maxMistaken     = 1 << 16
	maxSearchedHead = 4 << 10
)

// packetMark is what every packet of the trace begins with, nil if that says nothing.
func packetMark(t *schema.Trace) []byte {
	h := t.PacketHeader
	if h == nil || len(h.Members) == 0 {
		return nil
	}
	switch m := h.Members[0]; {
	case m.Role != trace.Magic || m.Type.Kind != trace.Integer || m.Type.Size != 32:
		return nil
	case m.Type.BigEndian:
		return binary.BigEndian.AppendUint32(nil, magicNumber)
	default:
		return binary.LittleEndian.AppendUint32(nil, magicNumber)
	}
}

// search finds the next packet behind off that can be read. It reports where, and false
// if there is none within maxSearch bytes, or if packets have no mark.
func (s *stream) search(off int64) (int64, bool, error) {
	mark := s.plan.mark
	if mark == nil || s.mistaken >= maxMistaken {
		return 0, false, nil
	}
	end := min(s.win.size, off+maxSearch)
	for at := off + 1; at+int64(len(mark)) <= end; {
		if err := s.win.ensure(at, len(mark)); err != nil {
			return 0, false, err
		}
		have := s.win.buf[at-s.win.base : s.win.n]
		i := bytes.Index(have[:min(int64(len(have)), end-at)], mark)
		if i < 0 {
			at += max(min(int64(len(have)), end-at)-int64(len(mark))+1, 1)
			continue
		}
		at += int64(i)
		var p packet
		keep, err := s.plan.readHead(&s.win, at, &p, &s.event, s.packed, maxSearchedHead)
		s.packed = keep
		var f *fault
		if err == nil || errors.As(err, &f) && !f.fatal {
			return at, true, nil
		}
		if f == nil {
			return 0, false, err
		}
		if s.mistaken++; s.mistaken >= maxMistaken {
			return 0, false, nil
		}
		at++
	}
	return 0, false, nil
}

// skip leaves out what cannot be read, from off to the next packet or the end of the file.
func (s *stream) skip(off int64, f *fault) error {
	mistaken := s.mistaken
	next, ok, err := s.search(off)
	if err != nil {
		s.mistaken = mistaken // it is searched again after errLarge
		return err
	}
	if !ok {
		next = s.win.size
	}
	message := f.message
	switch {
	case ok:
		message += fmt.Sprintf("; the next packet is found %d bytes later", next-off)
	case f.kind != "truncated":
		message += fmt.Sprintf("; the %d bytes left of the file are left out", next-off)
	}
	s.report(f.kind, off, message)
	s.skipped = true
	s.packet = packet{off: off, size: next - off}
	return nil
}
