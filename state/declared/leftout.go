package declared

import (
	"fmt"

	"synchroscope/trace"
)

// leftOut are the events that tell of what has no row, as there are as many as there may be: how many, and when the first was, local ns.
type leftOut struct{ events, since int64 }

func (l *leftOut) count(m *Model) {
	if !m.crowded {
		return
	}
	if l.events++; l.events == 1 {
		l.since = m.now
	}
}

// hasRoom reports whether there can be one row more, and takes note if there cannot.
func (m *Model) hasRoom() bool {
	m.crowded = m.crowded || len(m.tracks) >= maxTracks
	return len(m.tracks) < maxTracks
}

// LeftOut says how much there is no row for. It returns false if there is nothing. It is asked before the history is finished.
func (m *Model) LeftOut() (trace.Anomaly, bool) {
	return trace.Anomaly{
		Kind:  "too-many-rows",
		Count: m.leftOut.events,
		Message: fmt.Sprintf("user space has more threads, spans and values than a host can have rows of, %d, or spans of a kind at one time, %d: what these events tell is in no state; the first is at %d ns",
			maxTracks, maxOpen, m.leftOut.since),
	}, m.leftOut.events > 0
}
