package history

import (
	"math/bits"
	"sync"
)

// What a tree needs for a moment is lent to it, so that of many that are built in turn no more is in memory than of those that are at work: the buffer
// in which a block is made, and places for intervals of which it has one too many once readers are shown more.
var (
	buffers sync.Pool                             // of *[]byte
	places  [placeSteps * bits.UintSize]sync.Pool // of *[]Interval, by step
)

// lendBuffer returns a buffer of so many bytes that may hold anything.
func lendBuffer(n int) []byte {
	if b, ok := buffers.Get().(*[]byte); ok && cap(*b) >= n {
		return (*b)[:n]
	}
	return make([]byte, n)
}

func returnBuffer(b []byte) { buffers.Put(&b) }

// placeSteps are the sizes of places between a power of two and the next, so a place is at most a quarter larger than was asked for.
const placeSteps = 4

// lendPlace returns a place for so many intervals, or a few more, empty.
func lendPlace(n int) []Interval {
	step, size := stepOf(n)
	if p, ok := places[step].Get().(*[]Interval); ok {
		return *p
	}
	return make([]Interval, 0, size)
}

// returnPlace takes a place back that nobody looks at any more.
func returnPlace(p []Interval) {
	step, size := stepOf(cap(p))
	if size > cap(p) {
		step--
	}
	if step < 0 || cap(p) == 0 {
		return
	}
	p = p[:0]
	places[step].Put(&p)
}

// stepOf is the least step whose places have room for so many intervals, and their size.
func stepOf(n int) (step, size int) {
	n = max(n, placeSteps)
	shift := bits.Len(uint(n)) - bits.Len(uint(placeSteps))
	top := (n + 1<<shift - 1) >> shift // placeSteps to twice that
	return shift*placeSteps + top - placeSteps, top << shift
}
