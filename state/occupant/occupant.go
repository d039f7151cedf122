// Package occupant tells which thread was on the CPU that recorded an event, or recorded it.
//
// The state history knows who was on a CPU between two instants. At the instant itself the order of the events decides: a switch, and
// what is ahead of it, belongs to the thread that leaves, and what is behind it to the one that comes.
package occupant

import (
	"context"
	"math"
	"strconv"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/trace"
)

// batch is how many stays of threads on a CPU are read from the history at once.
const batch = 256

// Threads tells the threads of the events of one host, which are shown to it in order, from any of them on. It is a filter.Threads,
// keeps a few stays of each CPU, and belongs to one goroutine.
type Threads struct {
	ctx      context.Context
	history  *history.History
	said     *Said // nil of a host of whose CPUs the history knows
	switches Switches
	cpus     map[int32]*cpu
	err      error
}

// A cpu is where one has come to along the stays on a CPU.
type cpu struct {
	quark    attribute.Quark
	begun    bool
	now      history.Interval // holds the time of the newest event
	before   history.Value    // of the one ahead of it
	ahead    []history.Interval
	next     int   // of those ahead
	switched int64 // when the newest switch was
}

// New makes one by the history of a host, nil where there is none yet.
func New(ctx context.Context, h *history.History) *Threads {
	t := &Threads{ctx: ctx, history: h, cpus: make(map[int32]*cpu)}
	if h != nil && h.Attributes().Lookup("CPUs") == attribute.None {
		t.said = new(Said)
	}
	return t
}

// Err is why some threads could not be told.
func (t *Threads) Err() error { return t.err }

// Pass goes on to an event.
func (t *Threads) Pass(e *trace.Event) {
	if t.switches.leaves(e) == nil {
		return
	}
	if c := t.cpu(e.CPU); c != nil {
		c.switched = e.Time
	}
}

// Thread is the thread that was on the CPU of the event passed last, 0 where that was idle and -1 where nobody knows. On a host of whose CPUs nothing
// is known it is the one that the event says.
func (t *Threads) Thread(e *trace.Event) int32 {
	if f := t.switches.leaves(e); f != nil {
		return int32(e.Int(f))
	}
	if t.said != nil {
		return t.said.Thread(e)
	}
	c := t.cpu(e.CPU)
	if c == nil || t.err != nil {
		return -1
	}
	if t.err = c.goTo(t.ctx, t.history, e.Time); t.err != nil {
		return -1
	}
	if c.now.Start == e.Time && c.switched != e.Time {
		if tid := tidOf(c.before); tid >= 0 {
			return tid
		}
	}
	return tidOf(c.now.Value)
}

// cpu is nil where the event has no CPU that the history knows; an import may find it later.
func (t *Threads) cpu(id int32) *cpu {
	if id < 0 || t.history == nil {
		return nil
	}
	c := t.cpus[id]
	if c == nil {
		q := t.history.Attributes().Lookup("CPUs", strconv.Itoa(int(id)), "Current_thread")
		if q == attribute.None {
			return nil
		}
		c = &cpu{quark: q, switched: math.MinInt64, now: history.Interval{Start: math.MinInt64, End: math.MinInt64}}
		t.cpus[id] = c
	}
	return c
}

// goTo goes on to the stay that holds an instant, local ns, which is not before the one that it stands at.
func (c *cpu) goTo(ctx context.Context, h *history.History, at int64) error {
	if !c.begun {
		c.begun = true
		if err := c.hold(ctx, h, at-1); err != nil {
			return err
		}
	}
	return c.hold(ctx, h, at)
}

func (c *cpu) hold(ctx context.Context, h *history.History, at int64) error {
	if at < c.now.End && at >= c.now.Start {
		return nil
	}
	for {
		for c.next < len(c.ahead) {
			next := c.ahead[c.next]
			if next.Start > at {
				break // nothing is known until then
			}
			c.next++
			c.before, c.now = c.last(next.Start), next
			if at < next.End {
				return nil
			}
		}
		if c.next < len(c.ahead) {
			break
		}
		c.ahead, c.next = c.ahead[:0], 0
		err := h.Range(ctx, []attribute.Quark{c.quark}, max(at-1, c.now.End), math.MaxInt64, func(iv history.Interval) bool {
			c.ahead = append(c.ahead, iv)
			return len(c.ahead) < batch
		})
		if err != nil {
			return err
		}
		if len(c.ahead) == 0 {
			break // the history does not reach so far
		}
	}
	c.before = c.last(at)
	c.now = history.Interval{Value: history.Null(), Start: at, End: at + 1}
	return nil
}

// last is what the stay was that ended at an instant, null where none did.
func (c *cpu) last(at int64) history.Value {
	if c.now.End == at && c.begun {
		return c.now.Value
	}
	return history.Null()
}

func tidOf(v history.Value) int32 {
	if tid, ok := v.Int(); ok && tid >= 0 {
		return int32(tid)
	}
	return -1
}
