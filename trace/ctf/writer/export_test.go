package writer

import "synchroscope/trace"

// Waiting tells the tests what waits for a value: the type, or that of the elements, the
// number of bits, the path, and for an array of characters how many.
func (s *Stream) Waiting() (t *trace.Type, bits uint32, path string, room uint64, ok bool) {
	o := s.at
	if o.code == opEnd || s.err != nil {
		return nil, 0, "", 0, false
	}
	t, room = o.member.typ, 1<<20
	if o.code == opArray {
		t = t.Elem
		if o.text {
			room = s.n
		}
	}
	return t, o.size, o.name, room, true
}
