package kernel_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"synchroscope/simulate"
	"synchroscope/simulate/machine"
	"synchroscope/simulate/scenario"
	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/kernel"
	"synchroscope/trace/ctf"
)

// simulated runs a scenario of the library, changed by edit, and returns its hosts.
func simulated(t *testing.T, name string, edit func(*scenario.Scenario)) []ctf.HostTraces {
	t.Helper()
	return seeded(t, name, 1, edit, nil)
}

// seeded simulates a scenario by the chance of a seed. What its threads really do it takes down in lives, unless that is nil.
func seeded(t *testing.T, name string, seed uint64, edit func(*scenario.Scenario), l lives) []ctf.HostTraces {
	t.Helper()
	s, err := scenario.Load(name, scenario.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if testing.Short() {
		s.Duration = min(s.Duration, 3e9)
	}
	if edit != nil {
		edit(s)
	}
	dir := t.TempDir()
	o := simulate.Options{Out: dir, Seed: seed}
	if l != nil {
		o.Observe = l.observe
	}
	if _, err := simulate.Run(context.Background(), s, o); err != nil {
		t.Fatal(err)
	}
	return hosts(t, dir)
}

// spared has nothing of a scenario lost: what happens stays the same.
func spared(s *scenario.Scenario) {
	for i := range s.Hosts {
		h := &s.Hosts[i].Tracing
		h.SubBuffer, h.SubBuffers, h.Rate, h.Wake, h.Loss, h.Cut = 4<<20, 4, 0, 0, 0, false
	}
}

// lives are what the threads of each host really do, by its name and their ids: what the simulated machines' schedulers and kernels
// have them do, not what is recorded of it.
type lives map[string]map[int32][]moment

// A moment is when a thread begins to do something.
type moment struct {
	at        int64 // local ns
	call      string
	state     machine.State
	interrupt machine.Interrupt
	kernel    bool     // it is of a thread of the kernel's own
	family    [2]int64 // the number of its process, and of that which made this
}

func (l lives) observe(host string, local int64, c *machine.Change) {
	threads := l[host]
	if threads == nil {
		threads = make(map[int32][]moment)
		l[host] = threads
	}
	threads[c.TID] = append(threads[c.TID], moment{local, c.Call, c.State, c.Interrupt, c.Kernel, [2]int64{int64(c.PID), int64(c.Parent)}})
}

// status is what the model calls what a thread does. The interrupt of a CPU's own timer is not recorded as one, so
// under it the thread runs.
func (m moment) status() kernel.Status {
	switch m.state {
	case machine.Blocked:
		return kernel.Blocked
	case machine.Waking, machine.Ready:
		return kernel.WaitCPU
	case machine.Made:
		return kernel.Forked
	case machine.InProgram, machine.InKernel:
		switch {
		case m.interrupt == machine.Handler:
			return kernel.Interrupted
		case m.call != "":
			return kernel.Syscall
		case m.kernel:
			return kernel.Kernel
		}
		return kernel.User
	}
	return gone
}

// A tally counts looks at threads that are not wrong.
type tally struct {
	right   int
	early   int // unknown before anything tells of the thread
	unknown int // though something has
	unheard int // no event that is there tells of the thread at all
	family  int // looks at the process of a thread, or that which made this, that is told
	exits   int // looks that are told how far a thread has come in ending
}

// A comparison holds the history of a host against what its threads do.
type comparison struct {
	looks
	dumped map[int32]int64 // by thread: when the state dump told of it
	lossy  bool
	alike  map[[2]kernel.Status]bool // what a thread does and what it is said to do, where that is no lie; nor is then that it is in a call without a name
	tally
}

// compare looks at every thread that there is, or that the history knows, at random instants of it.
func compare(t *testing.T, h *history.History, threads map[int32][]moment, dumped map[int32]int64, lossy bool) *comparison {
	t.Helper()
	return compareAt(lookAt(t, h), threads, dumped, lossy)
}

// compareAt looks at the instants that there are.
func compareAt(l looks, threads map[int32][]moment, dumped map[int32]int64, lossy bool) *comparison {
	l.t.Helper()
	c := &comparison{looks: l, dumped: dumped, lossy: lossy}
	return c.all(threads)
}

// all compares all threads.
func (c *comparison) all(threads map[int32][]moment) *comparison {
	c.t.Helper()
	if len(threads) == 0 {
		c.t.Fatal("the machine told of no threads")
	}
	rows := c.rows()
	for tid := range rows {
		if threads[tid] == nil {
			c.fail("there is no thread %d", tid)
		}
	}
	for tid, moments := range threads {
		row, ok := rows[tid]
		if !ok {
			row = attribute.None
		}
		c.thread(tid, row, moments)
	}
	return c
}

// thread compares one thread.
func (c *comparison) thread(tid int32, row attribute.Quark, moments []moment) {
	child := func(name string) attribute.Quark {
		if row == attribute.None {
			return row
		}
		return c.h.Attributes().Child(row, name)
	}
	states, calls := c.column(0, row), c.column(1, child("System_call"))
	family := [2][]history.Value{c.column(2, child("PID")), c.column(3, child("PPID"))}
	exits := c.column(4, child("Exit"))
	told, next := c.told(tid, moments), 0
	want, in := gone, ""
	for i, at := range c.times {
		for next < len(moments) && moments[next].at <= at {
			want, in = moments[next].status(), moments[next].call
			next++
		}
		for k, values := range family {
			if n, ok := values[i].Int(); ok && want != gone {
				c.family++
				if really := moments[max(next-1, 0)].family[k]; n != really {
					c.fail("thread %d at %d has %s %d, want %d", tid, at, [...]string{"PID", "PPID"}[k], n, really)
				}
			}
		}
		c.exit(tid, at, exits[i], moments[max(next-1, 0)])
		got := gone
		if n, ok := states[i].Int(); ok {
			got = kernel.Status(n)
		}
		if c.alike[[2]kernel.Status{want, got}] {
			want = got
		}
		said := ""
		if !calls[i].IsNull() {
			said = strings.TrimSuffix(c.h.String(calls[i]), " (child)")
		}
		switch {
		case c.lossy && row == attribute.None:
			c.unheard++
		case c.lossy && got == kernel.Unknown:
			c.unknown++
		case !c.lossy && at < told && want != gone:
			if got != kernel.Unknown || said != "" {
				c.fail("thread %d at %d, of which nothing has told yet: %v in %q", tid, at, got, said)
			}
			c.early++
		case got == kernel.Unknown:
			c.unknown++
		case want != got:
			c.fail("thread %d at %d: %v, want %v", tid, at, got, want)
		case want != gone && said != in && (said != "" || !c.lossy || got == kernel.Syscall && c.alike == nil):
			c.fail("thread %d at %d: %v in %q, want %q", tid, at, got, said, in)
		default:
			c.right++
		}
	}
}

// grace is how long, local ns, sched_process_free may come after somebody has waited for a thread.
const grace = 60e6

// exit looks at how far a thread has come in ending, where that is told, with what it really does.
func (c *comparison) exit(tid int32, at int64, exit history.Value, really moment) {
	n, ok := exit.Int()
	if !ok {
		return
	}
	c.exits++
	freed := really.state == machine.Gone && at-really.at > grace
	lives := really.state != machine.Ended && really.state != machine.Gone
	if e := kernel.Exit(n); (e == kernel.Exiting) != lives || freed {
		c.fail("thread %d at %d is %v, and really %v", tid, at, e, really.state)
	}
}

// told is from when on a recording without losses tells what a thread does: its first change, or its line in the state dump. One
// that is made is told of at once.
func (c *comparison) told(tid int32, moments []moment) int64 {
	if moments[0].at > c.begin || len(moments) == 1 && c.dumped[tid] == 0 {
		return moments[0].at
	}
	told := c.dumped[tid]
	if len(moments) > 1 && (told == 0 || moments[1].at < told) {
		told = moments[1].at
	}
	return told
}

// dumped is when the state dump at the beginning of a recording tells of each thread.
func dumped(t *testing.T, traces ctf.HostTraces) map[int32]int64 {
	t.Helper()
	r, err := ctf.NewReader(traces.Traces, ctf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	out := make(map[int32]int64)
	for {
		ev, err := r.Next()
		if err == io.EOF || err == nil && ev.Class.Name == "lttng_statedump_end" {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		if ev.Class.Name == "lttng_statedump_process_state" {
			out[int32(ev.Int(ev.Class.Field("tid")))] = ev.Time
		}
	}
}

// Of a recording without losses the state of every thread, and the system call it is in, are at every instant what the machine had it
// do, from the first event about the thread on; before, nothing is said of those that there were already.
func TestTruth(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine asks for 200 million states")
	}
	for _, name := range []string{"web", "many-threads-20k", "syscall-storm"} {
		t.Run(name, func(t *testing.T) {
			really := make(lives)
			for _, traces := range seeded(t, name, 1, spared, really) {
				got := compare(t, build(t, traces, 0).Writer.History(), really[traces.Name], dumped(t, traces), false)
				t.Logf("%s: %d looks right, %d at threads of which nothing tells yet, %d unknown, %d wrong", traces.Name, got.right, got.early, got.unknown, got.wrong)
				if got.unknown > 0 {
					t.Errorf("%s: %d looks find a thread unknown of which an event has told", traces.Name, got.unknown)
				}
			}
		})
	}
}

// Between the instants nothing is missed either: the whole history of a thread has the changes that the machine made, each at its
// nanosecond, and no other.
func TestTruthOfEveryChange(t *testing.T) {
	really := make(lives)
	for _, traces := range seeded(t, "web", 2, spared, really) {
		h := build(t, traces, 0).Writer.History()
		c := &comparison{looks: looks{t: t, h: h}, dumped: dumped(t, traces)}
		c.begin, _ = h.Bounds()
		changes, own := 0, 0
		for tid, row := range c.rows() {
			moments := really[traces.Name][tid]
			told := c.told(tid, moments)
			got := c.history(row, told)
			want := c.course(moments, told)
			changes += len(want)
			for i := range min(len(got), len(want)) {
				if want[i].status == kernel.Kernel {
					own++
				}
				if got[i] != want[i] {
					c.fail("thread %d, change %d: %v, want %v", tid, i, got[i], want[i])
					break
				}
			}
			if len(got) != len(want) {
				c.fail("thread %d has %d changes, want %d", tid, len(got), len(want))
			}
		}
		t.Logf("%s: %d changes, %d to run as a thread of the kernel", traces.Name, changes, own)
		if changes == 0 || own == 0 {
			t.Errorf("%s: no thread has changed, or none of the kernel's", traces.Name)
		}
	}
}

// A step is a thread taking a status.
type step struct {
	at     int64
	status kernel.Status
}

// course is what a thread has become since it was told of, as far as the history goes.
func (c *comparison) course(moments []moment, told int64) (steps []step) {
	_, end := c.h.Bounds()
	for _, m := range moments {
		if m.at >= end {
			break
		}
		steps = follow(steps, step{max(m.at, told), m.status()})
	}
	return steps
}

// history is the same as the history has it.
func (c *comparison) history(row attribute.Quark, told int64) (steps []step) {
	steps = append(steps, step{told, gone}) // before it is born
	intervals(c.t, c.h, func(iv history.Interval) {
		s := step{max(iv.Start, told), gone}
		if n, ok := iv.Value.Int(); ok {
			s.status = kernel.Status(n)
		}
		if iv.End > told {
			steps = follow(steps, s)
		}
	}, row)
	return steps
}

// follow adds a step that is no earlier than the last. Of those at one time the last counts.
func follow(steps []step, s step) []step {
	if n := len(steps); n > 0 && steps[n-1].at == s.at {
		steps = steps[:n-1]
	}
	if n := len(steps); n > 0 && steps[n-1].status == s.status {
		return steps
	}
	return append(steps, s)
}

// Where events are lost, nothing is wrong: what is not known is said to be unknown. And not everything
// is. By the second and the third seed the first packet of a CPU is lost, by the fourth the last. By the fifth
// a thread returns after a loss from a call of which nobody knew.
func TestTruthLost(t *testing.T) {
	for _, seed := range []uint64{1, 10, 68, 52, 1038} {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			really := make(lives)
			for _, traces := range seeded(t, "lost-events", seed, nil, really) {
				got := compare(t, build(t, traces, 0).Writer.History(), really[traces.Name], nil, true)
				all := float64(got.right+got.unknown+got.unheard) / 100
				t.Logf("%s: %.1f %% right, %.1f %% unknown, %.1f %% at threads that no event tells of, %d wrong", traces.Name,
					float64(got.right)/all, float64(got.unknown)/all, float64(got.unheard)/all, got.wrong)
				if got.right == 0 || got.family == 0 {
					t.Errorf("%s: %+v, want some right", traces.Name, got.tally)
				}
			}
		})
	}
}

// Where a tracer overflows when its recording breaks off, its last packet counts what it has lost and does not say when it was closed: the last
// instants are as true as others.
func TestTruthLostAndCut(t *testing.T) {
	really := make(lives)
	cut := func(s *scenario.Scenario) {
		s.Duration = 4370e6
		for i := range s.Hosts {
			s.Hosts[i].Tracing.Cut = s.Hosts[i].Name == "overflow" || s.Hosts[i].Tracing.Cut
		}
	}
	for _, traces := range seeded(t, "lost-events", 11, cut, really) {
		h := build(t, traces, 0).Writer.History()
		_, end := h.Bounds()
		got := compareAt(lookWithin(t, h, end-30e6, end), really[traces.Name], nil, true)
		t.Logf("%s: %d looks right, %d unknown, %d wrong", traces.Name, got.right, got.unknown, got.wrong)
		if got.right == 0 {
			t.Errorf("%s: %+v, want some right", traces.Name, got.tally)
		}
	}
}

// lossy has the tracers of a scenario overflow and lose packets, all through it.
func lossy(s *scenario.Scenario) {
	s.Duration = 4e9
	for i := range s.Hosts {
		h := &s.Hosts[i].Tracing
		h.SubBuffer, h.SubBuffers, h.Rate, h.Wake, h.Loss = 8<<10, 4, 150_000, 20e6, 0.02
	}
}

// Where processes end while events are lost, none is said to be ending that has ended, nor to have been waited for by nobody that has been.
func TestTruthOfExits(t *testing.T) {
	really := make(lives)
	exits := 0
	for _, traces := range seeded(t, "web", 1, lossy, really) {
		got := compare(t, build(t, traces, 0).Writer.History(), really[traces.Name], nil, true)
		t.Logf("%s: %+v, %d wrong", traces.Name, got.tally, got.wrong)
		exits += got.exits
	}
	if exits == 0 {
		t.Error("nothing is told of threads that end")
	}
}
