package declared

import (
	"encoding/binary"
	"errors"
	"io"
	"maps"
	"runtime"
	"slices"
	"strconv"

	"synchroscope/state/attribute"
	"synchroscope/state/kernel"
	"synchroscope/state/varint"
)

// A checkpoint of the model holds what the history's own checkpoint does not. All numbers
// are varints, signed ones zigzag:
//
//	format (5; 4 is the same, but for modules; 3 too, and for what is left out; 2 too, and for owners; 1 too, of rows that have no call deeper than what is shown)
//	rows:   version, count, each: tid, pid, first, quark, changed, name
//	home:   1 if there is one, place, pid namespace (2, 1: none of this)
//	model:  now, time of the newest event of a thread, end of darkness
//	left out: events, time of the first (3, 2, 1: none of this)
//	losses: count, each: begin, end
//	names:  count, each: hash
//	modules: count of processes, in order of first sight, each: place, pid namespace, pid, 1 if they are being listed, count of modules, each: base, size,
//	        1 if it is fixed, and 2 if it was opened, and 4 if it is told of, path (4, 3, 2, 1: none of this)
//	nameless: functions entered, of no process, of nothing loaded, in other files, 1 if there are events of loading, count of files, each: name, functions (likewise)
//	tracks: count, in order of first sight, each: tid, pid, row (-1 none), sort, kind, value, name,
//	        of a thread, known or not: count of owners, each: place, pid namespace, pid, tid,
//	        calls deeper than what is shown, twice and 1 if it has an event now, count of frames, each: kind, key, status,
//	        and each of the deeper calls: kind, key
//
// Strings have their length before them. The labels of frames are read back from the history.
const checkpointFormat = 5

var errCheckpoint = errors.New("declared states: the checkpoint is damaged")

// State and Restore carry what the model knows beyond the ongoing values of
// the history through a checkpoint. The state is written part by part, as often as it is asked for until the model is told of anything else, and
// always the same.
func (m *Model) State() io.WriterTo { return varint.Parts(m.appendState) }

// AppendState is State, in memory.
func (m *Model) AppendState(b []byte) []byte { return m.appendState(b, nil) }

func (m *Model) appendState(b []byte, out *varint.Out) []byte {
	defer runtime.KeepAlive(m.w) // who has the scratch memory that is read
	b = binary.AppendUvarint(b, checkpointFormat)
	b = m.table.append(b, out)
	b = varint.AppendBool(b, m.home != nil)
	if m.home != nil {
		b = varint.AppendString(b, m.home.place)
		b = binary.AppendVarint(b, m.home.ns)
	}
	b = binary.AppendVarint(b, m.now)
	b = binary.AppendVarint(b, m.litAt)
	b = binary.AppendVarint(b, m.dark)
	b = binary.AppendVarint(b, m.leftOut.events)
	b = binary.AppendVarint(b, m.leftOut.since)
	b = binary.AppendUvarint(b, uint64(len(m.pending)))
	for _, l := range m.pending {
		b = binary.AppendVarint(b, l.begin)
		b = binary.AppendVarint(b, l.end)
	}
	b = binary.AppendUvarint(b, uint64(len(m.names.known)))
	for _, h := range slices.Sorted(maps.Keys(m.names.known)) {
		b = out.Pass(binary.AppendUvarint(b, h))
	}
	b = m.modules.append(b, out)
	b = m.nameless.append(b)
	b = binary.AppendUvarint(b, uint64(len(m.tracks)))
	for _, t := range m.tracks {
		b = binary.AppendVarint(b, int64(t.tid))
		b = binary.AppendVarint(b, int64(t.pid))
		b = binary.AppendVarint(b, int64(t.row))
		b = binary.AppendUvarint(b, uint64(t.sort))
		b = varint.AppendString(b, t.kind)
		b = binary.AppendVarint(b, t.value)
		b = varint.AppendString(b, t.name)
		b = t.appendOwners(b)
		b = binary.AppendUvarint(b, uint64(len(t.deep))<<1|varint.Flag(t.lit))
		b = binary.AppendUvarint(b, uint64(len(t.frames)))
		for _, f := range t.frames {
			b = binary.AppendUvarint(b, f.kind)
			b = binary.AppendUvarint(b, f.key)
			b = out.Pass(binary.AppendUvarint(b, uint64(f.as)))
		}
		for _, c := range t.deep {
			b = binary.AppendUvarint(b, c.kind)
			b = out.Pass(binary.AppendUvarint(b, c.key))
		}
		b = out.Pass(b)
	}
	return b
}

// Restore takes up what State wrote. The model must be new, over a writer
// resumed from the history's checkpoint of the same moment.
func (m *Model) Restore(from varint.Source) error {
	defer runtime.KeepAlive(m.w)
	d := varint.NewReader(from)
	format := d.Uint()
	if !known(format) {
		return errCheckpoint
	}
	m.table.restore(d)
	if format >= 3 && d.Uint() != 0 {
		m.home = &home{d.Text(), d.Int()}
	}
	m.now, m.litAt, m.dark = d.Int(), d.Int(), d.Int()
	if format >= 4 {
		m.leftOut = leftOut{d.Int(), d.Int()}
	}
	for range d.Count() {
		m.pending = append(m.pending, loss{d.Int(), d.Int()})
	}
	for range d.Count() {
		m.names.known[d.Uint()] = struct{}{}
	}
	if format >= 5 && !(m.modules.restore(d) && m.nameless.restore(d)) {
		return errCheckpoint
	}
	for range d.Count() {
		t := &track{tid: int32(d.Int()), pid: int32(d.Int()), row: int(d.Int()), sort: trackSort(d.Uint()), kind: d.Text(), value: d.Int(), name: d.Text()}
		if format >= 3 && !m.restoreOwners(t, d) {
			return errCheckpoint
		}
		deep := d.Uint()
		t.lit = deep&1 != 0
		if d.Bad() || t.tid <= 0 || t.sort > ofStranger || !m.takeUp(t) {
			return errCheckpoint
		}
		for range d.Count() {
			f := frame{kind: d.Uint(), key: d.Uint()}
			as := d.Uint()
			q := attribute.None
			if t.quark.depth != attribute.None {
				q = m.w.Attributes().Child(t.quark.depth, strconv.Itoa(len(t.frames)+1))
			}
			if q == attribute.None || len(t.frames) == maxDepth || as > uint64(kernel.Forked) {
				return errCheckpoint
			}
			f.as = kernel.Status(as)
			f.label, _ = m.w.Ongoing(q)
			t.frames = m.frames.add(t.frames, f)
		}
		if deep >>= 1; deep > 0 && (format == 1 || len(t.frames) < maxDepth || deep > uint64(maxDeep) || m.deep+int(deep) > mostDeep) {
			return errCheckpoint
		}
		for range deep {
			t.deep = append(t.deep, call{d.Uint(), d.Uint()})
		}
		m.deep += len(t.deep)
		if t.sort == ofSpan && len(t.frames) > 0 {
			g := m.kinds[t.kind]
			g.open[t.frames[0].key] = len(g.places) - 1
		}
	}
	if !d.Done() {
		return errCheckpoint
	}
	return nil
}

// fits reports whether a restored row can be beside those before it.
func (m *Model) fits(t *track) bool {
	_, thread := m.threads[t.tid]
	_, kind := m.kinds[t.kind]
	switch {
	case t.sort == ofThread && thread, t.sort == ofGroup && kind:
		return false
	case t.sort == ofThread && !m.alone:
		return t.row == -1
	}
	return t.row >= 0 && t.row < len(m.table.list) && m.table.list[t.row].TID == t.tid
}

// takeUp puts a restored row where it belongs; it reports false if that cannot be.
func (m *Model) takeUp(t *track) bool {
	if !m.fits(t) {
		return false
	}
	m.attributes(t)
	if t.row >= 0 && m.table.list[t.row].Quark != int32(t.quark.status) {
		return false
	}
	if t.quark.depth != attribute.None {
		for _, q := range m.w.Attributes().Children(t.quark.depth) {
			t.quark.levels = m.levels.add(t.quark.levels, q)
		}
	}
	m.tracks = append(m.tracks, t)
	if t.lit {
		m.lit = append(m.lit, t)
	}
	switch t.sort {
	case ofThread:
		m.threads[t.tid] = t
	case ofGroup:
		m.kinds[t.kind] = &group{track: t, open: make(map[uint64]int)}
	case ofValue:
		m.rows[rowKey{t.kind, t.value}] = t
	case ofSpan:
		g := m.kinds[t.kind]
		if g == nil {
			return false
		}
		g.places = append(g.places, t)
	}
	return true
}

// Rows reads the rows, and their version, out of what State wrote: for a host whose
// import is over and that needs no model.
func Rows(from varint.Source) (threads []kernel.Thread, version uint64, err error) {
	d := varint.NewReader(from)
	if !known(d.Uint()) {
		return nil, 0, errCheckpoint
	}
	var r table
	r.restore(d)
	if d.Bad() {
		return nil, 0, errCheckpoint
	}
	return r.list, r.version, nil
}

func known(format uint64) bool { return format >= 1 && format <= checkpointFormat }

func (r *table) append(b []byte, out *varint.Out) []byte {
	b = binary.AppendUvarint(b, r.version)
	b = binary.AppendUvarint(b, uint64(len(r.list)))
	for i, t := range r.list {
		b = binary.AppendVarint(b, int64(t.TID))
		b = binary.AppendVarint(b, int64(t.PID))
		b = binary.AppendVarint(b, t.First)
		b = binary.AppendVarint(b, int64(t.Quark))
		b = binary.AppendUvarint(b, r.changed[i])
		b = out.Pass(varint.AppendString(b, t.Name))
	}
	return b
}

func (r *table) restore(d *varint.Decoder) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.version = d.Uint()
	for range d.Count() {
		t := kernel.Thread{TID: int32(d.Int()), PID: int32(d.Int()), First: d.Int(), Quark: int32(d.Int())}
		r.changed = append(r.changed, d.Uint())
		t.Name = d.Text()
		r.list = append(r.list, t)
	}
}
