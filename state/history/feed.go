package history

import (
	"encoding/binary"
	"io"
)

// A feed is a decoder of what is too long to be in memory as a whole. Who decodes asks for what stands ahead before it takes it. What cannot be
// read is bad.
type feed struct {
	decoder
	from   io.ReaderAt // nil where all is there
	offset int64       // of what comes next
	left   int64       // bytes from there on
	room   []byte      // that what is ahead stands in
	err    error       // of reading it
}

const (
	feedSize = 64 << 10

	// mostItem is how long three numbers and a value are at most.
	mostItem = 3*binary.MaxVarintLen64 + binary.MaxVarintLen64 + 8
)

// newFeed reads the first size bytes of from.
func newFeed(from io.ReaderAt, size int64) *feed {
	return &feed{from: from, left: size, room: make([]byte, min(size, feedSize))}
}

// ahead sees to it that the next n bytes can be decoded, or all that there are.
func (f *feed) ahead(n int) {
	have := len(f.b) - f.i
	if n <= have || f.left == 0 || f.bad {
		return
	}
	if n > len(f.room) {
		f.room = append(make([]byte, 0, n), f.b[f.i:]...)[:n]
	} else {
		copy(f.room, f.b[f.i:])
	}
	more := int(min(int64(len(f.room)-have), f.left))
	if got, err := f.from.ReadAt(f.room[have:have+more], f.offset); got < more {
		f.left, f.err = 0, err
		f.fail()
		return
	}
	f.b, f.i = f.room[:have+more], 0
	f.offset, f.left = f.offset+int64(more), f.left-int64(more)
}

// remaining is how many bytes are left.
func (f *feed) remaining() int64 { return int64(len(f.b)-f.i) + f.left }

// take returns the next n bytes, until more is asked for.
func (f *feed) take(n uint64) []byte {
	if n > uint64(f.remaining()) {
		f.fail()
		return nil
	}
	f.ahead(int(n))
	return f.bytes(n)
}
