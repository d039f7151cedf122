package declared

import (
	"strconv"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/kernel"
)

// A track is a row and what goes on in it.
type track struct {
	tid, pid int32
	name     string
	row      int // in the table; -1 for a thread of which the kernel model makes the row
	kind     string
	value    int64 // of row=FIELD
	sort     trackSort
	owners   []owner // of a thread: as whom it is known
	frames   []frame // outermost first
	deep     []call  // inside them, where these are as many as are shown
	lit      bool    // it has an event now

	quark struct {
		status, function, depth, event, name, pid attribute.Quark
		levels                                    []attribute.Quark
	}
}

type trackSort uint8

const (
	ofThread   trackSort = iota
	ofGroup              // the row that those of a kind hang under
	ofValue              // of row=FIELD
	ofSpan               // a place of spans
	ofStranger           // of a thread of which is not known which one it is
)

// A frame is a call, or a span.
type frame struct {
	kind  uint64 // by which an end that names nothing finds it
	key   uint64 // of what it is, as begin and end have it
	as    kernel.Status
	label history.Value
}

// A call is what is kept of one that is deeper than what is shown, so that its end is known.
type call struct{ kind, key uint64 }

func (c call) is(kind, key uint64, keyed bool) bool {
	return c.kind == kind && (!keyed || c.key == key)
}

// How many rows a host may have, and what there may be on one, and on all together. Tests have less.
var (
	maxTracks = 1 << 16

	maxDepth = 256     // frames
	maxDeep  = 1 << 12 // calls inside them, of one row
	mostDeep = 1 << 18 // and of all
)

// firstOther is the number of the first row that is no thread: past all that Linux gives.
const firstOther = 1 << 22

// introduce takes up what an event says of the process and the name of a row that no kernel trace tells of.
func (m *Model) introduce(t *track, c kernel.Claim) {
	if t.sort == ofStranger {
		if name := t.owners[0].title(string(c.Name[:min(len(c.Name), maxText)])); len(c.Name) > 0 && name != t.name {
			m.call(t, name)
		}
		return
	}
	if pid := int32(c.PID); pid != 0 && (pid != t.pid || t.quark.pid == attribute.None) {
		if t.quark.pid != attribute.None {
			m.clear(t) // the number was given to a thread of another process
		}
		t.pid = pid
		m.under(&t.quark.pid, t.quark.status, "PID", history.Int(c.PID))
		m.table.set(t)
	}
	if len(c.Name) > 0 && string(c.Name) != t.name {
		m.call(t, string(c.Name[:min(len(c.Name), maxText)]))
	}
}

// call names a row.
func (m *Model) call(t *track, name string) {
	t.name = name
	m.under(&t.quark.name, t.quark.status, "Name", m.names.value(m.w, []byte(name)))
	m.table.set(t)
}

// row finds the row of a value.
func (m *Model) row(kind string, value int64) *track {
	k := rowKey{kind, value}
	t := m.rows[k]
	if t == nil {
		g := m.group(kind)
		if g == nil || !m.hasRoom() {
			return nil
		}
		t = m.addOther(&track{pid: g.track.tid, kind: kind, value: value, sort: ofValue, name: kind + " " + strconv.FormatInt(value, 10)})
		m.rows[k] = t
	}
	return t
}

// addOther numbers a row that is no thread, and adds it.
func (m *Model) addOther(t *track) *track {
	t.tid = firstOther + int32(len(m.tracks))
	if t.sort == ofGroup || t.sort == ofStranger && t.pid == 0 {
		t.pid = t.tid
	}
	return m.addTrack(t, true)
}

// addTrack adds a row: to the table too, if it is shown.
func (m *Model) addTrack(t *track, shown bool) *track {
	m.attributes(t)
	m.tracks = append(m.tracks, t)
	t.row = -1
	if shown {
		t.row = m.table.add(t, m.now)
		if t.sort == ofThread || t.sort == ofStranger {
			m.set(t.quark.status, history.Int(int64(kernel.Unknown)))
		}
		if t.sort != ofThread {
			m.under(&t.quark.name, t.quark.status, "Name", m.names.value(m.w, []byte(t.name)))
		}
	}
	return t
}

// attributes finds the attributes of a row, as far as there are.
func (m *Model) attributes(t *track) {
	tree := m.w.Attributes()
	q := &t.quark
	q.status = tree.Path("Threads", strconv.Itoa(int(t.tid)))
	q.function, q.depth = tree.Child(q.status, "Function"), tree.Child(q.status, "Stack")
	q.event, q.name, q.pid = tree.Child(q.status, "Event"), tree.Child(q.status, "Name"), tree.Child(q.status, "PID")
}

// push begins a call. Where it is deeper than can be kept, nothing is known of the row any more but that it has begun.
func (m *Model) push(t *track, f frame) {
	if len(t.frames) == maxDepth {
		if m.deepen(t, call{f.kind, f.key}) {
			return
		}
		m.clear(t)
	}
	t.frames = m.frames.add(t.frames, f)
	m.settle(t, len(t.frames)-1)
}

// deepen begins a call inside those that are shown. It reports false where these are fewer than can be, or no more can be kept.
func (m *Model) deepen(t *track, c call) bool {
	if len(t.frames) < maxDepth || len(t.deep) == maxDeep || m.deep >= mostDeep {
		return false
	}
	t.deep = append(t.deep, c)
	m.deep++
	return true
}

// pop ends the innermost call of a kind, or the innermost that is what key says; what was inside that
// ended without being seen. An end of what never began is none.
func (m *Model) pop(t *track, kind, key uint64, keyed bool) {
	for i := len(t.deep) - 1; i >= 0; i-- {
		if t.deep[i].is(kind, key, keyed) {
			m.surface(t, i)
			return
		}
	}
	n := len(t.frames) - 1
	for n >= 0 && !(call{t.frames[n].kind, t.frames[n].key}).is(kind, key, keyed) {
		n--
	}
	if n < 0 {
		return
	}
	m.surface(t, 0)
	t.frames = t.frames[:n]
	m.settle(t, n)
}

// End tells that a thread, or the program it ran, has ended at a time, local ns that do not go back. So have the calls it was in, whether or
// not their ends were seen: a thread that is given its number later begins with none.
func (m *Model) End(tid int32, at int64) {
	t := m.threads[tid]
	if t == nil {
		return
	}
	m.disown(t)
	if len(t.frames) == 0 {
		return
	}
	m.applyLosses(at)
	if at > m.now {
		m.dim()
		m.now = at
	}
	m.clear(t)
}

// clear ends all.
func (m *Model) clear(t *track) {
	if len(t.frames) > 0 {
		m.surface(t, 0)
		t.frames = t.frames[:0]
		m.settle(t, 0)
	}
}

// surface leaves so many of the calls that are deeper than what is shown.
func (m *Model) surface(t *track, deep int) {
	m.deep -= len(t.deep) - deep
	if t.deep = t.deep[:deep]; deep == 0 {
		t.deep = nil
	}
}

// settle stores the state of a row, of whose frames those from a level on have changed.
func (m *Model) settle(t *track, from int) {
	status, label, depth := history.Null(), history.Null(), history.Null()
	switch {
	case t.lit:
		status = history.Int(int64(kernel.User))
	case t.sort == ofThread, t.sort == ofStranger:
		status = history.Int(int64(kernel.Unknown))
	}
	if n := len(t.frames); n > 0 {
		top := t.frames[n-1]
		status, label, depth = history.Int(int64(top.as)), top.label, history.Int(int64(n))
	}
	if t.row >= 0 {
		m.set(t.quark.status, status)
	}
	m.under(&t.quark.function, t.quark.status, "Function", label)
	m.under(&t.quark.depth, t.quark.status, "Stack", depth)
	for i := from; i < max(len(t.frames), len(t.quark.levels)); i++ {
		if i == len(t.quark.levels) {
			t.quark.levels = m.levels.add(t.quark.levels, m.w.Attributes().Add(t.quark.depth, strconv.Itoa(i+1)))
		}
		v := history.Null()
		if i < len(t.frames) {
			v = t.frames[i].label
		}
		m.set(t.quark.levels[i], v)
	}
}
