package declared

import (
	"strconv"

	"synchroscope/state/history"
	"synchroscope/state/kernel"
)

// A group is a kind's row, and the rows below it on which its spans are drawn: each span
// on the first that is free, so that there are as many as spans at one time.
type group struct {
	track  *track
	places []*track
	open   map[uint64]int // the place of a span, by its id
}

// maxOpen bounds the spans of a kind at one time. Past it, one that begins is not shown.
const maxOpen = 1 << 12

// group returns the one of a kind; nil where there are too many rows already.
func (m *Model) group(kind string) *group {
	g, ok := m.kinds[kind]
	if !ok {
		if !m.hasRoom() {
			return nil
		}
		g = &group{track: m.addOther(&track{name: kind, kind: kind, sort: ofGroup}), open: make(map[uint64]int)}
		m.kinds[kind] = g
	}
	return g
}

func (m *Model) beginSpan(kind string, id uint64, label history.Value, as kernel.Status) {
	g := m.group(kind)
	if g == nil {
		return
	}
	n, again := g.open[id]
	if !again {
		for n < len(g.places) && len(g.places[n].frames) > 0 {
			n++
		}
	}
	if n == len(g.places) {
		if n == maxOpen {
			m.crowded = true
			return
		}
		if !m.hasRoom() {
			return
		}
		name := kind + " " + strconv.Itoa(n+1)
		g.places = append(g.places, m.addOther(&track{pid: g.track.tid, kind: kind, sort: ofSpan, name: name}))
	}
	t := g.places[n]
	t.frames = m.frames.add(t.frames[:0], frame{key: id, as: as, label: label})
	g.open[id] = n
	m.settle(t, 0)
}

func (m *Model) endSpan(kind string, id uint64) {
	g := m.kinds[kind]
	if g == nil {
		return
	}
	if n, ok := g.open[id]; ok {
		delete(g.open, id)
		m.clear(g.places[n])
	}
}
