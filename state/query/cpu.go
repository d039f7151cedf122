package query

import (
	"cmp"
	"context"
	"errors"
	"strconv"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/kernel"
)

// namedColumns is how many columns a run of a CPU row has at least that is worth the name of its thread: in
// fewer there is no room to write it.
const namedColumns = 8

// CPUs reduces CPU rows to columns as States does those of threads. rows are the quarks of CPUs/<cpu>; State and
// Mix are of kernel.CPUStatus. A run in which one thread runs has its id as label, and where there is
// room after a space its name: "2214 httpd". Runs end where the thread changes.
func CPUs(ctx context.Context, h *history.History, rows []attribute.Quark, edges []int64) ([][]Run, error) {
	states := make([][]Run, len(rows))
	if len(edges) < 2 {
		return states, nil
	}
	if err := statusRuns(ctx, h, rows, edges, states, false); err != nil {
		return nil, err
	}
	first, _ := h.Bounds()
	x := cpuLabels{names: threadNames{p: point{ctx: ctx, h: h}, known: make(map[int64]named)}, edges: edges, first: first}
	busy := func(status uint8) bool {
		s := kernel.CPUStatus(status)
		return s == kernel.CPUUser || s == kernel.CPUSyscall || s == kernel.CPUKernel
	}
	err := eachChild(ctx, h, rows, "Current_thread", edges, nil, func(i int, threads []history.Run) {
		states[i] = labelled(states[i], busy, threads, x.label)
	})
	return states, cmp.Or(err, x.names.p.err)
}

// Ran tells in which columns CPUs ran a thread: a run of kernel.User is all its, a Mixed one has its share under kernel.User,
// at least one part where it ran at all, and the others are Nothing.
func Ran(ctx context.Context, h *history.History, rows []attribute.Quark, tid int32, edges []int64) ([][]Run, error) {
	states := make([][]Run, len(rows))
	if len(edges) < 2 {
		return states, nil
	}
	only := []history.Value{history.Int(int64(tid))}
	err := eachChild(ctx, h, rows, "Current_thread", edges, only, func(i int, threads []history.Run) {
		var b rowBuilder
		for _, r := range threads {
			b.pad(r.From)
			b.put(ran(r, int64(tid)))
		}
		b.pad(int32(len(edges) - 1))
		states[i] = b.runs
	})
	return states, err
}

func ran(r history.Run, tid int64) Run {
	if r.Mix == nil {
		if n, ok := r.Value.Int(); ok && n == tid {
			return Run{End: r.To, State: uint8(kernel.User)}
		}
		return Run{End: r.To, State: Nothing}
	}
	var time [shares + 1]uint64
	for _, s := range r.Mix {
		i := shares
		if n, ok := s.Value.Int(); ok && n == tid {
			i = int(kernel.User)
		}
		time[i] += uint64(max(s.Time, 0))
	}
	if time[kernel.User] == 0 {
		return Run{End: r.To, State: Nothing}
	}
	out := Run{End: r.To, State: Mixed}
	out.Mix[kernel.User] = max(1, apportion(time)[kernel.User])
	return out
}

// eachChild is history.EachRowOf of a child of each row; one without it has no runs.
func eachChild(ctx context.Context, h *history.History, rows []attribute.Quark, name string, edges []int64, values []history.Value, use func(i int, runs []history.Run)) error {
	var quarks []attribute.Quark
	var of []int
	for i, q := range rows {
		if c := child(h, q, name); c != attribute.None {
			quarks, of = append(quarks, c), append(of, i)
		} else {
			use(i, nil)
		}
	}
	return h.EachRowOf(ctx, quarks, edges, values, func(k int, runs []history.Run) { use(of[k], runs) })
}

// cpuLabels says what runs on a CPU.
type cpuLabels struct {
	names threadNames
	edges []int64
	first int64 // time of the history
}

// label is what a thread on a CPU is called from one column to another: by its number alone where there is no room.
func (x *cpuLabels) label(v history.Value, from, to int32) string {
	tid, ok := v.Int()
	if !ok {
		return ""
	}
	id := strconv.FormatInt(tid, 10)
	if to-from < namedColumns {
		return id
	}
	if name := x.names.at(tid, max(x.edges[from], x.first)); name != "" {
		return id + " " + name
	}
	return id
}

// threadNames are the names of threads at a time, each asked once as long as it holds.
type threadNames struct {
	p     point
	known map[int64]named
}

type named struct {
	name       string
	begin, end int64
}

func (n *threadNames) at(tid, t int64) string {
	if k, ok := n.known[tid]; ok && k.begin <= t && t < k.end {
		return k.name
	}
	n.p.t = t
	iv := n.p.interval(n.p.h.Attributes().Lookup("Threads", strconv.FormatInt(tid, 10), "Name"))
	k := named{begin: iv.Start, end: iv.End}
	if iv.Value.IsString() {
		k.name = n.p.h.String(iv.Value)
	}
	n.known[tid] = k
	return k.name
}

// A CPUDetail is what is known of a CPU at one instant.
type CPUDetail struct {
	Known      bool // the history covers the instant
	Status     kernel.CPUStatus
	Begin, End int64  // in which neither status nor thread changes, local ns
	TID        int32  // of the thread on it; 0 its idle thread, -1 unknown
	Name       string // of that thread
	Syscall    string // that it is in
	Interrupt  string // that is served
	Hz         int64  // its frequency, 0 unknown
}

// CPUAt tells what a CPU does at t, local ns. cpu is the quark of CPUs/<cpu>.
func CPUAt(ctx context.Context, h *history.History, cpu attribute.Quark, t int64) (CPUDetail, error) {
	p := point{ctx: ctx, h: h, t: t}
	iv := p.interval(cpu)
	status, ok := iv.Value.Int()
	if errors.Is(p.err, history.ErrOutside) {
		return CPUDetail{}, nil
	}
	if p.err != nil || !ok {
		return CPUDetail{}, p.err
	}
	d := CPUDetail{Known: true, Status: kernel.CPUStatus(status), Begin: iv.Start, End: iv.End, TID: -1}
	d.Hz = p.int(child(h, cpu, "Frequency"), 0)
	if d.Status == kernel.CPUIRQ || d.Status == kernel.CPUSoftIRQ {
		if n, err := strconv.Atoi(h.Attributes().Name(cpu)); err == nil {
			d.Interrupt = p.interrupt(int32(n))
		}
	}
	current := p.interval(child(h, cpu, "Current_thread"))
	if tid, ok := current.Value.Int(); ok {
		d.TID = int32(tid)
		d.Begin, d.End = max(d.Begin, current.Start), min(d.End, current.End)
		if tid > 0 {
			thread := h.Attributes().Lookup("Threads", strconv.FormatInt(tid, 10))
			d.Name, d.Syscall = p.text(child(h, thread, "Name")), p.text(child(h, thread, "System_call"))
		}
	}
	return d, p.err
}
