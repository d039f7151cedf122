package writer

import (
	"encoding/binary"

	"synchroscope/trace"
)

// LTTng's index of a stream: a header, and for each packet where it begins and what it says.
// All integers are big-endian, whatever the trace is.
const (
	indexMagic = 0xc1f1dcc1
	indexMajor = 1
	indexMinor = 1
	indexEntry = 72 // bytes
)

// index writes the header, or with values of a packet its entry.
func (s *Stream) index(values []uint64) {
	b := make([]byte, 0, indexEntry)
	if values == nil {
		for _, v := range [...]uint32{indexMagic, indexMajor, indexMinor, indexEntry} {
			b = binary.BigEndian.AppendUint32(b, v)
		}
	} else {
		b = binary.BigEndian.AppendUint64(b, s.written)
		for _, r := range [...]trace.Role{
			trace.PacketSize, trace.ContentSize, trace.PacketBegin, trace.PacketEnd,
			trace.Discarded, trace.StreamClass, trace.StreamInstance, trace.Sequence,
		} {
			b = binary.BigEndian.AppendUint64(b, values[place(r)])
		}
	}
	if _, err := s.opt.Index.Write(b); err != nil && s.err == nil {
		s.err = err
	}
}
