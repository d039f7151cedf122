package kernel

import "sync"

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

// rows is the row tree's side of the model. The goroutine of the model writes,
// any reads; the lock is held for a copy at most.
type rows struct {
	mu      sync.Mutex
	list    []Thread
	changed []uint64 // by row: the version that changed it last
	version uint64
}

// add appends a row and returns its index.
func (r *rows) add(t Thread) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.version++
	r.list = append(r.list, t)
	r.changed = append(r.changed, r.version)
	return len(r.list) - 1
}

// get returns row i to the goroutine that writes, which needs no lock to read.
func (r *rows) get(i int) Thread { return r.list[i] }

// set replaces row i; an equal row is no change.
func (r *rows) set(i int, t Thread) {
	if r.list[i] == t {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.version++
	r.list[i] = t
	r.changed[i] = r.version
}

// since copies the rows changed after a version, in order of first sight. A
// version from a future that a restart has undone is taken for 0.
func (r *rows) since(version uint64) ([]Thread, uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if version > r.version {
		version = 0
	}
	if version == r.version {
		return nil, r.version
	}
	var changed []Thread
	for i, v := range r.changed {
		if v > version {
			changed = append(changed, r.list[i])
		}
	}
	return changed, r.version
}
