package kernel

import (
	"runtime"
	"sync"

	"synchroscope/state/attribute"
	"synchroscope/state/scratch"
)

// A Thread is what is known of one thread for the row tree. Idle threads have
// none. A tid that is used again keeps its row: First is that of the first life,
// all else of the newest.
type Thread struct {
	TID         int32
	PID         int32  // the process; TID where the events do not tell
	PPID        int32  // the parent process; 0 where the events do not tell
	Name        string // the newest name
	First, Last int64  // local ns: first seen; end of life, or 0 while it lives
	Quark       int32  // the attribute of its status
}

// A row is what is kept of an id for good. It has no pointer, since it may be in scratch memory. What it says beside a [Thread] holds while
// the model has the thread not at hand.
type row struct {
	first, last    int64
	changed        uint64 // the version that changed it last
	facts          facts
	ns             int64 // inner
	tid, pid, ppid int32
	quark          attribute.Quark
	innerTID       int32
	innerLevel     int32
	name           comm
}

func (r *row) inner() inner { return inner{r.ns, r.innerTID, r.innerLevel} }

func (r *row) setInner(in inner) { r.ns, r.innerTID, r.innerLevel = in.ns, in.tid, in.level }

// thread is the row for the row tree. names are such as there were, each once.
func (r *row) thread(names map[comm]string) Thread {
	name, ok := names[r.name]
	if !ok {
		name = r.name.String()
		names[r.name] = name
	}
	return Thread{r.tid, r.pid, r.ppid, name, r.first, r.last, int32(r.quark)}
}

// rows is the row tree's side of the model. The goroutine of the model writes,
// any reads; the lock is held for a copy at most. All that grows with the ids that ever were is here, and may be in scratch memory.
type rows struct {
	space *scratch.Space
	index []*[idsOfPage]int32 // by id, pages of it: 1 more than the number of its row, 0 for none. The goroutine of the model alone reads it

	mu      sync.Mutex
	blocks  []*[rowsOfBlock]row
	count   int
	version uint64
}

const (
	rowsOfBlock = 256
	idsOfPage   = 256
)

// find is the number of the row of an id, -1 for none.
func (r *rows) find(tid int64) int32 {
	if page := tid / idsOfPage; tid >= 0 && page < int64(len(r.index)) && r.index[page] != nil {
		return r.index[page][tid%idsOfPage] - 1
	}
	return -1
}

// add appends a row for an id that has none, and returns its number.
func (r *rows) add(tid int32, first int64, q attribute.Quark) int32 {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.version++
	return r.take(row{tid: tid, pid: tid, first: first, quark: q, changed: r.version})
}

// take appends a row. r.mu is held.
func (r *rows) take(added row) int32 {
	for int(added.tid/idsOfPage) >= len(r.index) {
		r.index = append(r.index, nil)
	}
	page := &r.index[added.tid/idsOfPage]
	if *page == nil {
		*page = &scratch.Make[[idsOfPage]int32](r.space, 1)[0]
	}
	if r.count == len(r.blocks)*rowsOfBlock {
		r.blocks = append(r.blocks, &scratch.Make[[rowsOfBlock]row](r.space, 1)[0])
	}
	n := int32(r.count)
	r.count++
	*r.at(n) = added
	(*page)[added.tid%idsOfPage] = n + 1
	return n
}

// at is a row that there is, to the goroutine that writes, which needs no lock to read. What a [Thread] has of it is written by set.
func (r *rows) at(n int32) *row { return &r.blocks[n/rowsOfBlock][n%rowsOfBlock] }

// set says what is known now; if it was, that is no change.
func (r *rows) set(n int32, pid, ppid int32, name comm, last int64) {
	row := r.at(n)
	if row.pid == pid && row.ppid == ppid && row.name == name && row.last == last {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.version++
	row.pid, row.ppid, row.name, row.last, row.changed = pid, ppid, name, last, r.version
}

// since copies the rows changed after a version, in order of first sight. A
// version from a future that a restart has undone is taken for 0.
func (r *rows) since(version uint64) ([]Thread, uint64) {
	defer runtime.KeepAlive(r.space)
	r.mu.Lock()
	defer r.mu.Unlock()
	if version > r.version {
		version = 0
	}
	if version == r.version {
		return nil, r.version
	}
	some := 0
	for n := range int32(r.count) {
		if r.at(n).changed > version {
			some++
		}
	}
	changed, names := make([]Thread, 0, some), make(map[comm]string)
	for n := range int32(r.count) {
		if row := r.at(n); row.changed > version {
			changed = append(changed, row.thread(names))
		}
	}
	return changed, r.version
}
