package clock

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
)

// Ticks finds out by how much a clock advances at once, from the times that it was seen to show. A clock that ticks shows
// the time of its last tick; what is recorded happened then or later, before the next.
//
// It is one of two kinds, or else it is taken to be fine:
//
//   - All times are whole ticks apart, as they are where a tracer writes ms: the tick is the greatest common divisor of all
//     steps. Of a clock that does not tick, n steps have a common divisor of k with a chance of k^-n.
//   - Many events have the same time, and no two times are near each other: the clock is told the time by an interrupt, which is
//     never on the dot, and some of them are lost. The tick is the longest step of those up to two and a half times
//     the usual one; a longer one is a time without events.
//
// What it finds depends on all times seen, in the order of the recording, and on nothing else. A clock that has made
// a step of less than a µs is fine for good: a message takes longer, and no more is kept or computed.
//
// The zero value has seen nothing. It belongs to one goroutine.
type Ticks struct {
	seen    bool
	fine    bool
	last    int64
	shared  int64  // events with the time of the one before
	number  int64  // steps
	divisor uint64 // of all of them
	steps   []int64
	limit   int64 // of a step that is a tick, by steps when they are mostSteps
	longest int64 // of those that came after these, not more than limit
}

const (
	finest     = 1000 // ns: less is no tick that matters
	fewest     = 4    // steps with a common divisor
	manyShared = 16   // events with the time of another
	mostSteps  = 1024 // that are kept to know what is usual
)

// Add takes the time of the next event, local ns.
func (t *Ticks) Add(local int64) {
	if !t.fine {
		t.add(local)
	}
}

func (t *Ticks) add(local int64) {
	before := t.last
	t.last = local
	if !t.seen {
		t.seen = true
		return
	}
	if local == before {
		t.shared++
		return
	}
	size := uint64(local) - uint64(before)
	if local < before {
		size = -size
	}
	if size < finest {
		*t = Ticks{seen: true, fine: true}
		return
	}
	t.number++
	t.divisor = divisor(t.divisor, size)
	switch {
	case local < before || size > math.MaxInt64: // the clock was set back, or forward by more than it ever ticks
	case len(t.steps) < mostSteps:
		if t.steps = append(t.steps, int64(size)); len(t.steps) == mostSteps {
			t.limit = most(t.steps)
		}
	case int64(size) <= t.limit:
		t.longest = max(t.longest, int64(size))
	}
}

func divisor(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// most is how long a step may be that is a tick, by those that are usual.
func most(steps []int64) int64 {
	sorted := slices.Sorted(slices.Values(steps))
	usual := sorted[len(sorted)/2]
	if usual > math.MaxInt64/3 {
		return math.MaxInt64
	}
	return 2*usual + usual/2
}

// Tick is by how many ns the clock advances at once, by what was seen so far, 0 if that is less than 1000 or not known.
func (t *Ticks) Tick() int64 {
	switch {
	case t.Regular():
		return int64(min(t.divisor, math.MaxInt64))
	case t.shared < manyShared || len(t.steps) == 0:
		return 0
	}
	tick, limit := t.longest, most(t.steps)
	for _, s := range t.steps {
		if s <= limit {
			tick = max(tick, s)
		}
	}
	return tick
}

// Regular reports whether all times seen are whole ticks apart.
func (t *Ticks) Regular() bool { return t.number >= fewest && t.divisor >= finest }

// AppendState appends what Restore needs to go on.
func (t *Ticks) AppendState(b []byte) []byte {
	var flags byte
	if t.seen {
		flags |= 1
	}
	if t.fine {
		flags |= 2
	}
	b = binary.AppendVarint(append(b, flags), t.last)
	for _, n := range [...]uint64{uint64(t.shared), uint64(t.number), t.divisor, uint64(t.longest), uint64(len(t.steps))} {
		b = binary.AppendUvarint(b, n)
	}
	for _, s := range t.steps {
		b = binary.AppendUvarint(b, uint64(s))
	}
	return b
}

// Restore puts a new Ticks where AppendState was called. Nothing at all is the state of one that has seen nothing.
func (t *Ticks) Restore(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	bad := b[0] > 3
	r := Ticks{seen: b[0]&1 != 0, fine: b[0]&2 != 0}
	last, n := binary.Varint(b[1:])
	if n <= 0 {
		return errTicks
	}
	r.last, b = last, b[1+n:]
	number := func(most uint64) uint64 {
		v, n := binary.Uvarint(b)
		if n <= 0 || v > most {
			bad, b = true, nil
			return 0
		}
		b = b[n:]
		return v
	}
	r.shared, r.number = int64(number(math.MaxInt64)), int64(number(math.MaxInt64))
	r.divisor, r.longest = number(math.MaxUint64), int64(number(math.MaxInt64))
	for range number(mostSteps) {
		r.steps = append(r.steps, int64(number(math.MaxInt64)))
	}
	if bad || len(b) > 0 {
		return errTicks
	}
	if len(r.steps) == mostSteps {
		r.limit = most(r.steps)
	}
	*t = r
	return nil
}

var errTicks = errors.New("what is known of a clock's ticks is damaged")
