package live

import (
	"math"
	"strconv"
	"strings"
	"sync"

	"synchroscope/handlers/wire"
	"synchroscope/state/attribute"
	"synchroscope/state/kernel"
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
	version uint32          // of the table when the row changed
}

type hostRows struct {
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
			id := t.add(row{parent: wire.NoRow, host: int32(i), kind: wire.RowHost, named: tidy(h.Name()), quark: attribute.None})
			t.hosts = append(t.hosts, hostRows{id: id, begin: at(begins, i), byTID: make(map[int32]uint32)})
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
		id = t.add(row{host: host})
		t.hosts[host].byTID[thread.TID] = id
	}
	r := &t.rows[id]
	if r.process {
		parent, kind = t.hosts[host].id, wire.RowProcess
	}
	r.parent, r.kind, r.thread = parent, kind, thread
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
	if r := &t.rows[id]; !r.process {
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
	t.rows = append(t.rows, r)
	t.touch(&t.rows[len(t.rows)-1])
	return uint32(len(t.rows) - 1)
}

func (t *table) touch(r *row) {
	t.version++
	r.version = t.version
}

func (t *table) touchHost(host int32) {
	for i := range t.rows {
		if t.rows[i].host == host {
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
	return t.rows[id], true
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

// hostRow returns the row of the host that a row belongs to.
func (t *table) hostRow(id uint32) uint32 {
	t.mu.Lock()
	defer t.mu.Unlock()
	if uint64(id) >= uint64(len(t.rows)) {
		return wire.NoRow
	}
	return t.hosts[t.rows[id].host].id
}

// since encodes the rows that changed after a version, and returns the version
// now; frame is nil where none did.
func (t *table) since(version uint32) (frame []byte, now uint32, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if version == t.version {
		return nil, version, nil
	}
	out := wire.Rows{Header: wire.Header{Generation: t.version}}
	for id := range t.rows {
		if r := &t.rows[id]; r.version > version {
			out.Rows = append(out.Rows, t.wire(uint32(id), r))
		}
	}
	frame, err = out.Encode()
	return frame, t.version, err
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

// tidy makes a name of the trace fit for the wire: UTF-8 and short.
func tidy(name string) string {
	if len(name) > nameLimit {
		name = name[:nameLimit]
	}
	return strings.ToValidUTF8(name, "\uFFFD")
}
