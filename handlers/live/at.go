package live

import (
	"context"
	"fmt"

	"synchroscope/handlers/wire"
	"synchroscope/ingest"
	"synchroscope/state/attribute"
	"synchroscope/state/kernel"
	"synchroscope/state/query"
)

// answerAt tells what a row's thread does at one instant: what the status line
// says of what is under the pointer.
func answerAt(ctx context.Context, s *session, r wire.Request) (answer, error) {
	row, ok := s.rows.row(r.Row)
	if !ok {
		return nil, refusal(fmt.Sprintf("There is no row %d.", r.Row))
	}
	l := s.lens(r.Raw)
	host := s.set.Hosts()[row.host]
	local := l.local(row.host, r.At)
	out := wire.At{Row: r.Row, Host: tidy(host.Name()), At: wire.Time(r.At)}
	if bound, ok := l.bound(row.host, local); ok {
		out.Error = &bound
	}
	if row.kind == wire.RowProcess || row.kind == wire.RowThread {
		out.Thread = &wire.Thread{TID: row.thread.TID, PID: row.thread.PID, PPID: row.thread.PPID, Name: row.named}
	}
	reach := host.Known()
	history := host.History()
	calls, _, _ := host.CPUParts()
	if row.kind >= wire.RowCPU {
		if history != nil && row.quark != attribute.None && within(history.Bounds, local) {
			if err := l.resourceAt(ctx, &out, history, reach, row, local, calls); err != nil {
				return nil, err
			}
		}
		return func(uint32) ([]byte, error) { return wire.EncodeJSON(wire.KindAt, r.Header, out) }, nil
	}
	if history != nil && row.quark != attribute.None && within(history.Bounds, local) {
		d, err := query.At(ctx, history, row.quark, local)
		if err != nil {
			return nil, err
		}
		if d.Known {
			l.detail(&out, row.host, reach, d, calls)
			w, err := query.WokenFrom(ctx, history, row.thread.TID, d)
			if err != nil {
				return nil, err
			}
			wakeup(&out, w)
			if out.Woken != nil && out.Woken.TID > 0 {
				out.Woken.PPID = s.rows.parentOf(row.host, out.Woken.TID)
			}
		}
	}
	return func(uint32) ([]byte, error) { return wire.EncodeJSON(wire.KindAt, r.Header, out) }, nil
}

func within(bounds func() (begin, end int64), t int64) bool {
	begin, end := bounds()
	return begin <= t && t < end
}

// detail fills in what the history knows, of a host that recorded system calls or did not.
func (l lens) detail(out *wire.At, host int32, reach ingest.Reach, d query.Detail, calls bool) {
	words := statusWords(kernel.Status(d.Status), d.Syscall)
	if kernel.Status(d.Status) == kernel.User && d.CPU >= 0 && !calls {
		words += orSystemCall
	}
	switch {
	case d.Event != "" && d.Function != "":
		words = "in " + tidy(d.Function)
	case d.Event != "" && kernel.Status(d.Status) == kernel.User:
		words += ", at its event " + tidy(d.Event) // of what is between its events nothing is known
	case d.Event != "":
		words = "unknown, after " + tidy(d.Event)
	case d.Function != "" && kernel.Status(d.Status) != kernel.Unknown:
		words += ", in function " + tidy(d.Function)
	}
	out.Status, out.StatusCode = &words, &d.Status
	l.span(out, host, reach, d.Begin, d.End)
	if d.Syscall != "" {
		out.Syscall = &d.Syscall
	}
	if d.CPU >= 0 {
		out.CPU = &d.CPU
	}
	if d.LastCPU >= 0 {
		out.LastCPU = &d.LastCPU
	}
	if d.Priority != query.NoPriority {
		out.Priority = &d.Priority
	}
	if d.Interrupt != "" {
		out.IRQ = &d.Interrupt
	}
	if d.Name != "" && out.Thread != nil {
		out.Thread.Name = tidy(d.Name)
	}
}

// wakeup fills in how a thread sleeps and what ends that.
func wakeup(out *wire.At, w *query.Wakeup) {
	if w == nil {
		return
	}
	if w.Sleep > 0 && int(w.Sleep) < len(sleeps) {
		out.Sleep = &sleeps[w.Sleep]
	}
	if w.How != "" {
		out.Woken = &wire.Woken{How: w.How, TID: w.TID, Name: tidy(w.Name)}
	}
}

var sleeps = [...]string{
	kernel.Interruptible:   "until woken or signalled",
	kernel.Uninterruptible: "uninterruptible, as for a device",
	kernel.Lazy:            "uninterruptible, idle",
	kernel.Stopped:         "stopped by a signal",
	kernel.Traced:          "stopped by a debugger",
	kernel.Parked:          "parked: its CPU is unplugged",
}

func ptr[T any](v T) *T { return &v }

// statuses are what a thread does: alone, and before the name of a system call
// where one belongs to it.
var statuses = [...]struct{ alone, during string }{
	kernel.Unknown:     {alone: "unknown"},
	kernel.Blocked:     {"blocked", "blocked in "},
	kernel.User:        {alone: "running in user space"},
	kernel.Syscall:     {"running in system call", "running in system call "},
	kernel.Interrupted: {"interrupted", "interrupted in "},
	kernel.WaitCPU:     {"waiting for a CPU", "waiting for a CPU in "},
	kernel.Wait:        {"not running", "not running, in "},
	kernel.Forked:      {alone: "forked, not run yet"},
	kernel.Kernel:      {alone: "running in the kernel"},
}

// orSystemCall follows user space of a host that did not record system calls: nobody knows whether it was one.
const orSystemCall = " or a system call"

// statusWords says what a thread does: "blocked in futex".
func statusWords(status kernel.Status, syscall string) string {
	if int(status) >= len(statuses) {
		return fmt.Sprintf("in the unknown status %d", status)
	}
	words := statuses[status]
	if syscall == "" || words.during == "" {
		return words.alone
	}
	return words.during + syscall
}
