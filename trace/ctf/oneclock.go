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
//   - And of sessions that were recorded side by side.
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

// sessionsOf are sessions in the order in which they began, each with the origin of its kernel's trace, of several the last that began.
func sessionsOf(traces []*Trace) (list []recorded) {
	begun := make(map[*Trace]uint64)
	for _, t := range traces {
		begun[t] = t.begun()
		i := slices.IndexFunc(list, func(r recorded) bool { return r.session == sessionPath(t.dir) })
		if i < 0 {
			i = len(list)
			list = append(list, recorded{session: sessionPath(t.dir), begun: math.MaxUint64})
		}
		list[i].traces = append(list[i].traces, t)
		list[i].begun = min(list[i].begun, begun[t])
	}
	for i := range list {
		list[i].origin = slices.MaxFunc(list[i].traces, func(a, b *Trace) int {
			return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(begun[a], begun[b]), cmp.Compare(a.plan.clock.base, b.plan.clock.base))
		}).plan.clock.base
	}
	slices.SortStableFunc(list, func(a, b recorded) int {
		return cmp.Or(cmp.Compare(a.begun, b.begun), cmp.Compare(a.origin, b.origin), cmp.Compare(a.session, b.session))
	})
	return list
}

// inOrder moves the traces of sessions.
func inOrder(sessions []recorded) {
	for i, next := range slices.Backward(sessions) {
		if i+1 < len(sessions) {
			last := sessions[i+1]
			if d := last.origin - next.origin; d < noise || d < 0 || slices.ContainsFunc(next.traces, func(t *Trace) bool { return t.passes(last.begun) }) {
				next.origin = last.origin
			}
		}
		sessions[i] = next
		for _, t := range next.traces {
			if base := t.plan.clock.base; (next.origin-base > 0) == (next.origin > base) { // 64 bits hold the difference
				t.Move(next.origin - base)
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

// begun is when the first packet of the trace begins, in cycles of its clock; the largest number where no packet says.
func (t *Trace) begun() uint64 {
	begun := uint64(math.MaxUint64)
	t.walk(func(p *packet) bool {
		begun = min(begun, p.first)
		return false
	})
	return begun
}

// passes reports whether packets of the trace begin, or say that they end, behind a time in cycles of its clock.
func (t *Trace) passes(at uint64) (does bool) {
	t.walk(func(p *packet) bool {
		does = does || p.first > at || p.hasLast && p.class.endClock == t.plan.clock && p.last > at
		return !does
	})
	return does
}

// walk visits the packets of each file that begin by the clock of the trace, as long as the visitor wants more of it, and as far as they can be read.
func (t *Trace) walk(visit func(p *packet) bool) {
	for _, c := range t.streams {
		for _, f := range c.files {
			t.plan.walk(filepath.Join(t.dir, f.name), f.size, func(p *packet, _ *trace.Event) bool {
				return p.class != nil && p.hasFirst && p.class.beginClock == t.plan.clock && visit(p)
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
				f.begin += by
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
