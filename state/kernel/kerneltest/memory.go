package kerneltest

import (
	"io"
	"sync"
)

// A Memory is a history file in memory. The zero value is empty.
type Memory struct {
	mu sync.RWMutex
	b  []byte
}

// ReadAt reads like a file does, beside any WriteAt.
func (m *Memory) ReadAt(p []byte, off int64) (int, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if off >= int64(len(m.b)) {
		return 0, io.EOF
	}
	n := copy(p, m.b[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// WriteAt writes, and grows the file where it must.
func (m *Memory) WriteAt(p []byte, off int64) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if grow := off + int64(len(p)) - int64(len(m.b)); grow > 0 {
		m.b = append(m.b, make([]byte, grow)...)
	}
	return copy(m.b[off:], p), nil
}

// Truncate cuts or lengthens the file.
func (m *Memory) Truncate(size int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	held := int64(len(m.b))
	m.b = append(m.b[:min(size, held)], make([]byte, max(0, size-held))...)
	return nil
}

// Size is the length of the file in bytes.
func (m *Memory) Size() int64 {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return int64(len(m.b))
}

// Sync does nothing.
func (m *Memory) Sync() error { return nil }

// Close does nothing.
func (m *Memory) Close() error { return nil }
