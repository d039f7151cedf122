package query

import (
	"context"
	"slices"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/kernel"
)

// Special states of a Run beside kernel.Status.
const (
	Mixed   = 254 // several statuses share the column
	Nothing = 255 // the thread does not live, or the history does not cover the column
)

// A Run is a stretch of columns of one row, from the end of the run before it to End.
type Run struct {
	End   int32
	State uint8    // kernel.Status, Mixed or Nothing
	Label string   // what names the status, where one name holds throughout: see labelAttributes
	Mix   [8]uint8 // for Mixed: the share of each status in 255ths; they sum to less where part of the column is Nothing
}

// States reduces thread rows to columns. rows are the quarks of Threads/<tid>; edges are
// local ns as in history.Pixels. The runs of each row cover all columns, and no two
// neighbours are alike.
//
// Rows may be CPUs/<cpu> as well: then State and Mix are of kernel.CPUStatus and
// there are no labels.
//
// A column of one status is drawn as that, however short a system call inside it
// was; only the shares of different statuses are worth a mixed column.
func States(ctx context.Context, h *history.History, rows []attribute.Quark, edges []int64) ([][]Run, error) {
	states := make([][]Run, len(rows))
	if len(edges) < 2 {
		return states, nil
	}
	statuses, err := h.Pixels(ctx, rows, edges)
	if err != nil {
		return nil, err
	}
	calls, named, err := callRuns(ctx, h, rows, statuses, edges)
	if err != nil {
		return nil, err
	}
	names := labels{h: h}
	for i := range rows {
		b := rowBuilder{names: &names, calls: calls[i], named: named[i]}
		for _, r := range statuses[i] {
			b.add(r)
		}
		b.pad(int32(len(edges) - 1))
		states[i] = b.runs
	}
	return states, nil
}

// A naming is an attribute that names statuses of a row.
type naming struct {
	attribute string
	statuses  []kernel.Status
}

// namings are system calls, or functions and spans where no kernel event tells of calls.
var namings = [...]naming{
	{"System_call", []kernel.Status{kernel.Syscall, kernel.Blocked}},
	{"Function", []kernel.Status{kernel.User, kernel.Syscall, kernel.Blocked, kernel.Wait}},
}

// names reports whether a run of one status shows a name.
func (n *naming) names(r history.Run) bool {
	s, ok := r.Value.Int()
	return ok && r.Mix == nil && slices.Contains(n.statuses, kernel.Status(s))
}

// callRuns reduces the names of those rows that have a status which one names, and tells by which naming.
func callRuns(ctx context.Context, h *history.History, rows []attribute.Quark, statuses [][]history.Run, edges []int64) ([][]history.Run, []*naming, error) {
	calls, named := make([][]history.Run, len(rows)), make([]*naming, len(rows))
	var quarks []attribute.Quark
	var of []int // by quark: its row
	for i, q := range rows {
		for k := range namings {
			if call := child(h, q, namings[k].attribute); call != attribute.None {
				if slices.ContainsFunc(statuses[i], namings[k].names) {
					named[i] = &namings[k]
					quarks = append(quarks, call)
					of = append(of, i)
				}
				break
			}
		}
	}
	if len(quarks) == 0 {
		return calls, named, nil
	}
	runs, err := h.Pixels(ctx, quarks, edges)
	if err != nil {
		return nil, nil, err
	}
	for k, i := range of {
		calls[i] = runs[k]
	}
	return calls, named, nil
}

// A rowBuilder joins the runs of a row's status and of its system call.
type rowBuilder struct {
	names *labels
	named *naming       // nil if no status of the row shows a name
	calls []history.Run // not yet behind the columns done
	runs  []Run
}

func (b *rowBuilder) end() int32 {
	if len(b.runs) == 0 {
		return 0
	}
	return b.runs[len(b.runs)-1].End
}

// pad covers the columns up to end, of which nothing is known.
func (b *rowBuilder) pad(end int32) {
	if b.end() < end {
		b.put(Run{End: end, State: Nothing})
	}
}

// put appends a run, or lengthens the last one by it.
func (b *rowBuilder) put(r Run) {
	if n := len(b.runs); n > 0 {
		last := &b.runs[n-1]
		if last.State == r.State && last.Label == r.Label && last.Mix == r.Mix {
			last.End = r.End
			return
		}
	}
	b.runs = append(b.runs, r)
}

func (b *rowBuilder) add(r history.Run) {
	b.pad(r.From)
	switch {
	case r.Mix != nil:
		b.put(blend(r.To, r.Mix))
	case b.named != nil && b.named.names(r):
		b.calls = b.split(r, state(r.Value), b.calls, func(v history.Value, _, _ int32) string { return b.names.of(v) })
	default:
		b.put(Run{End: r.To, State: state(r.Value)})
	}
}

// split cuts a run of status s where the value beside it changes: by is the runs of that value, label what one of them is
// called from one column to another. It returns the runs that reach beyond r.
func (b *rowBuilder) split(r history.Run, s uint8, by []history.Run, label func(v history.Value, from, to int32) string) []history.Run {
	for at := r.From; at < r.To; {
		for len(by) > 0 && by[0].To <= at {
			by = by[1:]
		}
		run := Run{End: r.To, State: s}
		if len(by) > 0 {
			if c := by[0]; c.From > at {
				run.End = min(run.End, c.From)
			} else {
				run.End = min(run.End, c.To)
				if c.Mix == nil {
					run.Label = label(c.Value, at, run.End)
				}
			}
		}
		b.put(run)
		at = run.End
	}
	return by
}

// state is the status that a value stands for. What no version of the model
// writes is Nothing.
func state(v history.Value) uint8 {
	if n, ok := v.Int(); ok && n >= 0 && n < shares {
		return uint8(n)
	}
	return Nothing
}

// labels resolves names, each once.
type labels struct {
	h     *history.History
	known map[history.Value]string
}

func (l *labels) of(v history.Value) string {
	if !v.IsString() {
		return ""
	}
	s, ok := l.known[v]
	if !ok {
		if l.known == nil {
			l.known = make(map[history.Value]string)
		}
		s = l.h.String(v)
		l.known[v] = s
	}
	return s
}
