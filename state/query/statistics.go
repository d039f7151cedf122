package query

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/kernel"
)

// Statistics tells where the time of a thread went in a selection. Each list is
// ordered by time, the longest first.
type Statistics struct {
	Status []Spent // by kernel.Status
	Calls  []Spent // by system call, with the time it slept or was interrupted in them
	CPUs   []Spent // by the CPU it ran on
}

// A Spent is a part of a selection.
type Spent struct {
	Status uint8  // of Statistics.Status
	Name   string // of the status, the call or the CPU
	Time   int64  // ns
	Count  uint64 // intervals that touch the selection
}

// Of returns the statistics of threads, which are quarks of Threads/<tid>, from
// begin until before end, local ns. It asks for each CPU's threads once, whatever
// the number of threads.
func Of(ctx context.Context, h *history.History, threads []attribute.Quark, begin, end int64) ([]Statistics, error) {
	tree := h.Attributes()
	asked := slices.Clone(threads)
	for _, q := range threads {
		asked = append(asked, child(h, q, "System_call"))
	}
	cpus := tree.Match("CPUs/*/Current_thread")
	asked = append(asked, cpus...)
	totals, err := h.Totals(ctx, asked, begin, end)
	if err != nil {
		return nil, err
	}
	of := make(map[int64]int, len(threads)) // by thread id
	all := make([]Statistics, len(threads))
	for i, q := range threads {
		s := &all[i]
		s.Status = statuses(totals[i])
		for _, t := range totals[len(threads)+i] {
			if t.Value.IsString() {
				s.Calls = append(s.Calls, Spent{Name: h.String(t.Value), Time: t.Time, Count: t.Count})
			}
		}
		if tid, err := strconv.ParseInt(tree.Name(q), 10, 64); err == nil && tid > 0 {
			of[tid] = i
		}
	}
	for k, q := range cpus {
		for _, t := range totals[2*len(threads)+k] {
			tid, _ := t.Value.Int()
			if i, ok := of[tid]; ok {
				all[i].CPUs = append(all[i].CPUs, Spent{Name: tree.Name(tree.Parent(q)), Time: t.Time, Count: t.Count})
			}
		}
	}
	for i := range all {
		for _, list := range [][]Spent{all[i].Status, all[i].Calls, all[i].CPUs} {
			slices.SortFunc(list, longer)
		}
	}
	return all, nil
}

func longer(a, b Spent) int {
	return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Name, b.Name))
}

// A Called is what a thread spent in the system calls of a name.
type Called struct {
	Spent
	Began uint64 // of the calls, those that began in the selection
}

// CallsOfThread returns the system calls of a thread, a quark of Threads/<tid>, from begin until before end, local ns, longest first:
// the Calls of its Statistics.
func CallsOfThread(ctx context.Context, h *history.History, thread attribute.Quark, begin, end int64) ([]Called, error) {
	q := child(h, thread, "System_call")
	if q == attribute.None {
		return nil, nil
	}
	totals, err := h.Totals(ctx, []attribute.Quark{q}, begin, end)
	if err != nil {
		return nil, err
	}
	var calls []Called
	var open history.Interval
	if first, last := h.Bounds(); first < begin && begin < last {
		if open, err = h.Point(ctx, q, begin); err != nil {
			return nil, err
		}
	}
	for _, t := range totals[0] {
		if !t.Value.IsString() {
			continue
		}
		c := Called{Spent: Spent{Name: h.String(t.Value), Time: t.Time, Count: t.Count}, Began: t.Count}
		if t.Value == open.Value && open.Start < begin {
			c.Began--
		}
		calls = append(calls, c)
	}
	slices.SortFunc(calls, func(a, b Called) int { return longer(a.Spent, b.Spent) })
	return calls, nil
}

// Statuses returns how long threads, which are quarks of Threads/<tid>, were in each
// kernel.Status from begin until before end, local ns. A thread that was not there has none.
func Statuses(ctx context.Context, h *history.History, threads []attribute.Quark, begin, end int64) ([][]Spent, error) {
	totals, err := h.Totals(ctx, threads, begin, end)
	if err != nil {
		return nil, err
	}
	all := make([][]Spent, len(threads))
	for i := range all {
		all[i] = statuses(totals[i])
	}
	return all, nil
}

func statuses(totals []history.Total) (list []Spent) {
	for _, t := range totals {
		if status := state(t.Value); status != Nothing {
			list = append(list, Spent{Status: status, Name: kernel.Status(status).String(), Time: t.Time, Count: t.Count})
		}
	}
	return list
}
