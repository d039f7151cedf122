package live

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"sync"

	"synchroscope/handlers/wire"
	"synchroscope/state/attribute"
	"synchroscope/state/kernel"
	"synchroscope/trace"
)

// A table numbers the rows of one set: host, process, thread. It is shared by
// the sessions of the set and grows as the import finds threads. An id is
// given once; what a row says of its thread may change, and then the row is
// sent again.
//
// Process rows always hang under their host, whatever the events claim of them:
// pids come from the trace, and a trace that says that two threads
// are each other's process must not make a circle here.
type table struct {
	set  Set               // what it is of, comparable; nil where only ids are kept
	kept map[rowKey]uint32 // ids that rows of the same things had before, of those that have none yet
	old  map[string][]old  // the rows before by host, until the host is there

	mu      sync.Mutex
	rows    []row
	hosts   []hostRows
	version uint32
}

type row struct {
	parent  uint32
	host    int32
	kind    wire.RowKind
	thread  kernel.Thread
	named   string
	quark   attribute.Quark // None where nothing is known but the number
	process bool            // other rows hang under it
	kept    bool            // it is one of before, not found again yet
	version uint32          // of the table when the row changed, 0 of an id that nothing has
}

// An old row is one of what was to be seen before, with its id.
type old struct {
	id uint32
	row
}

// A rowKey is what a row is of, in whatever is to be seen of a set.
type rowKey struct {
	host   string
	kind   wire.RowKind // 0 of hosts and threads
	number int32
	parent uint32 // of rows of the machine
	name   string // where there is no number
}

// newTable is a table of a set that takes the place of that of before, which may be nil: rows of the same things get the
// ids that they have there, and those that have not been found again yet stay.
func newTable(set Set, before *table) *table {
	t := &table{set: set, kept: make(map[rowKey]uint32), old: make(map[string][]old)}
	if before == nil {
		return t
	}
	before.mu.Lock()
	defer before.mu.Unlock()
	for key, id := range before.kept {
		t.kept[key] = id
	}
	for host, rows := range before.old {
		t.old[host] = slices.Clip(rows)
	}
	for id := range before.rows {
		if r := &before.rows[id]; r.version > 0 {
			t.kept[before.key(r)] = uint32(id)
			host := before.hosts[r.host].name
			t.old[host] = append(t.old[host], old{uint32(id), *r})
		}
	}
	t.rows = make([]row, len(before.rows))
	return t
}

// key is what a row is of; the host's row must be there. t.mu is held.
func (t *table) key(r *row) rowKey {
	key := rowKey{host: t.hosts[r.host].name, number: r.thread.TID}
	if r.kind != wire.RowHost && r.kind != wire.RowProcess && r.kind != wire.RowThread {
		key.kind, key.parent = r.kind, r.parent
		if key.number < 0 {
			key.name = r.named
		}
	}
	return key
}

type hostRows struct {
	name  string
	id    uint32 // the host's own row
	since uint64 // version of Host.Threads
	begin int64  // local ns, what First and Last are relative to
	byTID map[int32]uint32
	found resources
}

// nameLimit is the longest name of a row in bytes. Linux has 16.
const nameLimit = 200

// refresh takes up what the hosts have learned. begins are the hosts' local
// begins, 0 where not known yet.
func (t *table) refresh(hosts []Host, begins []int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, h := range hosts {
		if i == len(t.hosts) {
			t.hosts = append(t.hosts, hostRows{name: h.Name(), begin: at(begins, i), byTID: make(map[int32]uint32)})
			t.hosts[i].id = t.add(row{parent: wire.NoRow, host: int32(i), kind: wire.RowHost, named: tidy(h.Name()), quark: attribute.None})
			t.keep(int32(i))
		}
		if begin := at(begins, i); begin != t.hosts[i].begin {
			t.hosts[i].begin = begin
			t.touchHost(int32(i))
		}
		threads, version := h.Threads(t.hosts[i].since)
		t.hosts[i].since = version
		for _, thread := range threads {
			t.thread(int32(i), thread)
		}
		t.resources(int32(i), h.History())
	}
}

// keep lists the rows that a host had before, of which nothing is known yet here. What a first look showed of a host so stays
// in the list until the import has come as far.
func (t *table) keep(host int32) {
	for _, o := range t.old[t.hosts[host].name] {
		r := o.row
		if r.kind == wire.RowHost {
			continue
		}
		if r.kind == wire.RowCPU {
			t.rows[t.hosts[host].id].kept = true // how they are used
		}
		r.host, r.quark, r.kept = host, attribute.None, true
		if r.kind == wire.RowProcess || r.kind == wire.RowThread {
			t.hosts[host].byTID[r.thread.TID] = o.id
		}
		t.rows[o.id] = r
		t.touch(&t.rows[o.id])
	}
	delete(t.old, t.hosts[host].name)
}

// thread takes up one thread. Idle threads have no row.
func (t *table) thread(host int32, thread kernel.Thread) {
	if thread.TID <= 0 {
		return
	}
	parent, kind := t.hosts[host].id, wire.RowProcess
	if thread.PID > 0 && thread.PID != thread.TID {
		parent, kind = t.process(host, thread.PID), wire.RowThread
	}
	id, ok := t.hosts[host].byTID[thread.TID]
	if !ok {
		id = t.add(row{host: host, thread: thread})
		t.hosts[host].byTID[thread.TID] = id
	}
	r := &t.rows[id]
	if r.process {
		parent, kind = t.hosts[host].id, wire.RowProcess
	}
	r.parent, r.kind, r.thread, r.kept = parent, kind, thread, false
	r.named, r.quark = tidy(thread.Name), attribute.Quark(thread.Quark)
	t.touch(r)
}

// process returns the row of a process, which may have to be made before any
// event tells of its main thread.
func (t *table) process(host, pid int32) uint32 {
	id, ok := t.hosts[host].byTID[pid]
	if !ok {
		id = t.add(row{host: host, quark: attribute.None, thread: kernel.Thread{TID: pid, PID: pid}})
		t.hosts[host].byTID[pid] = id
	}
	r := &t.rows[id]
	r.kept = false
	if !r.process {
		r.process, r.kind, r.parent = true, wire.RowProcess, t.hosts[host].id
		t.touch(r)
	}
	return id
}

func at(ns []int64, i int) int64 {
	if i < len(ns) {
		return ns[i]
	}
	return 0
}

func (t *table) add(r row) uint32 {
	key := t.key(&r)
	id, ok := t.kept[key]
	if ok {
		delete(t.kept, key)
		t.rows[id] = r
	} else {
		id = uint32(len(t.rows))
		t.rows = append(t.rows, r)
	}
	t.touch(&t.rows[id])
	return id
}

func (t *table) touch(r *row) {
	t.version++
	r.version = t.version
}

func (t *table) touchHost(host int32) {
	for i := range t.rows {
		if t.rows[i].host == host && t.rows[i].version > 0 {
			t.touch(&t.rows[i])
		}
	}
}

// versionNow is the version of the newest change.
func (t *table) versionNow() uint32 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.version
}

// row returns a copy of a row.
func (t *table) row(id uint32) (row, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if uint64(id) >= uint64(len(t.rows)) {
		return row{}, false
	}
	return t.rows[id], t.rows[id].version > 0
}

// reserved tells whether an id is of something that was there before and has no row yet.
func (t *table) reserved(id uint32) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return uint64(id) < uint64(len(t.rows)) && t.rows[id].version == 0
}

// unfound are the threads that were there before and have not been found again, with their ids, and the ids of what was there before and has no
// row yet.
func (t *table) unfound() (kept []uint32, rows []row, reserved []uint32) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for id := range t.rows {
		switch r := &t.rows[id]; {
		case r.version == 0:
			reserved = append(reserved, uint32(id))
		case r.kept && (r.kind == wire.RowProcess || r.kind == wire.RowThread):
			kept, rows = append(kept, uint32(id)), append(rows, *r)
		}
	}
	return kept, rows, reserved
}

// of returns the row of a thread, or the host's where it has none, or NoRow
// where the host has none either.
func (t *table) of(host, tid int32) uint32 {
	t.mu.Lock()
	defer t.mu.Unlock()
	if host < 0 || int(host) >= len(t.hosts) {
		return wire.NoRow
	}
	if id, ok := t.hosts[host].byTID[tid]; ok {
		return id
	}
	return t.hosts[host].id
}

// parentOf is the id of the process that began a thread, 0 where that or the thread is not known.
func (t *table) parentOf(host, tid int32) int32 {
	t.mu.Lock()
	defer t.mu.Unlock()
	if id, ok := t.hosts[host].byTID[tid]; ok {
		return t.rows[id].thread.PPID
	}
	return 0
}

// threads are the rows of a host's threads, in no order.
func (t *table) threads(host int32) []uint32 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Collect(maps.Values(t.hosts[host].byTID))
}

// hostRow returns the row of the host that a row belongs to.
func (t *table) hostRow(id uint32) uint32 {
	t.mu.Lock()
	defer t.mu.Unlock()
	if uint64(id) >= uint64(len(t.rows)) || t.rows[id].version == 0 {
		return wire.NoRow
	}
	return t.hosts[t.rows[id].host].id
}

// since returns the rows that changed after a version, and the version now. A row comes behind those that
// it may hang under: they are of lower kinds.
func (t *table) since(version uint32) (ids []uint32, now uint32) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if version == t.version {
		return nil, version
	}
	for id := range t.rows {
		if t.rows[id].version > version {
			ids = append(ids, uint32(id))
		}
	}
	slices.SortStableFunc(ids, func(a, b uint32) int { return cmp.Compare(t.rows[a].kind, t.rows[b].kind) })
	return ids, t.version
}

// encode writes rows as they are now, for what is said of them up to a version.
func (t *table) encode(ids []uint32, version uint32) ([]byte, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := wire.Rows{Header: wire.Header{Generation: version}, Rows: make([]wire.Row, len(ids))}
	for i, id := range ids {
		out.Rows[i] = t.wire(id, &t.rows[id])
	}
	return out.Encode()
}

func (t *table) wire(id uint32, r *row) wire.Row {
	begin := t.hosts[r.host].begin
	out := wire.Row{
		ID: id, Parent: r.parent, Host: uint16(r.host), Kind: r.kind,
		TID: r.thread.TID, Last: -1, Name: r.named,
	}
	if r.kind == wire.RowHost {
		out.TID = -1
	}
	if r.thread.First != 0 {
		out.First = math.Max(0, float64(r.thread.First-begin))
	}
	if r.thread.Last != 0 {
		out.Last = math.Max(0, float64(r.thread.Last-begin))
	}
	if out.Name == "" && r.kind != wire.RowHost {
		out.Name = strconv.Itoa(int(r.thread.TID))
	}
	return out
}

// tidy makes a name of the trace fit for the wire: UTF-8, short and printable.
func tidy(name string) string {
	if len(name) > nameLimit {
		name = name[:nameLimit]
	}
	return trace.Printable(name)
}
