package kernel

import (
	"encoding/binary"
	"slices"
	"strconv"

	"synchroscope/state/attribute"
	"synchroscope/state/varint"
)

// Rows, threads and processes in a checkpoint. Since format 7 a row is there but for what it has in common with the one before it, which mostly is of the id before, and
// most names were there before.

// maxNames bounds the names that a checkpoint can refer to.
const maxNames = 1 << 12

func (r *rows) append(b []byte, out *varint.Out) []byte {
	b = binary.AppendUvarint(b, r.version)
	b = binary.AppendUvarint(b, uint64(r.count))
	names := make(map[comm]uint64)
	before := new(row)
	for n := range int32(r.count) {
		row := r.at(n)
		b = binary.AppendVarint(b, int64(row.tid)-int64(before.tid))
		b = binary.AppendVarint(b, int64(row.pid)-int64(row.tid))
		b = binary.AppendVarint(b, int64(row.ppid)-int64(before.ppid))
		b = binary.AppendVarint(b, row.first-before.first)
		last := uint64(0)
		if row.last != 0 {
			last = uint64(row.last-row.first) + 1
		}
		b = binary.AppendUvarint(b, last)
		b = binary.AppendVarint(b, int64(row.quark)-int64(before.quark))
		b = binary.AppendVarint(b, int64(row.changed-before.changed))
		number := names[row.name]
		b = binary.AppendUvarint(b, number)
		if number == 0 {
			b = varint.AppendString(b, row.name.String())
			if len(names) < maxNames {
				names[row.name] = uint64(len(names)) + 1
			}
		}
		before = row
		b = out.Pass(b)
	}
	return b
}

// eachRow reads the rows that a checkpoint of a format has, one by one.
func eachRow(d *varint.Decoder, format uint64, each func(row)) (version uint64) {
	if format < 7 {
		return eachEarlierRow(d, each)
	}
	version = d.Uint()
	var names []comm
	known := make(map[comm]struct{})
	var r row
	for range d.Count() {
		before := r
		r.tid = before.tid + int32(d.Int())
		r.pid = r.tid + int32(d.Int())
		r.ppid = before.ppid + int32(d.Int())
		r.first = before.first + d.Int()
		r.last = 0
		if last := d.Uint(); last > 0 {
			r.last = r.first + int64(last-1)
		}
		r.quark = before.quark + attribute.Quark(d.Int())
		r.changed = before.changed + uint64(d.Int())
		switch number := d.Uint(); {
		case number == 0:
			r.name = makeComm(d.Bytes())
			if _, ok := known[r.name]; !ok && len(names) < maxNames {
				known[r.name] = struct{}{}
				names = append(names, r.name)
			}
		case number <= uint64(len(names)):
			r.name = names[number-1]
		default:
			d.Fail()
		}
		if d.Bad() {
			return 0
		}
		each(r)
	}
	return version
}

// restoreRows takes up the rows of a checkpoint, all of them before anybody reads one. It reports false if that cannot be.
func (m *Model) restoreRows(d *varint.Decoder, format uint64) (ok bool) {
	m.rows.mu.Lock()
	defer m.rows.mu.Unlock()
	ok = true
	tree := m.w.Attributes()
	m.rows.version = eachRow(d, format, func(r row) {
		ok = ok && r.tid > 0 && r.tid < maxTID && m.rows.find(int64(r.tid)) < 0
		if ok = ok && tree.Parent(r.quark) == m.root.threads && tree.Name(r.quark) == strconv.Itoa(int(r.tid)); ok {
			m.rows.take(r)
		}
	})
	return ok && !d.Bad()
}

// appendThreads writes what is known of threads beyond their rows: of those that have ended and are forgotten it is a byte.
func (m *Model) appendThreads(b []byte, out *varint.Out) []byte {
	var idle []int32
	for _, c := range m.cpus {
		if c != nil && c.idle != nil {
			idle = append(idle, c.id)
		}
	}
	b = binary.AppendUvarint(b, uint64(len(idle)))
	for _, cpu := range idle {
		t := m.cpus[cpu].idle
		b = binary.AppendVarint(b, int64(cpu))
		b = binary.AppendUvarint(b, uint64(t.leftSeen)<<1|varint.Flag(t.leftUnseen))
	}
	for n := range int32(m.rows.count) {
		r := m.rows.at(n)
		f, in := r.facts&^factSureAway, r.inner()
		if t := m.threads.get(int64(r.tid)); t != nil {
			f, in = t.facts(), t.inner
		}
		b = binary.AppendUvarint(b, uint64(f))
		if f.is(factInner) {
			b = appendInner(b, in)
		}
		b = out.Pass(b)
	}
	return b
}

func appendInner(b []byte, in inner) []byte {
	b = binary.AppendVarint(b, in.ns)
	b = binary.AppendVarint(b, int64(in.tid))
	return binary.AppendVarint(b, int64(in.level))
}

// restoreThreads takes up what appendThreads wrote. It reports false if that cannot be.
func (m *Model) restoreThreads(d *varint.Decoder) bool {
	for range d.Count() {
		cpu, left := d.Int(), d.Uint()
		if left>>1 > mostSeen || !m.restoreIdle(cpu) {
			return false
		}
		t := m.cpus[cpu].idle
		t.leftSeen, t.leftUnseen = uint8(left>>1), left&1 != 0
	}
	for n := range int32(m.rows.count) {
		f, in := facts(d.Uint()), inner{}
		if f.is(factInner) && !restoreInner(&in, d) || f>>factEnd != 0 || !m.restoreThread(n, f, in) {
			return false
		}
		if f.is(factListed) {
			m.zombies = append(m.zombies, n)
		}
	}
	return m.heirsThere()
}

// restoreIdle makes the idle thread of a CPU. It reports false if it is there, or there cannot be one.
func (m *Model) restoreIdle(cpu int64) bool {
	c := m.restoreCPU(cpu)
	if c == nil || c.idle != nil {
		return false
	}
	c.idle = m.newThread(0)
	m.readThread(c.idle, m.w.Attributes().Add(m.root.threads, idleName(c.id)))
	c.idle.home = c.id
	if c.idle.priority != noPriority {
		m.threads.markRanked(c.idle)
	}
	return true
}

// restoreThread takes up what is known of the thread of a row. It reports false if that cannot be.
func (m *Model) restoreThread(n int32, f facts, in inner) bool {
	r := m.rows.at(n)
	if in.level > 0 && in.tid == 0 {
		return false
	}
	r.facts = f
	r.setInner(in)
	if f.life() >= ended {
		m.nested = m.nested || in.level > 0
		return true
	}
	m.enterInside(&thread{tid: r.tid, inner: in})
	m.comeBack(n)
	if len(m.parting) > m.mostParting {
		m.letGo()
	}
	return true
}

// restoreInner reads what a thread is called in its namespace. It reports false if that cannot be.
func restoreInner(in *inner, d *varint.Decoder) bool {
	ns, tid, level := d.Int(), d.Int(), d.Int()
	*in = inner{ns, int32(tid), int32(level)}
	return tid >= 0 && tid < maxTID && level >= 0 && level <= maxLevel
}

// heirsThere reports whether all threads whose id another goes on under have one that there is.
func (m *Model) heirsThere() bool {
	for n := range int32(m.rows.count) {
		r := m.rows.at(n)
		if heir := int64(r.facts >> factHeir & (maxTID - 1)); heir != 0 && m.rows.find(heir) < 0 {
			return false
		}
	}
	return true
}

// appendProcesses writes the counters of the processes that are counting, by process id.
func (m *Model) appendProcesses(b []byte, out *varint.Out) []byte {
	var pids []int32
	for pid, p := range m.processes {
		if m.counting(p) {
			pids = append(pids, pid)
		}
	}
	slices.Sort(pids)
	b = binary.AppendUvarint(b, uint64(len(pids)))
	for _, pid := range pids {
		b = binary.AppendVarint(b, int64(pid))
		b = out.Pass(m.processes[pid].append(b))
	}
	return b
}
