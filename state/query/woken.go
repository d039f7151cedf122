package query

import (
	"context"
	"strconv"

	"synchroscope/state/history"
	"synchroscope/state/kernel"
)

// A Wakeup tells how a thread slept and what ended that.
type Wakeup struct {
	Sleep kernel.Sleep // 0 where the trace does not say
	How   string       // what woke it: "thread", "thread or interrupt", "irq 24", "softirq 3", "timer", "packet", kernel.TimeOver, kernel.TimerOrSignal; "" where nobody knows, or nothing did
	TID   int32        // of the thread that did, or may have, 0 for none
	Name  string       // its name then
}

// WokenFrom tells what ended the time in which a thread sleeps, of which d is the detail.
// It is nil where the thread does not sleep.
func WokenFrom(ctx context.Context, h *history.History, tid int32, d Detail) (*Wakeup, error) {
	if s := kernel.Status(d.Status); !d.Known || s != kernel.Blocked && s != kernel.Wait {
		return nil, nil
	}
	var w *Wakeup
	end := int64(0)
	err := kernel.Waits(ctx, h, tid, d.Begin, d.Begin+1, func(x kernel.Waiting) bool {
		w, end = &Wakeup{Sleep: x.Sleep, How: x.How, TID: x.Waker}, x.End
		return false
	})
	if err != nil || w == nil || w.TID <= 0 {
		return w, err
	}
	p := point{ctx: ctx, h: h, t: end}
	w.Name = p.text(h.Attributes().Lookup("Threads", strconv.Itoa(int(w.TID)), "Name"))
	return w, p.err
}
