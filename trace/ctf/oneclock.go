package ctf

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"time"

	"synchroscope/trace"
)

// Recordings of one clock count the same cycles, and each says for itself when cycle 0 was: LTTng compares the clock that times events with that of the day
// as a recording begins. Of a host's order, and of bounds that are hard, only the cycles know anything; two such comparisons of one machine are some ns to µs apart, and where the
// clock of the day was set in between they are as far apart as it was set. So origins are taken from the last recording back to the first:
//
//   - Of one session one origin holds: its recordings are made at one time.
//   - So it does of recordings whose origins are less than a millisecond apart: that is what measuring comes to.
//   - And of sessions that were recorded side by side, and of those in between.
//   - A recording whose origin is later than that of a later one has the origin of that. Its clock of the day was set back afterwards, and by its own
//     the earlier would be behind, or among, the later.
//   - One whose origin is earlier by more keeps its own. The order is that of the cycles either way, and of two reasons one is no wrong clock: while a machine sleeps
//     its clock of cycles stands still, and the day goes on.
//
// We chose not to take the mean of all, as babeltrace 1 does (and Trace Compass, up to 500 µs): no recording would have the times then that other programs print of it.

// noise is how far apart origins may be that were measured of one clock and one day, ns.
const noise = int64(time.Millisecond)

// A recorded is the traces of one session that have a clock in common.
type recorded struct {
	session string
	traces  []*Trace
	begun   uint64 // the first packet begins, cycles
	origin  int64
}

// align has the traces of one clock tell times in its order. Those of the host that do not say which clock is theirs go with their session.
func align(traces []*Trace) {
	rates := make(map[uint64][]*Trace)
	for _, t := range traces {
		if k := t.plan.clock; k != nil && t.info.ClockID != "" {
			rates[k.freq] = append(rates[k.freq], t)
		}
	}
	for _, own := range rates {
		if slices.ContainsFunc(own, func(t *Trace) bool { return t.plan.clock.base != own[0].plan.clock.base }) {
			inOrder(sessionsOf(own))
		}
	}
	for _, t := range traces {
		if t.info.ClockID != "" {
			continue
		}
		if i := slices.IndexFunc(traces, func(u *Trace) bool { return u.info.ClockID != "" && sessionPath(u.dir) == sessionPath(t.dir) }); i >= 0 {
			t.Move(traces[i].moved - t.moved)
		}
	}
}

// sessionsOf are the sessions of which it is known when they began, in that order, each with the origin of its kernel's trace, of several the last that began.
func sessionsOf(traces []*Trace) (list []recorded) {
	began := make(map[*Trace]uint64)
	for _, t := range traces {
		at, ok := t.begun()
		i := slices.IndexFunc(list, func(r recorded) bool { return r.session == sessionPath(t.dir) })
		if i < 0 {
			i = len(list)
			list = append(list, recorded{session: sessionPath(t.dir), begun: math.MaxUint64})
		}
		list[i].traces = append(list[i].traces, t)
		if ok {
			began[t], list[i].begun = at, min(list[i].begun, at)
		}
	}
	list = slices.DeleteFunc(list, func(r recorded) bool {
		return !slices.ContainsFunc(r.traces, func(t *Trace) bool { return t.hasBegun })
	})
	for i := range list {
		var of *Trace
		for _, t := range list[i].traces {
			if t.hasBegun && (of == nil || cmp.Or(cmp.Compare(t.rank(), of.rank()), cmp.Compare(began[t], began[of]), cmp.Compare(t.plan.clock.base, of.plan.clock.base)) > 0) {
				of = t
			}
		}
		list[i].origin = of.plan.clock.base
	}
	slices.SortStableFunc(list, func(a, b recorded) int {
		return cmp.Or(cmp.Compare(a.begun, b.begun), cmp.Compare(a.origin, b.origin), cmp.Compare(a.session, b.session))
	})
	return list
}

// inOrder moves the traces of sessions, in the order in which they began.
func inOrder(sessions []recorded) {
	beside := sideBySide(sessions)
	for i, r := range slices.Backward(sessions) {
		if i+1 < len(sessions) {
			last := sessions[i+1].origin
			if d := last - r.origin; d < noise || beside[i] { // also where 64 bits do not hold it
				r.origin = last
			}
		}
		sessions[i] = r
		for _, t := range r.traces {
			if base := t.plan.clock.base; (r.origin-base > 0) == (r.origin > base) {
				t.Move(r.origin - base)
			}
		}
	}
}

// sideBySide tells of each session whether it, or one before it, goes on when the next begins. It is looked for only where anything depends on it.
func sideBySide(sessions []recorded) []bool {
	beside := make([]bool, len(sessions))
	forward := false
	for i := range sessions[:max(len(sessions)-1, 0)] {
		forward = forward || sessions[i+1].origin-sessions[i].origin >= noise
	}
	if !forward {
		return beside
	}
	ended := uint64(0)
	for i, r := range sessions[:len(sessions)-1] {
		for _, t := range r.traces {
			ended = max(ended, t.ended())
		}
		beside[i] = ended > sessions[i+1].begun
	}
	return beside
}

func (t *Trace) rank() int {
	if t.info.Kind == "kernel" {
		return 1
	}
	return 0
}

// begun is when the first packet of the trace begins, in cycles of its clock; false where no packet says.
func (t *Trace) begun() (at uint64, ok bool) {
	t.begins.Do(func() {
		t.begunAt = math.MaxUint64
		t.walk(1, func(p *packet) { t.begunAt, t.hasBegun = min(t.begunAt, p.first), true })
	})
	return t.begunAt, t.hasBegun
}

// maxWalk is how many packets of a file are looked at to learn when it ends: of as many of 4 KiB a file has 4 GiB.
const maxWalk = 1 << 20

// ended is when the last packet of the trace begins, or ends where it says so, in cycles of its clock, as far as its packets can be read.
func (t *Trace) ended() uint64 {
	t.ends.Do(func() {
		t.walk(maxWalk, func(p *packet) {
			t.endedAt = max(t.endedAt, p.first)
			if p.hasLast && p.class.endClock == t.plan.clock {
				t.endedAt = max(t.endedAt, p.last)
			}
		})
	})
	return t.endedAt
}

// walk visits the first packets of each file, as many as are wanted, that begin by the clock of the trace.
func (t *Trace) walk(most int, visit func(p *packet)) {
	for _, c := range t.streams {
		for _, f := range c.files {
			n := 0
			t.plan.walk(filepath.Join(t.dir, f.name), f.size, func(p *packet, _ *trace.Event) bool {
				if p.class == nil || !p.hasFirst || p.class.beginClock != t.plan.clock {
					return false
				}
				visit(p)
				n++
				return n < most
			})
		}
	}
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
				f.begin = later(f.begin, by)
			}
		}
	}
	t.plan = t.plan.move(by)
	t.moved += by
	if size, side := max(by, -by), "earlier"; size >= noise {
		if by < 0 {
			side = "later"
		}
		t.plan.notes = append(slices.Clip(t.plan.notes), oddity{"clock-set", fmt.Sprintf("this recording has the origin of clock %q %v %s than another recording of the same clock, by which its times are told: that of the day was set in between", t.plan.clock.name, time.Duration(size), side)})
	}
}

// later is the sum, or the end of int64 that is beyond.
func later(t, by int64) int64 {
	switch sum := t + by; {
	case (sum < t) == (by < 0):
		return sum
	case by < 0:
		return math.MinInt64
	}
	return math.MaxInt64
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
