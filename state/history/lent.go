package history

import "sync"

// The buffers in which blocks are made, of *[]byte. They are lent to trees, so that of many that are built in turn no more are in memory than of those
// that are at work.
var buffers sync.Pool

// lendBuffer returns a buffer of so many bytes that may hold anything.
func lendBuffer(n int) []byte {
	if b, ok := buffers.Get().(*[]byte); ok && cap(*b) >= n {
		return (*b)[:n]
	}
	return make([]byte, n)
}

func returnBuffer(b []byte) { buffers.Put(&b) }
