package declared

import (
	"sync"

	"synchroscope/state/kernel"
)

// A table is the rows for the row tree. The goroutine of the model writes, any
// reads; the lock is held for a copy at most.
type table struct {
	mu      sync.Mutex
	list    []kernel.Thread
	changed []uint64 // by row: the version that changed it last
	version uint64
}

// add appends a row, first seen at a time, and returns its number.
func (r *table) add(t *track, first int64) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.version++
	r.list = append(r.list, kernel.Thread{TID: t.tid, PID: t.pid, Name: t.name, First: first, Quark: int32(t.quark.status)})
	r.changed = append(r.changed, r.version)
	return len(r.list) - 1
}

// set takes up what has changed of a row.
func (r *table) set(t *track) {
	r.mu.Lock()
	defer r.mu.Unlock()
	row := &r.list[t.row]
	if row.PID == t.pid && row.Name == t.name {
		return
	}
	r.version++
	row.PID, row.Name = t.pid, t.name
	r.changed[t.row] = r.version
}

// since copies the rows changed after a version, in order of first sight. A
// version from a future that a restart has undone is taken for 0.
func (r *table) since(version uint64) ([]kernel.Thread, uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if version > r.version {
		version = 0
	}
	var changed []kernel.Thread
	for i, v := range r.changed {
		if v > version {
			changed = append(changed, r.list[i])
		}
	}
	return changed, r.version
}
