package record

import "math/bits"

// A consumer reads sub-buffers that are full, one after the other, from all CPUs.
type consumer struct {
	rate, wake int64
	free       int64 // when it has read all that it was given
}

// read is when a sub-buffer that was full at t has been read.
func (c *consumer) read(t int64, bytes int) int64 {
	if c.rate <= 0 {
		return t
	}
	high, low := bits.Mul64(uint64(bytes), 1e9)
	d, _ := bits.Div64(high, low, uint64(c.rate))
	c.free = max(c.free, t+c.wake) + int64(d)
	return c.free
}
