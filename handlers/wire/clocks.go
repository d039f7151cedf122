package wire

// Clocks says by which clock maps an answer was drawn: the tail of kinds 4 and 5. By
// it the page tells an answer that moved, for its map is a better one, from one that
// shows something else.
type Clocks struct {
	Version uint32 // of the clock maps; 0 in raw time, and while there are none
	Hosts   []Span // by number of the host
}

// A Span is the local time of a host, ns, at both ends of the range of an answer.
type Span struct{ Begin, End int64 }

func (c *Clocks) size() int { return 16 + 16*len(c.Hosts) }

func (f *frame) clocks(c *Clocks) {
	f.align(8)
	f.u32(c.Version)
	f.u32(uint32(len(c.Hosts)))
	for _, h := range c.Hosts {
		f.i64(h.Begin)
		f.i64(h.End)
	}
}
