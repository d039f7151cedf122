package declared

import (
	"cmp"
	"math"
	"slices"
)

// A loss is a stretch of time in which events are missing.
type loss struct{ begin, end int64 }

// bright is the end of a darkness that there is not.
const bright = math.MinInt64

// maxPending bounds the losses that lie ahead. Past it the earliest is applied at once.
const maxPending = 4096

// Lost tells that events were lost in [begin, end) local ns. A thread goes from CPU to CPU
// unseen, so it does not matter on which. Until the end nothing is known, and
// after it only what begins then.
func (m *Model) Lost(begin, end int64) error {
	l := loss{begin, max(begin, end)}
	i, _ := slices.BinarySearchFunc(m.pending, l, func(a, b loss) int {
		return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.end, b.end))
	})
	m.pending = slices.Insert(m.pending, i, l)
	m.applyLosses(m.now)
	if len(m.pending) > maxPending {
		m.darken(m.now)
	}
	return m.err
}

// Advance tells that no event before t, in local ns, will come. It is called before
// the history is published or finished at t.
func (m *Model) Advance(t int64) error {
	m.applyLosses(t)
	if t > m.now {
		if t > m.litAt+1 { // otherwise it runs until t
			m.dim()
		}
		m.now = max(m.now, t)
	}
	return m.err
}

func (m *Model) applyLosses(t int64) {
	for len(m.pending) > 0 && m.pending[0].begin <= t {
		m.darken(m.pending[0].begin)
	}
	if m.dark <= t && m.dark != bright {
		m.modules.doubt()
		m.dark = bright
	}
}

// darken applies the loss that begins first, from a time on.
func (m *Model) darken(at int64) {
	l := m.pending[0]
	m.pending = slices.Delete(m.pending, 0, 1)
	if at > m.now {
		m.dim()
		m.now = at
	}
	m.dark = max(m.dark, l.end)
	for _, t := range m.tracks {
		m.clear(t)
		if t.lit {
			t.lit = false
			m.settle(t, 0)
		}
		m.null(t.quark.event)
	}
	m.lit = m.lit[:0]
	m.modules.doubt()
	for _, g := range m.kinds {
		clear(g.open)
	}
}
