package query_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
	"synchroscope/state/kernel"
	"synchroscope/state/kernel/kerneltest"
	"synchroscope/state/query"
)

// A machine is a history of two CPUs over a few ns, and the same as one value per ns.
type machine struct {
	h      *history.History
	cpus   []attribute.Quark
	hz     []attribute.Quark
	status [2][horizon]int // -1: null
	thread [2][horizon]int
	freq   [2][horizon]int
}

func drawMachine(t *rapid.T) machine {
	w, err := history.Create(new(historytest.Memory), 0, history.Options{NodeSize: 512, MaxChildren: 2})
	if err != nil {
		t.Fatal(err)
	}
	m := machine{h: w.History()}
	var currents []attribute.Quark
	for i := range 2 {
		cpu := w.Attributes().Path("CPUs", strconv.Itoa(i))
		m.cpus = append(m.cpus, cpu)
		currents = append(currents, w.Attributes().Add(cpu, "Current_thread"))
		m.hz = append(m.hz, w.Attributes().Add(cpu, "Frequency"))
	}
	now := [6]int{-1, -1, -1, -1, -1, -1}
	end := rapid.IntRange(1, horizon).Draw(t, "end")
	for ns := range end {
		for k, q := range []attribute.Quark{m.cpus[0], currents[0], m.hz[0], m.cpus[1], currents[1], m.hz[1]} {
			if rapid.IntRange(0, 4).Draw(t, "change") == 0 {
				now[k] = rapid.IntRange(-1, 6).Draw(t, "value")
				v := history.Null()
				if now[k] >= 0 {
					v = history.Int(int64(now[k]))
				}
				if err := w.Modify(int64(ns), q, v); err != nil {
					t.Fatal(err)
				}
			}
		}
		for i := range 2 {
			m.status[i][ns], m.thread[i][ns], m.freq[i][ns] = now[3*i], now[3*i+1], now[3*i+2]
		}
	}
	if err := w.Finish(int64(end)); err != nil {
		t.Fatal(err)
	}
	return m
}

// Each column of a CPU, of its use, of where a thread ran and of its frequency shows what a look at every ns shows.
func TestCPUsModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawMachine(t)
		_, end := m.h.Bounds()
		edges := rapid.SliceOfNDistinct(rapid.Int64Range(0, end), 2, 20, rapid.ID[int64]).Draw(t, "edges")
		slices.Sort(edges)
		const tid = 3
		ctx := context.Background()
		cpus, err := query.CPUs(ctx, m.h, m.cpus, edges)
		if err != nil {
			t.Fatal(err)
		}
		use, err := query.Use(ctx, m.h, m.cpus, edges)
		if err != nil {
			t.Fatal(err)
		}
		ran, err := query.Ran(ctx, m.h, m.cpus, tid, edges)
		if err != nil {
			t.Fatal(err)
		}
		levels, err := query.Levels(ctx, m.h, m.hz, edges)
		if err != nil {
			t.Fatal(err)
		}
		for c := range len(edges) - 1 {
			first, last := edges[c], edges[c+1]
			var sum [8]int64
			for i := range 2 {
				var own [8]int64
				here, seen := int64(0), map[int]bool{}
				least, most := -1, -1
				for ns := first; ns < last; ns++ {
					s := m.status[i][ns]
					if s < 0 {
						s = 7
					}
					own[s]++
					sum[s]++
					seen[m.thread[i][ns]] = true
					if m.thread[i][ns] == tid {
						here++
					}
					if f := m.freq[i][ns]; f >= 0 {
						if least < 0 {
							least = f
						}
						least, most = min(least, f), max(most, f)
					}
				}
				check(t, fmt.Sprintf("CPU %d in column %d", i, c), at(cpus[i], c), own, last-first)
				if r := at(cpus[i], c); r.State == uint8(kernel.CPUUser) || r.State == uint8(kernel.CPUSyscall) || r.State == uint8(kernel.CPUKernel) {
					want := ""
					for tid := range seen {
						if len(seen) == 1 && tid >= 0 {
							want = strconv.Itoa(tid)
						}
					}
					if r.Label != want {
						t.Fatalf("CPU %d in column %d has the label %q, want %q", i, c, r.Label, want)
					}
				}
				r := at(ran[i], c)
				switch {
				case here == 0 && r.State == query.Nothing, here == last-first && r.State == uint8(kernel.User):
				case here > 0 && here < last-first && r.State == query.Mixed && near(int64(r.Mix[kernel.User]), here, last-first) && r.Mix[kernel.User] > 0:
				default:
					t.Fatalf("CPU %d ran the thread %d of %d ns in column %d, told %+v", i, here, last-first, c, r)
				}
				want := ""
				if least >= 0 {
					want = strconv.Itoa(least)
					if most > least {
						want += "~" + strconv.Itoa(most)
					}
				}
				if r := at(levels[i], c); r.Label != want {
					t.Fatalf("frequency of CPU %d in column %d is %q, want %q", i, c, r.Label, want)
				}
			}
			check(t, fmt.Sprintf("use in column %d", c), at(use, c), sum, 2*(last-first))
			var busy int64
			for _, ns := range sum[kernel.CPUUser:7] {
				busy += ns
			}
			total := busy + sum[kernel.CPUIdle]
			used, known, err := query.Used(ctx, m.h, m.cpus, first, last)
			if err != nil || known != (total > 0) || known && used != float64(busy)/float64(total) {
				t.Fatalf("in column %d %d of %d ns were used, told %v, known: %v, %v", c, busy, total, used, known, err)
			}
		}
	})
}

// at is the run of a column.
func at(runs []query.Run, column int) query.Run {
	for _, r := range runs {
		if column < int(r.End) {
			return r
		}
	}
	return query.Run{State: query.Nothing, Label: "beyond the last run"}
}

func near(part, time, total int64) bool {
	return part*total >= time*255-total && part*total <= time*255+total
}

// check compares a run with the time in each status; the last is that in none.
func check(t *rapid.T, what string, r query.Run, time [8]int64, total int64) {
	for s, ns := range time[:7] {
		part := int64(0)
		switch {
		case r.State == query.Mixed:
			part = int64(r.Mix[s])
		case int(r.State) == s:
			part = 255
		}
		if !near(part, ns, total) {
			t.Fatalf("%s: status %d has %d of 255 parts, want %d of %d ns: %+v", what, s, part, ns, total, r)
		}
	}
}

// A run that is long enough has the name of its thread, a shorter one its id, and a CPU tells
// what is on it at an instant.
func TestCPUNames(t *testing.T) {
	h := kerneltest.Run(t, `
1 cpu=0 sched_switch prev_comm="swapper/0" prev_tid=0 prev_prio=20 prev_state=0 next_comm="a b" next_tid=10 next_prio=20
2 cpu=0 sched_switch prev_comm="a b" prev_tid=10 prev_prio=20 prev_state=1 next_comm="c" next_tid=11 next_prio=20
9 cpu=0 syscall_entry_futex uaddr=0
12 cpu=0 sched_switch prev_comm="c" prev_tid=11 prev_prio=20 prev_state=1 next_comm="swapper/0" next_tid=0 next_prio=20
13 cpu=0 sched_switch prev_comm="swapper/0" prev_tid=0 prev_prio=20 prev_state=0 next_comm="c" next_tid=11 next_prio=20
`).Writer.History()
	cpu := h.Attributes().Lookup("CPUs", "0")
	var edges []int64
	for s := int64(2); s <= 26; s++ {
		edges = append(edges, s*5e8) // half seconds from 1
	}
	runs, err := query.CPUs(context.Background(), h, []attribute.Quark{cpu}, edges)
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, r := range runs[0] {
		words = append(words, fmt.Sprintf("%d:%d %s", r.End, r.State, r.Label))
	}
	if got, want := strings.Join(words, ", "), "2:2 10, 16:2 11 c, 22:3 11, 24:1 "; got != want {
		t.Errorf("runs %s, want %s", got, want)
	}
	d, err := query.CPUAt(context.Background(), h, cpu, 10e9)
	if err != nil || !d.Known || d.TID != 11 || d.Name != "c" || d.Syscall != "futex" || d.Status != kernel.CPUSyscall || d.Begin != 9e9 || d.End != 12e9 {
		t.Errorf("%+v, %v", d, err)
	}
}
