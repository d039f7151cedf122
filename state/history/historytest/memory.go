// Package historytest has what tests and measurements of histories need: a file
// in memory, and changes of state as a machine makes them.
package historytest

import (
	"io"
	"sync"
)

// A Memory is a history file in memory. The zero value is empty.
type Memory struct {
	mu sync.RWMutex
	B  []byte // what it holds, to look at and to damage while nobody reads or writes
}

// ReadAt reads like a file does, beside any WriteAt.
func (m *Memory) ReadAt(p []byte, off int64) (int, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if off >= int64(len(m.B)) {
		return 0, io.EOF
	}
	n := copy(p, m.B[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// WriteAt writes, and grows the file where it must.
func (m *Memory) WriteAt(p []byte, off int64) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if grow := off + int64(len(p)) - int64(len(m.B)); grow > 0 {
		m.B = append(m.B, make([]byte, grow)...)
	}
	return copy(m.B[off:], p), nil
}

// Truncate cuts or lengthens the file.
func (m *Memory) Truncate(size int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	held := int64(len(m.B))
	m.B = append(m.B[:min(size, held)], make([]byte, max(0, size-held))...)
	return nil
}

// Size is the length of the file in bytes.
func (m *Memory) Size() int64 {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return int64(len(m.B))
}

// Clone is what a crash leaves behind.
func (m *Memory) Clone() *Memory {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return &Memory{B: append([]byte(nil), m.B...)}
}

// Sync does nothing.
func (m *Memory) Sync() error { return nil }

// Close does nothing.
func (m *Memory) Close() error { return nil }
