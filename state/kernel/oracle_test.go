package kernel_test

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"sort"
	"strings"
	"testing"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/kernel"
	"synchroscope/trace"
	"synchroscope/trace/ctf"
)

// An oracle tells what the threads of a host did, from a recording without
// losses: of real machines nobody else knows. It shares no code and no way of working with the model: it collects
// who ran where from when to when, who was in which call, which interrupts were
// served, all over the whole recording, and only then asks what held at an
// instant. So it also knows what only a later event shows.
type oracle struct {
	runs   map[int64][]stretch // by thread: on a CPU (where is the CPU, why is prev_state)
	wakes  map[int64][]wake
	calls  map[int64][]stretch // by thread: in a call (what is its name)
	own    map[int64][]stretch // by thread: as one of the kernel's own
	forks  map[int64]int64
	asleep map[int64]int64   // by thread: when the state dump said so
	served map[int32][]int64 // by CPU: how many interrupts are served changes from and to 0
}

// A stretch is [begin, end) local ns.
type stretch struct {
	begin, end int64
	where      int32
	why        int64
	what       string
}

// A wake is an event that wakes a thread; begun is one that announces another.
type wake struct {
	at    int64
	begun bool
}

// unseen stands for a status that no event tells.
const unseen = kernel.Unknown

// ask reads a host's whole recording.
func ask(t *testing.T, traces ctf.HostTraces) *oracle {
	t.Helper()
	r, err := ctf.NewReader(traces.Traces, ctf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	o := &oracle{
		runs: make(map[int64][]stretch), wakes: make(map[int64][]wake), calls: make(map[int64][]stretch),
		own: make(map[int64][]stretch), forks: make(map[int64]int64), asleep: make(map[int64]int64), served: make(map[int32][]int64),
	}
	w := watcher{o: o, on: make(map[int32]stretch), who: make(map[int32]int64), lines: make(map[int32]map[string]bool), fields: make(map[*trace.Class]map[string]*trace.Field)}
	for {
		ev, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if l := r.Losses(); len(l) > 0 {
			t.Fatalf("%s: the recording for the oracle has losses: %+v", traces.Name, l)
		}
		w.take(ev)
	}
	for cpu, s := range w.on {
		s.end = math.MaxInt64
		o.runs[w.who[cpu]] = append(o.runs[w.who[cpu]], s)
	}
	for _, runs := range o.runs {
		slices.SortFunc(runs, func(a, b stretch) int { return cmp.Compare(a.begin, b.begin) })
	}
	return o
}

// A watcher collects.
type watcher struct {
	o      *oracle
	on     map[int32]stretch // by CPU: the run that lasts
	who    map[int32]int64   // and whose it is
	lines  map[int32]map[string]bool
	fields map[*trace.Class]map[string]*trace.Field
}

func (w *watcher) int(ev *trace.Event, name string) int64 {
	known := w.fields[ev.Class]
	if known == nil {
		known = make(map[string]*trace.Field)
		w.fields[ev.Class] = known
	}
	f, ok := known[name]
	if !ok {
		f = ev.Class.Field(name)
		known[name] = f
	}
	return ev.Int(f)
}

func (w *watcher) take(ev *trace.Event) {
	name := ev.Class.Name
	w.belong(ev)
	switch {
	case name == "sched_switch":
		w.turn(ev)
	case name == "sched_waking", name == "sched_wakeup", name == "sched_wakeup_new", name == "sched_migrate_task":
		tid := w.int(ev, "tid")
		w.o.wakes[tid] = append(w.o.wakes[tid], wake{ev.Time, name == "sched_waking"})
	case name == "sched_process_fork":
		child := w.int(ev, "child_tid")
		w.o.forks[child] = ev.Time
		what := ""
		if calls := w.o.calls[w.int(ev, "parent_tid")]; len(calls) > 0 && calls[len(calls)-1].what != "" {
			what = calls[len(calls)-1].what + " (child)"
		}
		w.o.calls[child] = []stretch{{begin: ev.Time, end: math.MaxInt64, what: what}}
	case name == "lttng_statedump_process_state" && w.int(ev, "status") == 5:
		if tid := w.int(ev, "tid"); w.o.asleep[tid] == 0 {
			w.o.asleep[tid] = ev.Time
		}
	case name == "syscall_entry_rt_sigreturn", name == "syscall_entry_unknown" && w.int(ev, "id") == 15:
		w.call(ev, "") // it has no exit
	case name == "syscall_entry_unknown":
		w.call(ev, fmt.Sprint("system call ", w.int(ev, "id")))
	case strings.HasPrefix(name, "syscall_entry_"):
		w.call(ev, strings.TrimPrefix(name, "syscall_entry_"))
	case strings.HasPrefix(name, "syscall_exit_"):
		w.call(ev, "")
	case name == "irq_handler_entry", name == "irq_handler_exit":
		w.line(ev, "i"+string(rune(w.int(ev, "irq"))), name == "irq_handler_entry")
	case name == "irq_softirq_entry", name == "irq_softirq_exit":
		w.line(ev, "s"+string(rune(w.int(ev, "vec"))), name == "irq_softirq_entry")
	}
}

// belong takes down which threads are the kernel's: those that the state dump says it of have been that before, too.
func (w *watcher) belong(ev *trace.Event) {
	end := func(tid int64) {
		if own := w.o.own[tid]; len(own) > 0 && own[len(own)-1].end == math.MaxInt64 {
			own[len(own)-1].end = ev.Time
		}
	}
	switch ev.Class.Name {
	case "lttng_statedump_process_state":
		if tid := w.int(ev, "tid"); w.int(ev, "type") == 1 && w.int(ev, "status") != 4 && len(w.o.own[tid]) == 0 {
			w.o.own[tid] = []stretch{{begin: math.MinInt64, end: math.MaxInt64}}
		}
	case "sched_process_exec":
		end(w.int(ev, "tid"))
	case "sched_process_fork":
		child, maker := w.int(ev, "child_tid"), w.int(ev, "parent_tid")
		end(child)
		if own := w.o.own[maker]; maker == 2 || len(own) > 0 && own[len(own)-1].end == math.MaxInt64 {
			w.o.own[child] = append(w.o.own[child], stretch{begin: ev.Time, end: math.MaxInt64})
		}
	}
}

func (w *watcher) turn(ev *trace.Event) {
	prev, next := w.int(ev, "prev_tid"), w.int(ev, "next_tid")
	s, ok := w.on[ev.CPU]
	if !ok {
		s = stretch{begin: math.MinInt64, where: ev.CPU}
	}
	s.end, s.why = ev.Time, w.int(ev, "prev_state")
	w.o.runs[prev] = append(w.o.runs[prev], s)
	w.on[ev.CPU], w.who[ev.CPU] = stretch{begin: ev.Time, where: ev.CPU}, next
}

// call: an empty name is the end of a call.
func (w *watcher) call(ev *trace.Event, what string) {
	tid, ok := w.who[ev.CPU]
	if !ok {
		return
	}
	calls := w.o.calls[tid]
	switch n := len(calls); {
	case what != "":
		w.o.calls[tid] = append(calls, stretch{begin: ev.Time, end: math.MaxInt64, what: what})
	case n == 0:
		w.o.calls[tid] = []stretch{{begin: math.MinInt64, end: ev.Time}}
	case calls[n-1].end == math.MaxInt64:
		calls[n-1].end = ev.Time
	}
}

func (w *watcher) line(ev *trace.Event, line string, entry bool) {
	lines := w.lines[ev.CPU]
	if lines == nil {
		lines = make(map[string]bool)
		w.lines[ev.CPU] = lines
	}
	before := len(lines)
	if entry {
		lines[line] = true
	} else {
		delete(lines, line)
	}
	if (before == 0) != (len(lines) == 0) {
		w.o.served[ev.CPU] = append(w.o.served[ev.CPU], ev.Time)
	}
}

// interrupted tells whether a CPU serves an interrupt at an instant.
func (o *oracle) interrupted(cpu int32, at int64) bool {
	changes := o.served[cpu]
	return sort.Search(len(changes), func(i int) bool { return changes[i] > at })%2 == 1
}

// A life tells what one thread does at instants that ascend.
type life struct {
	o                 *oracle
	tid               int64
	runs              []stretch
	wakes             []wake
	calls             []stretch
	run, wake, called int // behind what begins by the instant
}

func (o *oracle) life(tid int64) life {
	return life{o: o, tid: tid, runs: o.runs[tid], wakes: o.wakes[tid], calls: o.calls[tid]}
}

// at is what the thread does, and in which call it is where it runs.
func (l *life) at(t int64) (s kernel.Status, call string) {
	runs, wakes, calls := l.runs, l.wakes, l.calls
	for l.run < len(runs) && runs[l.run].begin <= t {
		l.run++
	}
	for l.wake < len(wakes) && wakes[l.wake].at <= t {
		l.wake++
	}
	for l.called < len(calls) && calls[l.called].begin <= t {
		l.called++
	}
	inCall := l.called > 0 && calls[l.called-1].end > t
	if inCall {
		call = calls[l.called-1].what
	}
	if l.run > 0 {
		r := runs[l.run-1]
		switch {
		case t >= r.end:
			return l.off(r, t, wakes), call
		case r.begin == math.MinInt64:
			return unseen, call // only the switch away tells of it
		case l.o.interrupted(r.where, t):
			return kernel.Interrupted, call
		case slices.ContainsFunc(l.o.own[l.tid], func(s stretch) bool { return s.begin <= t && t < s.end }):
			return kernel.Kernel, ""
		case inCall:
			return kernel.Syscall, call
		}
		return kernel.User, ""
	}
	fork, forked := l.o.forks[l.tid]
	switch {
	case forked && t < fork:
		return gone, ""
	case l.wake > 0:
		return kernel.WaitCPU, call
	case forked:
		return kernel.Forked, call
	case l.o.asleep[l.tid] != 0 && t >= l.o.asleep[l.tid]:
		return kernel.Blocked, call
	}
	return unseen, call
}

// off is what a thread does after a run.
func (l *life) off(r stretch, t int64, wakes []wake) kernel.Status {
	if l.wake > 0 {
		// One that begins just before the thread is off its CPU is not in vain.
		if w := wakes[l.wake-1]; w.at >= r.end || w.begun && w.at >= r.begin {
			return kernel.WaitCPU
		}
	}
	switch r.why {
	case 0, 0x100:
		return kernel.WaitCPU
	case 0x10, 0x20:
		return gone
	}
	return kernel.Blocked
}

// A replay holds the history of a host against the oracle.
type replay struct {
	looks
	o *oracle
	retold
}

// Retold counts looks at threads.
type retold struct {
	right   int
	unseen  int // no event tells yet what the thread does
	unknown int // some event has, and the model does not know
	untold  int // in a call whose entry was before the recording, where the model says in none; or of the kernel, which only a later event shows
}

// consult looks at every thread that the history knows, at random instants of it.
func consult(t *testing.T, h *history.History, o *oracle) retold {
	t.Helper()
	r := &replay{looks: lookAt(t, h), o: o}
	for tid, row := range r.rows() {
		r.thread(int64(tid), row)
	}
	return r.retold
}

// thread compares one thread.
func (r *replay) thread(tid int64, status attribute.Quark) {
	states := r.column(0, status)
	calls := r.column(1, r.h.Attributes().Child(status, "System_call"))
	l := r.o.life(tid)
	for i, at := range r.times {
		want, call := l.at(at)
		got := gone
		if n, ok := states[i].Int(); ok {
			got = kernel.Status(n)
		}
		switch {
		case want == got && want == unseen:
			r.unseen++
		case got == kernel.Unknown:
			r.unknown++
		case (want == kernel.Syscall || want == kernel.Kernel) && got == kernel.User && call == "":
			r.untold++
		case want != got:
			r.fail("thread %d at %d: %v, want %v", tid, at, got, want)
		case got.OnCPU() && !calls[i].IsNull() && r.h.String(calls[i]) != call:
			r.fail("thread %d at %d: in %q, want %q", tid, at, r.h.String(calls[i]), call)
		default:
			r.right++
		}
	}
}
