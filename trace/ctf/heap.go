package ctf

import "math"

// A heap keeps lanes by their heads: by recorded time, then trace, then stream.
// The first one is the next to come.
type heap []*lane

func less(a, b *lane) bool {
	if a.time != b.time {
		return a.time < b.time
	}
	if a.trace != b.trace {
		return a.trace < b.trace
	}
	return a.index < b.index
}

// push adds a lane that stands on an event.
func (h *heap) push(l *lane) {
	*h = append(*h, l)
	a := *h
	for i := len(a) - 1; i > 0; {
		up := (i - 1) / 2
		if !less(a[i], a[up]) {
			break
		}
		a[i], a[up] = a[up], a[i]
		i = up
	}
}

// second is the time of the head that comes after the first, the latest there is if none does.
func (h heap) second() int64 {
	t := int64(math.MaxInt64)
	for _, l := range h[1:min(3, len(h))] {
		t = min(t, l.time)
	}
	return t
}

// fix puts the first lane in its place after it has moved on.
func (h heap) fix() {
	s, i := h[0], 0
	for {
		down := 2*i + 1
		if down >= len(h) {
			break
		}
		if right := down + 1; right < len(h) && less(h[right], h[down]) {
			down = right
		}
		if !less(h[down], s) {
			break
		}
		h[i] = h[down]
		i = down
	}
	h[i] = s
}

// pop removes the first lane.
func (h *heap) pop() {
	a := *h
	n := len(a) - 1
	a[0], a[n] = a[n], nil
	*h = a[:n]
	if n > 1 {
		(*h).fix()
	}
}
