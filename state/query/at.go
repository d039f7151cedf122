package query

import (
	"context"
	"errors"
	"math"
	"strconv"
	"strings"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/kernel"
)

// A Detail is what is known of a thread at one instant.
type Detail struct {
	Known      bool // the thread lives and the history covers the instant
	Status     uint8
	Begin, End int64  // of the status interval, local ns
	Syscall    string // that it is in, in any status
	CPU        int32  // it runs on or is queued on; -1 none
	LastCPU    int32  // it ran on before it slept or was stopped; -1 where it does neither, or unknown
	Priority   int32  // as sched_switch counts: 20 is nice 0, below 0 is real time; NoPriority unknown
	Name       string
	Interrupt  string // what interrupts it, where interrupted
	Function   string // of the application, or span, that it is in
	Event      string // its last of user space, where no kernel event tells what it does
}

// NoPriority is the priority of a thread of which the trace tells none.
const NoPriority = math.MinInt32

// At tells what a thread does at t, local ns. thread is the quark of Threads/<tid>.
func At(ctx context.Context, h *history.History, thread attribute.Quark, t int64) (Detail, error) {
	p := point{ctx: ctx, h: h, t: t}
	none := Detail{CPU: -1, LastCPU: -1, Priority: NoPriority}
	iv := p.interval(thread)
	status, ok := iv.Value.Int()
	if errors.Is(p.err, history.ErrOutside) {
		return none, nil
	}
	if p.err != nil || !ok || status < 0 || status >= shares {
		return none, p.err
	}
	d := Detail{
		Known: true, Status: uint8(status), Begin: iv.Start, End: iv.End,
		Syscall:  p.text(child(h, thread, "System_call")),
		Name:     p.text(child(h, thread, "Name")),
		Function: p.text(child(h, thread, "Function")),
		Event:    p.text(child(h, thread, "Event")),
		Priority: int32(p.int(child(h, thread, "Priority"), NoPriority)),
		CPU:      -1,
		LastCPU:  -1,
	}
	switch s := kernel.Status(status); {
	case s.OnCPU(), s == kernel.WaitCPU:
		d.CPU = int32(p.int(child(h, thread, "CPU"), -1))
	case s == kernel.Blocked, s == kernel.Wait:
		d.LastCPU = int32(p.int(child(h, thread, "CPU"), -1))
	}
	if kernel.Status(status) == kernel.Interrupted {
		d.Interrupt = p.interrupt(d.CPU)
	}
	return d, p.err
}

// A point reads values at one instant. After the first error it reads nulls.
type point struct {
	ctx context.Context
	h   *history.History
	t   int64
	err error
}

func (p *point) interval(q attribute.Quark) history.Interval {
	if p.err != nil || q == attribute.None {
		return history.Interval{}
	}
	iv, err := p.h.Point(p.ctx, q, p.t)
	p.err = err
	return iv
}

func (p *point) text(q attribute.Quark) string {
	if v := p.interval(q).Value; v.IsString() {
		return p.h.String(v)
	}
	return ""
}

func (p *point) int(q attribute.Quark, otherwise int64) int64 {
	if n, ok := p.interval(q).Value.Int(); ok {
		return n
	}
	return otherwise
}

// interrupt names what a CPU serves: an interrupt goes before the soft interrupt
// it may have met.
func (p *point) interrupt(cpu int32) string {
	at := p.h.Attributes().Lookup("CPUs", strconv.Itoa(int(cpu)))
	if line, ok := p.served(child(p.h, at, "IRQs")); ok {
		name := p.text(p.h.Attributes().Lookup("IRQs", line, "Name"))
		return strings.TrimSpace("irq " + line + " " + name)
	}
	if line, ok := p.served(child(p.h, at, "Soft_IRQs")); ok {
		vec, err := strconv.Atoi(line)
		if err != nil {
			vec = -1
		}
		return strings.TrimSpace("softirq " + line + " " + kernel.SoftIRQName(vec))
	}
	return ""
}

// served is the last of some lines that is being served.
func (p *point) served(group attribute.Quark) (line string, ok bool) {
	if group == attribute.None {
		return "", false
	}
	var newest int64
	for _, q := range p.h.Attributes().Children(group) {
		iv := p.interval(q)
		if n, is := iv.Value.Int(); is && kernel.LineStatus(n)&kernel.Served != 0 && (!ok || iv.Start >= newest) {
			line, ok, newest = p.h.Attributes().Name(q), true, iv.Start
		}
	}
	return line, ok
}
