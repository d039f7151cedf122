package kernel

import (
	"encoding/binary"

	"synchroscope/state/varint"
)

// odds find out whether something was recorded in part alone, which no metadata says: by how often events contradict what all of it would tell. Some
// contradictions there are in any recording. A session that was stopped and started again has one on each CPU.
type odds struct {
	turns, breaks int64 // of how many events, and how many of these contradict
	holds         bool  // it was, from here on
}

// What makes a recording one in part: so many breaks, and one in so many turns.
const (
	fewBreaks  = 4
	breakShare = 8
	manyTurns  = 1 << 16 // past which older ones count half
)

// take counts one more, and reports whether it is by this one that it shows.
func (o *odds) take(contradicts bool) bool {
	if o.holds {
		return false
	}
	if o.turns++; contradicts {
		o.breaks++
	}
	o.holds = o.breaks >= fewBreaks && o.breaks*breakShare > o.turns
	if o.turns > manyTurns {
		o.turns, o.breaks = o.turns/2, o.breaks/2
	}
	return o.holds
}

func (o *odds) append(b []byte) []byte {
	b = binary.AppendVarint(b, o.turns)
	return binary.AppendVarint(b, o.breaks)
}

func (o *odds) restore(d *varint.Decoder) { o.turns, o.breaks = d.Int(), d.Int() }
