package ctf

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// Recordings of one clock count the same cycles, and each says for itself when cycle 0 was: LTTng compares the clock that times events with that of the
// day as a recording begins. Two such comparisons of one machine are some ns to µs apart. Where the clock of the day was set in between they are as far apart
// as it was set, hours if need be, though the clock that times events went on. Of a host's order, and of bounds that are hard, only the cycles
// know anything. So one origin holds for all traces that share a clock.
//
// Which one it is is no measurement, so we chose not to take the mean, as babeltrace 1 does (and Trace Compass, up to 500 µs): no recording would have the times then
// that other programs print of it. It is that of the kernel's recording, for most events have its time, and of the last that began, for clocks of the day are set right
// more often than wrong.

// told is by how much at least a trace's times are moved, ns, for that to be worth a word: measuring alone does not come to it.
const told = int64(time.Millisecond)

// align has the traces of one clock count from one origin, as far as they agree how fast it runs. Traces without a clock that is the same in others stay.
func align(traces []*Trace) {
	rates := make(map[uint64][]*Trace)
	for _, t := range traces {
		if k := t.plan.clock; k != nil && t.info.ClockID != "" {
			rates[k.freq] = append(rates[k.freq], t)
		}
	}
	for _, own := range rates {
		by := slices.MaxFunc(own, func(a, b *Trace) int {
			return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(a.begun(), b.begun()), cmp.Compare(a.plan.clock.base, b.plan.clock.base))
		}).plan.clock.base
		for _, t := range own {
			if base := t.plan.clock.base; (by-base > 0) == (by > base) { // 64 bits hold the difference
				t.Move(by - base)
			}
		}
	}
}

func (t *Trace) rank() int {
	if t.info.Kind == "kernel" {
		return 1
	}
	return 0
}

// begun is when the first packet of the trace begins, ns since cycle 0 of its clock; 0 where packets do not say of which stream they are.
func (t *Trace) begun() int64 {
	begun := int64(0)
	for _, c := range t.streams {
		for _, f := range c.files {
			if at := f.begin - t.plan.clock.base; f.met && t.plan.times(c.class) && (begun == 0 || at < begun) {
				begun = at
			}
		}
	}
	return begun
}

// Moved is by how many ns all times of the trace are later than its metadata has them.
func (t *Trace) Moved() int64 { return t.moved }

// Move has all times of the trace's clock be later by so many ns, as [Group] does with the traces of one clock. It is done before a reader is made.
func (t *Trace) Move(by int64) {
	if by == 0 || t.plan.clock == nil {
		return
	}
	for _, c := range t.streams {
		for i := range c.files {
			if f := &c.files[i]; f.met && t.plan.times(c.class) {
				f.begin += by
			}
		}
	}
	t.plan = t.plan.move(by)
	t.moved += by
	if size, side := max(by, -by), "earlier"; size >= told {
		if by < 0 {
			side = "later"
		}
		t.plan.notes = append(slices.Clip(t.plan.notes), oddity{"clock-set", fmt.Sprintf("this recording has the origin of clock %q %v %s than another recording of the same clock, by which all times are told: that of the day was set in between", t.plan.clock.name, time.Duration(size), side)})
	}
}

// times reports whether packets of a stream class begin by the clock that tells which host the trace is of.
func (p *plan) times(class uint64) bool {
	return slices.ContainsFunc(p.streams, func(c *streamClass) bool { return c.id == class && c.beginClock == p.clock })
}

// move is the plan with the origin of that clock later by so many ns.
func (p *plan) move(by int64) *plan {
	q := *p
	was, now := p.clock, clockAt(p.clock.name, p.clock.freq, p.clock.base+by)
	q.clock = now
	q.streams = make([]*streamClass, len(p.streams))
	for i, c := range p.streams {
		own := *c
		own.beginClock, own.endClock = instead(c.beginClock, was, now), instead(c.endClock, was, now)
		own.stamps = slices.Clone(c.stamps)
		for j := range own.stamps {
			own.stamps[j].clock = instead(own.stamps[j].clock, was, now)
		}
		q.streams[i] = &own
	}
	return &q
}

func instead(k, was, now *clock) *clock {
	if k == was {
		return now
	}
	return k
}
