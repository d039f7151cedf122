package history_test

import (
	"io"
	"sync"
)

// A memory is a File in memory. ReadAt may run beside WriteAt, as on a file.
type memory struct {
	mu sync.RWMutex
	b  []byte
}

func (m *memory) ReadAt(p []byte, off int64) (int, error) {
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

func (m *memory) WriteAt(p []byte, off int64) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if end := off + int64(len(p)); end > int64(len(m.b)) {
		m.b = append(m.b, make([]byte, end-int64(len(m.b)))...)
	}
	return copy(m.b[off:], p), nil
}

func (m *memory) Truncate(size int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if size <= int64(len(m.b)) {
		m.b = m.b[:size]
	} else {
		m.b = append(m.b, make([]byte, size-int64(len(m.b)))...)
	}
	return nil
}

func (m *memory) Sync() error  { return nil }
func (m *memory) Close() error { return nil }

// clone is what a crash leaves behind.
func (m *memory) clone() *memory {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return &memory{b: append([]byte(nil), m.b...)}
}
