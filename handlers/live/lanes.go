package live

import (
	"context"
	"fmt"

	"synchroscope/handlers/wire"
	"synchroscope/ingest"
	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/kernel"
	"synchroscope/state/query"
)

// reducedAlike tells whether two rows of one host are reduced by one query.
func reducedAlike(a, b row) bool {
	return a.kind != wire.RowHost && b.kind != wire.RowHost && reductionOf(a.kind) == reductionOf(b.kind)
}

type reduction uint8

const (
	threads reduction = iota
	cpus
	levels
)

func reductionOf(k wire.RowKind) reduction {
	switch k {
	case wire.RowCPU:
		return cpus
	case wire.RowFrequency:
		return levels
	}
	return threads
}

// reduce reduces rows of one kind to columns.
func reduce(ctx context.Context, h *history.History, k wire.RowKind, quarks []attribute.Quark, edges []int64) ([][]query.Run, error) {
	switch reductionOf(k) {
	case cpus:
		return query.CPUs(ctx, h, quarks, edges)
	case levels:
		return query.Levels(ctx, h, quarks, edges)
	}
	return query.States(ctx, h, quarks, edges)
}

// useOf is the row of a host: how its CPUs are used; nil where none is known.
func (s *session) useOf(ctx context.Context, h *history.History, host int32, edges []int64) ([]query.Run, error) {
	if quarks := s.rows.cpusOf(host); len(quarks) > 0 {
		return query.Use(ctx, h, quarks, edges)
	}
	return nil, nil
}

// addRow adds the runs of a row, or that nothing is known of it.
func addRow(out *wire.States, id uint32, runs []query.Run) {
	out.Row(id)
	for k := range runs {
		run := &runs[k]
		out.Run(int(run.End), run.State, run.Label, &run.Mix)
		if run.State == query.Mixed && run.Brief != 0 {
			out.Brief(run.Brief)
		}
	}
	if len(runs) == 0 {
		out.Run(out.Columns, wire.Nothing, "", nil)
	}
}

// answerRan tells in which columns CPUs ran the thread of a row. Those of other hosts never did.
func answerRan(ctx context.Context, s *session, r wire.Request) (answer, error) {
	thread, ok := s.rows.row(r.Row)
	if !ok || thread.kind != wire.RowThread && thread.kind != wire.RowProcess {
		return nil, refusal(fmt.Sprintf("Row %d is not of a thread.", r.Row))
	}
	l := s.lens(r.Raw)
	found := make([]row, len(r.Rows))
	for i, id := range r.Rows {
		if found[i], ok = s.rows.row(id); !ok || found[i].kind != wire.RowCPU {
			return nil, refusal(fmt.Sprintf("Row %d is not of a CPU.", id))
		}
	}
	out := &wire.States{Header: r.Header, Begin: r.Begin, End: r.End, Columns: r.Columns, Complete: s.complete(r, l, found), Clocks: l.clocks(r, len(s.set.Hosts()))}
	local := l.localEdges(thread.host, edges(r.Begin, r.End, r.Columns))
	for i, c := range found {
		var runs [][]query.Run
		if h := s.set.Hosts()[thread.host].History(); h != nil && c.host == thread.host && c.quark != attribute.None {
			var err error
			if runs, err = query.Ran(ctx, h, []attribute.Quark{c.quark}, thread.thread.TID, local); err != nil {
				return nil, err
			}
		} else {
			runs = [][]query.Run{nil}
		}
		addRow(out, r.Rows[i], runs[0])
		if out.Size() > wire.MaxFrame {
			return nil, wire.ErrTooLarge
		}
	}
	return func(seq uint32) ([]byte, error) {
		out.Seq = seq
		return out.Encode()
	}, nil
}

// resourceAt fills in what a CPU or one of its rows shows at an instant, of a host that recorded system calls or did not.
func (l lens) resourceAt(ctx context.Context, out *wire.At, h *history.History, reach ingest.Reach, r row, local int64, calls bool) error {
	if r.kind == wire.RowCPU {
		d, err := query.CPUAt(ctx, h, r.quark, local)
		if err == nil && d.Known {
			l.cpuDetail(out, r, reach, d, calls)
		}
		return err
	}
	iv, err := h.Point(ctx, r.quark, local)
	if err != nil {
		return err
	}
	words := ""
	n, known := iv.Value.Int()
	switch {
	case r.kind == wire.RowFrequency && !known:
		words = "unknown"
	case r.kind == wire.RowFrequency:
		words = fmt.Sprintf("%.4g GHz", float64(n)/1e9)
		out.Hz = &n
	case known:
		words = lineWords(kernel.LineStatus(n))
	}
	if r.kind != wire.RowFrequency && !known {
		if words, err = restWords(ctx, h, r.quark, iv); err != nil {
			return err
		}
	}
	out.Status = &words
	if r.kind != wire.RowFrequency && known {
		out.StatusCode = ptr(uint8(n))
	}
	l.span(out, r.host, reach, iv.Start, iv.End)
	return nil
}

func lineWords(s kernel.LineStatus) string {
	switch {
	case s&kernel.Served != 0 && s&kernel.Raised != 0:
		return "served, and raised again"
	case s&kernel.Served != 0:
		return "served"
	case s&kernel.Raised != 0:
		return "raised, waits to be served"
	}
	return "at rest"
}

var cpuStatuses = [...]string{
	kernel.CPUUnknown: "unknown", kernel.CPUIdle: "idle", kernel.CPUUser: "in user space",
	kernel.CPUSyscall: "in a system call", kernel.CPUSoftIRQ: "serves a soft interrupt", kernel.CPUIRQ: "serves an interrupt", kernel.CPUKernel: "in the kernel",
}

// cpuDetail fills in what the history knows of a CPU. The thread is the one that is on it, nil for the idle one.
func (l lens) cpuDetail(out *wire.At, r row, reach ingest.Reach, d query.CPUDetail, calls bool) {
	words := "unknown"
	if int(d.Status) < len(cpuStatuses) {
		words = cpuStatuses[d.Status]
	}
	if d.Status == kernel.CPUSyscall && d.Syscall != "" {
		words = "in system call " + tidy(d.Syscall)
	}
	if d.Status == kernel.CPUUser && !calls {
		words += orSystemCall
	}
	out.Status, out.StatusCode = &words, ptr(uint8(d.Status))
	out.CPU = ptr(r.thread.TID)
	if d.TID > 0 {
		out.Thread = &wire.Thread{TID: d.TID, Name: tidy(d.Name)}
	}
	if d.Syscall != "" {
		out.Syscall = &d.Syscall
	}
	if d.Interrupt != "" {
		out.IRQ = ptr(tidy(d.Interrupt))
	}
	if d.Hz > 0 {
		out.Hz = &d.Hz
	}
	l.span(out, r.host, reach, d.Begin, d.End)
}

// span fills in when a state of a host began and ended, by its own clock, or up to when it is known to go on where no more of the host is read.
func (l lens) span(out *wire.At, host int32, reach ingest.Reach, localBegin, localEnd int64) {
	begin, end := l.shown(host, localBegin), l.shown(host, localEnd)
	out.Begin, out.LocalBegin = ptr(wire.Time(begin)), ptr(wire.Time(localBegin))
	if reach.GoesOn(localEnd) {
		out.Until, out.LocalUntil = ptr(wire.Time(end)), ptr(wire.Time(localEnd))
		return
	}
	out.End, out.LocalEnd = ptr(wire.Time(end)), ptr(wire.Time(localEnd))
	out.Duration = ptr(wire.Time(end - begin))
}
