package query_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
	"synchroscope/state/kernel"
	"synchroscope/state/kernel/kerneltest"
	"synchroscope/state/query"
)

const horizon = 120

// A world is a history of a few threads over a few ns, and the same as one value per ns.
type world struct {
	h      *history.History
	rows   []attribute.Quark
	status [][horizon]int // -1: null
	call   [][horizon]string
}

var callNames = []string{"read", "futex", "poll"}

func drawWorld(t *rapid.T, tb testing.TB) world {
	start := rapid.Int64Range(0, 20).Draw(t, "start")
	end := rapid.Int64Range(start+1, horizon).Draw(t, "end")
	w, err := history.Create(new(historytest.Memory), start, history.Options{NodeSize: 512, MaxChildren: 2})
	if err != nil {
		tb.Fatal(err)
	}
	threads := rapid.IntRange(1, 3).Draw(t, "threads")
	out := world{h: w.History(), status: make([][horizon]int, threads), call: make([][horizon]string, threads)}
	calls := make([]attribute.Quark, threads)
	for i := range threads {
		out.rows = append(out.rows, w.Attributes().Path("Threads", fmt.Sprint(i)))
		calls[i] = w.Attributes().Add(out.rows[i], "System_call")
	}
	status, call := make([]int, threads), make([]string, threads)
	for i := range threads {
		status[i] = -1
		for t := range horizon {
			out.status[i][t] = -1
		}
	}
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	for now := start; now < end; now++ {
		for i := range threads {
			if rapid.IntRange(0, 3).Draw(t, "change") == 0 {
				status[i] = rapid.SampledFrom([]int{-1, 0, 1, 1, 2, 3, 3, 5, 8}).Draw(t, "status")
				v := history.Null()
				if status[i] >= 0 {
					v = history.Int(int64(status[i]))
				}
				must(w.Modify(now, out.rows[i], v))
			}
			if rapid.IntRange(0, 3).Draw(t, "call") == 0 {
				call[i] = rapid.SampledFrom(append([]string{""}, callNames...)).Draw(t, "name")
				v := history.Null()
				if call[i] != "" {
					v = w.Text([]byte(call[i]))
				}
				must(w.Modify(now, calls[i], v))
			}
			out.status[i][now], out.call[i][now] = status[i], call[i]
		}
	}
	must(w.Finish(end))
	return out
}

// column is what one column must show, found by looking at every ns.
func (w *world) column(row int, begin, end, first, last int64) query.Run {
	const none = 9
	var time [none + 1]int64
	var total int64
	labels := make(map[string]bool)
	for t := max(begin, first); t < min(end, last); t++ {
		total++
		s := w.status[row][t]
		if s < 0 {
			s = none
		}
		time[s]++
		labels[w.call[row][t]] = true
	}
	if total == 0 {
		return query.Run{State: query.Nothing}
	}
	for s, ns := range time {
		if ns != total {
			continue
		}
		r := query.Run{State: uint8(s)}
		switch {
		case s == none:
			r.State = query.Nothing
		case (s == int(kernel.Syscall) || s == int(kernel.Blocked)) && len(labels) == 1:
			for label := range labels {
				r.Label = label
			}
		}
		return r
	}
	r := query.Run{State: query.Mixed}
	parts := make([]int64, none+1)
	left := int64(255)
	for s := range parts {
		parts[s] = time[s] * 255 / total
		left -= parts[s]
	}
	order := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, none}
	slices.SortStableFunc(order, func(a, b int) int { return int(time[b]*255%total - time[a]*255%total) })
	for _, s := range order[:left] {
		parts[s]++
	}
	for s := range r.Mix {
		r.Mix[s] = uint8(parts[s])
	}
	longest := int64(0)
	for _, s := range []kernel.Status{kernel.User, kernel.Syscall, kernel.Interrupted, kernel.Kernel} {
		if r.Mix[s] > 0 {
			longest, r.Brief = math.MaxInt64, 0
		} else if time[s] > longest {
			longest, r.Brief = time[s], uint8(s)
		}
	}
	return r
}

// Every column shows what a look at every ns shows.
func TestStatesModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := drawWorld(rt, t)
		begin, end := w.h.Bounds()
		edges := rapid.SliceOfNDistinct(rapid.Int64Range(-10, horizon+10), 2, 30, rapid.ID[int64]).Draw(rt, "edges")
		slices.Sort(edges)
		rows, err := query.States(context.Background(), w.h, w.rows, edges)
		if err != nil {
			rt.Fatal(err)
		}
		for i, runs := range rows {
			var column int32
			for k, r := range runs {
				if r.End <= column {
					rt.Fatalf("row %d: run %d ends at %d, before it begins", i, k, r.End)
				}
				if k > 0 && r.State == runs[k-1].State && r.Label == runs[k-1].Label && r.Mix == runs[k-1].Mix && r.Brief == runs[k-1].Brief {
					rt.Errorf("row %d: runs %d and %d are alike", i, k-1, k)
				}
				for ; column < r.End; column++ {
					want := w.column(i, edges[column], edges[column+1], begin, end)
					want.End = r.End
					if r != want {
						rt.Fatalf("row %d, column %d [%d, %d): %+v, want %+v", i, column, edges[column], edges[column+1], r, want)
					}
				}
			}
			if column != int32(len(edges)-1) {
				rt.Fatalf("row %d: %d columns, want %d", i, column, len(edges)-1)
			}
		}
	})
}

// A blocked thread keeps its call over the columns that a change of its status
// does not touch, and a run ends where the call does.
func TestStatesLabels(t *testing.T) {
	h := kerneltest.Run(t, `
1 cpu=0 sched_switch prev_comm="swapper/0" prev_tid=0 prev_prio=20 prev_state=0 next_comm="a" next_tid=10 next_prio=20
2 cpu=0 syscall_entry_futex uaddr=0
4 cpu=0 sched_switch prev_comm="a" prev_tid=10 prev_prio=20 prev_state=1 next_comm="swapper/0" next_tid=0 next_prio=20
6 cpu=0 sched_switch prev_comm="swapper/0" prev_tid=0 prev_prio=20 prev_state=0 next_comm="a" next_tid=10 next_prio=20
7 cpu=0 syscall_exit_futex ret=0
7 cpu=0 syscall_entry_read fd=0
8 cpu=0 syscall_exit_read ret=0
`).Writer.History()
	rows := []attribute.Quark{h.Attributes().Lookup("Threads", "10"), h.Attributes().Lookup("CPUs", "0"), attribute.None}
	var edges []int64
	for s := int64(-1); s <= 10; s++ {
		edges = append(edges, s*1e9)
	}
	got, err := query.States(context.Background(), h, rows, edges)
	if err != nil {
		t.Fatal(err)
	}
	want := [][]query.Run{
		{
			{End: 1, State: query.Nothing},
			{End: 2, State: uint8(kernel.Unknown)},
			{End: 3, State: uint8(kernel.User)},
			{End: 5, State: uint8(kernel.Syscall), Label: "futex"},
			{End: 7, State: uint8(kernel.Blocked), Label: "futex"},
			{End: 8, State: uint8(kernel.Syscall), Label: "futex"},
			{End: 9, State: uint8(kernel.Syscall), Label: "read"},
			{End: 10, State: uint8(kernel.User)},
			{End: 11, State: query.Nothing},
		},
		{
			{End: 1, State: query.Nothing},
			{End: 2, State: uint8(kernel.CPUUnknown)},
			{End: 3, State: uint8(kernel.CPUUser)},
			{End: 5, State: uint8(kernel.CPUSyscall)},
			{End: 7, State: uint8(kernel.CPUIdle)},
			{End: 9, State: uint8(kernel.CPUSyscall)},
			{End: 10, State: uint8(kernel.CPUUser)},
			{End: 11, State: query.Nothing},
		},
		{{End: 11, State: query.Nothing}},
	}
	for i := range want {
		if !slices.Equal(got[i], want[i]) {
			t.Errorf("row %d:\n%+v, want\n%+v", i, got[i], want[i])
		}
	}
}
