package declared

import (
	"encoding/binary"
	"errors"
	"maps"
	"math"
	"slices"
	"strconv"

	"synchroscope/state/attribute"
	"synchroscope/state/kernel"
)

// A checkpoint of the model holds what the history's own checkpoint does not. All numbers
// are varints, signed ones zigzag:
//
//	format (1)
//	rows:   version, count, each: tid, pid, first, quark, changed, name
//	model:  now, time of the newest event of a thread, end of darkness
//	losses: count, each: begin, end
//	names:  count, each: hash
//	tracks: count, in order of first sight, each: tid, pid, row (-1 none), sort, kind, value, name,
//	        frames deeper than kept, twice and 1 if it has an event now, count of frames, each: kind, key, status
//
// Strings have their length before them. The labels of frames are read back from the history.
const checkpointFormat = 1

var errCheckpoint = errors.New("declared states: the checkpoint is damaged")

// AppendState and Restore carry what the model knows beyond the ongoing values of
// the history through a checkpoint.
func (m *Model) AppendState(b []byte) []byte {
	b = binary.AppendUvarint(b, checkpointFormat)
	b = m.table.append(b)
	b = binary.AppendVarint(b, m.now)
	b = binary.AppendVarint(b, m.litAt)
	b = binary.AppendVarint(b, m.dark)
	b = binary.AppendUvarint(b, uint64(len(m.pending)))
	for _, l := range m.pending {
		b = binary.AppendVarint(b, l.begin)
		b = binary.AppendVarint(b, l.end)
	}
	b = binary.AppendUvarint(b, uint64(len(m.names.known)))
	for _, h := range slices.Sorted(maps.Keys(m.names.known)) {
		b = binary.AppendUvarint(b, h)
	}
	b = binary.AppendUvarint(b, uint64(len(m.tracks)))
	for _, t := range m.tracks {
		b = binary.AppendVarint(b, int64(t.tid))
		b = binary.AppendVarint(b, int64(t.pid))
		b = binary.AppendVarint(b, int64(t.row))
		b = binary.AppendUvarint(b, uint64(t.sort))
		b = appendString(b, t.kind)
		b = binary.AppendVarint(b, t.value)
		b = appendString(b, t.name)
		b = binary.AppendUvarint(b, uint64(t.beyond)<<1|flag(t.lit))
		b = binary.AppendUvarint(b, uint64(len(t.frames)))
		for _, f := range t.frames {
			b = binary.AppendUvarint(b, f.kind)
			b = binary.AppendUvarint(b, f.key)
			b = binary.AppendUvarint(b, uint64(f.as))
		}
	}
	return b
}

// Restore takes up what AppendState wrote. The model must be new, over a writer
// resumed from the history's checkpoint of the same moment.
func (m *Model) Restore(b []byte) error {
	d := decoder{b: b}
	if d.uint() != checkpointFormat {
		return errCheckpoint
	}
	m.table.restore(&d)
	m.now, m.litAt, m.dark = d.int(), d.int(), d.int()
	for range d.count() {
		m.pending = append(m.pending, loss{d.int(), d.int()})
	}
	for range d.count() {
		m.names.known[d.uint()] = struct{}{}
	}
	for range d.count() {
		t := &track{tid: int32(d.int()), pid: int32(d.int()), row: int(d.int()), sort: trackSort(d.uint()), kind: d.string(), value: d.int(), name: d.string()}
		beyond := d.uint()
		t.beyond, t.lit = int(beyond>>1&math.MaxInt32), beyond&1 != 0
		if d.bad || t.tid <= 0 || t.row < -1 || t.row >= len(m.table.list) || t.sort > ofSpan || !m.takeUp(t) {
			return errCheckpoint
		}
		for range d.count() {
			f := frame{kind: d.uint(), key: d.uint(), as: kernel.Status(d.uint())}
			q := attribute.None
			if t.quark.depth != attribute.None {
				q = m.w.Attributes().Child(t.quark.depth, strconv.Itoa(len(t.frames)+1))
			}
			if q == attribute.None || len(t.frames) == maxDepth {
				return errCheckpoint
			}
			f.label, _ = m.w.Ongoing(q)
			t.frames = append(t.frames, f)
		}
		if t.sort == ofSpan && len(t.frames) > 0 {
			g := m.kinds[t.kind]
			g.open[t.frames[0].key] = len(g.places) - 1
		}
	}
	if d.bad || len(d.b) != 0 {
		return errCheckpoint
	}
	return nil
}

// takeUp puts a restored row where it belongs; it reports false if that cannot be.
func (m *Model) takeUp(t *track) bool {
	m.attributes(t)
	if t.quark.depth != attribute.None {
		for q := range slices.Values(m.w.Attributes().Children(t.quark.depth)) {
			t.quark.levels = append(t.quark.levels, q)
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

// Rows reads the rows, and their version, out of what AppendState wrote: for a host whose
// import is over and that needs no model.
func Rows(state []byte) (threads []kernel.Thread, version uint64, err error) {
	d := decoder{b: state}
	if d.uint() != checkpointFormat {
		return nil, 0, errCheckpoint
	}
	var r table
	r.restore(&d)
	if d.bad {
		return nil, 0, errCheckpoint
	}
	return r.list, r.version, nil
}

func (r *table) append(b []byte) []byte {
	b = binary.AppendUvarint(b, r.version)
	b = binary.AppendUvarint(b, uint64(len(r.list)))
	for i, t := range r.list {
		b = binary.AppendVarint(b, int64(t.TID))
		b = binary.AppendVarint(b, int64(t.PID))
		b = binary.AppendVarint(b, t.First)
		b = binary.AppendVarint(b, int64(t.Quark))
		b = binary.AppendUvarint(b, r.changed[i])
		b = appendString(b, t.Name)
	}
	return b
}

func (r *table) restore(d *decoder) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.version = d.uint()
	for range d.count() {
		t := kernel.Thread{TID: int32(d.int()), PID: int32(d.int()), First: d.int(), Quark: int32(d.int())}
		r.changed = append(r.changed, d.uint())
		t.Name = d.string()
		r.list = append(r.list, t)
	}
}

func appendString(b []byte, s string) []byte {
	b = binary.AppendUvarint(b, uint64(len(s)))
	return append(b, s...)
}

func flag(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// A decoder reads varints. After the first that is damaged it reads zeros, and bad
// is set.
type decoder struct {
	b   []byte
	bad bool
}

func (d *decoder) uint() uint64 {
	v, n := binary.Uvarint(d.b)
	return d.took(v, n)
}

func (d *decoder) int() int64 {
	v, n := binary.Varint(d.b)
	return int64(d.took(uint64(v), n))
}

func (d *decoder) took(v uint64, n int) uint64 {
	if n <= 0 {
		d.b, d.bad = nil, true
		return 0
	}
	d.b = d.b[n:]
	return v
}

// count reads a count of things that take a byte each at least.
func (d *decoder) count() int {
	n := d.uint()
	if n > uint64(len(d.b)) {
		d.b, d.bad = nil, true
		return 0
	}
	return int(n)
}

func (d *decoder) string() string {
	n := d.count()
	s := string(d.b[:n])
	d.b = d.b[n:]
	return s
}
