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

// What makes a recording one in part: so many breaks, and more than one in so many turns.
const (
	fewBreaks  = 4
	breakShare = 8
	manyTurns  = 1 << 16 // past which older ones count half
)

// take counts one more, and reports whether it is by this one that it shows: so many breaks there are, and more than one in share.
func (o *odds) take(contradicts bool, share int64) bool {
	if o.holds {
		return false
	}
	if o.turns++; contradicts {
		o.breaks++
	}
	o.holds = o.breaks >= fewBreaks && o.breaks*share > o.turns
	if o.turns > manyTurns {
		o.turns, o.breaks = o.turns/2, o.breaks/2
	}
	return o.holds
}

// append writes what was counted. Whether it holds stands ahead of that, in the sieve with something between.
func (o *odds) append(b []byte) []byte {
	b = binary.AppendVarint(b, o.turns)
	return binary.AppendVarint(b, o.breaks)
}

func (o *odds) restore(d *varint.Decoder) { o.turns, o.breaks = d.Int(), d.Int() }
