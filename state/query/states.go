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
	State uint8         // kernel.Status, Mixed or Nothing
	Label string        // what names the status, where one name holds throughout: see labelAttributes
	Mix   [shares]uint8 // for Mixed: the share of each status in 255ths; they sum to less where part of the column is Nothing
	Brief uint8         // for Mixed: the status in which a thread was on a CPU for longest, if that was too short for any share; 0 where it was not, or has one
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
	if err := statusRuns(ctx, h, rows, edges, states, true); err != nil {
		return nil, err
	}
	return states, nameCalls(ctx, h, rows, edges, states)
}

// statusRuns reduces rows to their statuses, without labels; rows of threads tell what ran too shortly for a share, too.
func statusRuns(ctx context.Context, h *history.History, rows []attribute.Quark, edges []int64, states [][]Run, threads bool) error {
	return h.EachRow(ctx, rows, edges, func(i int, runs []history.Run) {
		states[i] = statusesOf(runs, len(edges)-1, threads)
	})
}

// statusesOf are the runs of one row; of a thread they tell what ran too shortly for a share.
func statusesOf(runs []history.Run, columns int, threads bool) []Run {
	var b rowBuilder
	for _, r := range runs {
		b.pad(r.From)
		if r.Mix != nil {
			run := blend(r.To, r.Mix)
			if threads {
				run.Brief = brief(&run, r.Mix)
			}
			b.put(run)
		} else {
			b.put(Run{End: r.To, State: state(r.Value)})
		}
	}
	b.pad(int32(columns))
	return b.runs
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

// names reports whether a status shows a name.
func (n *naming) names(s uint8) bool { return slices.Contains(n.statuses, kernel.Status(s)) }

// nameCalls labels the statuses that something names, of those rows that have one.
func nameCalls(ctx context.Context, h *history.History, rows []attribute.Quark, edges []int64, states [][]Run) error {
	var quarks []attribute.Quark
	var of []int // by quark: its row
	var by []*naming
	for i, q := range rows {
		for k := range namings {
			n := &namings[k]
			if call := child(h, q, n.attribute); call != attribute.None {
				if slices.ContainsFunc(states[i], func(r Run) bool { return n.names(r.State) }) {
					quarks, of, by = append(quarks, call), append(of, i), append(by, n)
				}
				break
			}
		}
	}
	names := labels{h: h}
	return h.EachRowOf(ctx, quarks, edges, nil, func(k int, calls []history.Run) {
		states[of[k]] = labelled(states[of[k]], by[k].names, calls, func(v history.Value, _, _ int32) string { return names.of(v) })
	})
}

// labelled cuts the runs of the statuses that are named where the value beside them changes: by is the runs of that, label what
// one of them is called from one column to another.
func labelled(runs []Run, named func(status uint8) bool, by []history.Run, label func(v history.Value, from, to int32) string) []Run {
	var b rowBuilder
	from := int32(0)
	for _, r := range runs {
		if named(r.State) {
			by = b.split(from, r, by, label)
		} else {
			b.put(r)
		}
		from = r.End
	}
	return b.runs
}

// A rowBuilder gathers the runs of a row.
type rowBuilder struct {
	runs []Run
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
		if last.State == r.State && last.Label == r.Label && last.Mix == r.Mix && last.Brief == r.Brief {
			last.End = r.End
			return
		}
	}
	b.runs = append(b.runs, r)
}

// split puts the run r, which begins at from, cut where by changes. It returns the runs that reach beyond r.
func (b *rowBuilder) split(from int32, r Run, by []history.Run, label func(v history.Value, from, to int32) string) []history.Run {
	for at := from; at < r.End; {
		for len(by) > 0 && by[0].To <= at {
			by = by[1:]
		}
		run := Run{End: r.End, State: r.State}
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
