package kernel

import (
	"context"
	"strconv"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
)

// A Waiting is a time in which a thread slept, and what ended it.
type Waiting struct {
	TID        int32
	Begin, End int64  // local ns: left its CPU, woken
	Ended      bool   // it was woken within the history; not where it ended, was lost sight of, or sleeps still
	Sleep      Sleep  // how it slept
	Call       string // the system call it slept in, "" for none
	How        string // what woke it: "thread", Either, "irq 24", "softirq 3", "timer", "packet", TimeOver, TimerOrSignal; "" where nobody knows
	Waker      int32  // the thread that did, or may have, 0 for none
}

// Waits yields the waits of a thread that touch [begin, end) local ns, in order of time,
// until yield returns false.
func Waits(ctx context.Context, h *history.History, tid int32, begin, end int64, yield func(Waiting) bool) error {
	tree := h.Attributes()
	status := tree.Lookup("Threads", strconv.Itoa(int(tid)))
	if status == attribute.None {
		return nil
	}
	r := reader{ctx: ctx, h: h, status: status}
	first, last := h.Bounds()
	for at := max(begin, first); at < min(end, last); {
		iv, err := h.Point(ctx, status, at)
		if err != nil {
			return err
		}
		at = iv.End
		if s, ok := iv.Value.Int(); !ok || Status(s) != Blocked && Status(s) != Wait {
			continue
		}
		w := Waiting{TID: tid, Begin: iv.Start, End: iv.End, Sleep: Sleep(r.int("Sleep", iv.Start)), Call: r.text("System_call", iv.Start)}
		if next, ok := r.value(status, iv.End).Int(); ok && iv.End < last && Status(next) == WaitCPU {
			w.Ended, w.How, w.Waker = true, r.text("Wakeup", iv.End), int32(r.int("Waker", iv.End))
			r.byCall(&w)
		}
		if r.err != nil {
			return r.err
		}
		if !yield(w) {
			return nil
		}
	}
	return nil
}

// A Link is a waiting on the way that a Chain goes.
type Link struct {
	Waiting
	Depth int // 0 for the first; one more for those of whom a waiting's thread was woken by
}

// Chain tells why a waiting took its time: the waitings, within it, of the thread that
// ended it, latest first, and below each those of the thread that ended that. It
// goes no further than most links, nor deeper than as many levels.
func Chain(ctx context.Context, h *history.History, w Waiting, most int) ([]Link, error) {
	c := chain{ctx: ctx, h: h, most: most}
	err := c.follow(w, w.Begin, 0)
	return c.links, err
}

type chain struct {
	ctx   context.Context
	h     *history.History
	most  int
	links []Link
}

func (c *chain) follow(w Waiting, from int64, depth int) error {
	if len(c.links) >= c.most {
		return nil
	}
	c.links = append(c.links, Link{w, depth})
	if !w.Ended || w.Waker <= 0 {
		return nil
	}
	from = max(from, w.Begin)
	var within []Waiting // the latest, not more than can be of use
	err := Waits(c.ctx, c.h, w.Waker, from, w.End, func(x Waiting) bool {
		if x.Ended && x.End < w.End {
			within = append(within, x)
		}
		if len(within) > 2*c.most {
			within = append(within[:0], within[c.most:]...)
		}
		return true
	})
	for i := len(within) - 1; i >= 0 && err == nil; i-- {
		err = c.follow(within[i], from, depth+1)
	}
	return err
}

// A reader reads what a thread's attributes hold. After the first error it reads nulls.
type reader struct {
	ctx    context.Context
	h      *history.History
	status attribute.Quark
	err    error
}

func (r *reader) value(q attribute.Quark, at int64) history.Value {
	if _, end := r.h.Bounds(); r.err != nil || q == attribute.None || at >= end {
		return history.Null()
	}
	iv, err := r.h.Point(r.ctx, q, at)
	r.err = err
	return iv.Value
}

func (r *reader) int(name string, at int64) int64 {
	n, _ := r.value(r.h.Attributes().Child(r.status, name), at).Int()
	return n
}

func (r *reader) text(name string, at int64) string {
	if v := r.value(r.h.Attributes().Child(r.status, name), at); v.IsString() {
		return r.h.String(v)
	}
	return ""
}
