package machine_test

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"synchroscope/trace"
	"synchroscope/trace/ctf"
)

// A checker reads what a machine has recorded and holds it against what a kernel can do.
type checker struct {
	t       *testing.T
	name    string
	cpus    map[int32]*cpuSeen
	threads map[int64]*threadSeen
	wrong   int
	counts  map[string]int
}

type cpuSeen struct {
	tid   int64 // -1: not known yet
	stack []string
	soft  map[int64]bool // raised
	idle  bool
	last  int64
}

type threadSeen struct {
	cpu        int32 // where it runs, -1: nowhere
	call       string
	blocked    bool
	woken      int64
	exited     bool
	freed      bool
	introduced bool
}

func (c *checker) fail(ev *trace.Event, format string, args ...any) {
	if c.wrong++; c.wrong < 10 {
		c.t.Errorf("%s at %d: %s: %s", c.name, ev.Time, ev.AppendText(nil), fmt.Sprintf(format, args...))
	}
}

func (c *checker) thread(tid int64) *threadSeen {
	x := c.threads[tid]
	if x == nil {
		x = &threadSeen{cpu: -1}
		c.threads[tid] = x
	}
	return x
}

// check reads the trace of a machine. It returns how many events of each kind it has.
func check(t *testing.T, c *cluster, host string) map[string]int {
	t.Helper()
	tr, err := ctf.Open(filepath.Join(c.dir, host, "kernel"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := ctf.NewReader([]*ctf.Trace{tr}, ctf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	k := &checker{t: t, name: host, cpus: map[int32]*cpuSeen{}, threads: map[int64]*threadSeen{}, counts: map[string]int{}}
	for {
		ev, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		k.counts[ev.Class.Name]++
		k.event(ev)
	}
	if a := r.Anomalies(); len(a) > 0 {
		t.Errorf("%s: %v", host, a)
	}
	return k.counts
}

func (k *checker) event(ev *trace.Event) {
	c := k.cpus[ev.CPU]
	if c == nil {
		c = &cpuSeen{tid: -1, soft: map[int64]bool{}}
		k.cpus[ev.CPU] = c
	}
	if ev.Time <= c.last {
		k.fail(ev, "it is not later than the event before")
	}
	c.last = ev.Time
	get := func(name string) int64 { return ev.Int(ev.Class.Field(name)) }
	name := ev.Class.Name
	switch name {
	case "sched_switch":
		k.schedule(ev, c, get)
	case "sched_waking", "sched_wakeup", "sched_wakeup_new":
		x := k.thread(get("tid"))
		if x.cpu >= 0 {
			k.fail(ev, "the thread runs on CPU %d", x.cpu)
		}
		if x.exited {
			k.fail(ev, "the thread has ended")
		}
		if name != "sched_waking" {
			x.blocked, x.woken = false, ev.Time
		}
	case "sched_process_fork":
		x := &threadSeen{cpu: -1, call: "clone", introduced: true, blocked: true}
		if old := k.threads[get("child_tid")]; old != nil && !old.freed {
			k.fail(ev, "there is such a thread")
		}
		k.threads[get("child_tid")] = x
	case "sched_process_exit":
		x := k.thread(get("tid"))
		if x.cpu != ev.CPU && x.cpu >= 0 || x.exited {
			k.fail(ev, "it does not run here")
		}
		x.exited = true
	case "sched_process_free":
		if x := k.thread(get("tid")); !x.exited || x.cpu >= 0 {
			k.fail(ev, "it has not ended")
		} else {
			x.freed = true
		}
	case "irq_handler_entry", "irq_softirq_entry", "timer_hrtimer_expire_entry", "timer_expire_entry":
		k.enter(ev, c, name, get)
	case "irq_handler_exit", "irq_softirq_exit", "timer_hrtimer_expire_exit", "timer_expire_exit":
		want := strings.TrimSuffix(name, "exit") + "entry"
		if n := len(c.stack); n == 0 && c.tid >= 0 || n > 0 && c.stack[n-1] != want {
			k.fail(ev, "inside of %v", c.stack)
		} else if n > 0 {
			c.stack = c.stack[:n-1]
		}
	case "irq_softirq_raise":
		c.soft[get("vec")] = true
	case "power_cpu_idle":
		state := get("state")
		if c.tid > 0 || len(c.stack) > 0 || c.idle && state != -1 && state != 1<<32-1 {
			k.fail(ev, "thread %d runs, inside of %v", c.tid, c.stack)
		}
		c.idle = state != -1 && state != 1<<32-1
	default:
		k.call(ev, c, name)
	}
}

func (k *checker) enter(ev *trace.Event, c *cpuSeen, name string, get func(string) int64) {
	for _, in := range c.stack {
		if name == "irq_softirq_entry" || in == "irq_handler_entry" || in == "timer_hrtimer_expire_entry" {
			k.fail(ev, "inside of %v", c.stack)
		}
	}
	if name == "irq_softirq_entry" {
		if !c.soft[get("vec")] && c.tid >= 0 {
			k.fail(ev, "nobody has raised it")
		}
		c.soft[get("vec")] = false
	}
	c.stack = append(c.stack, name)
}

func (k *checker) schedule(ev *trace.Event, c *cpuSeen, get func(string) int64) {
	prev, next, state := get("prev_tid"), get("next_tid"), get("prev_state")
	if len(c.stack) > 0 || c.idle {
		k.fail(ev, "inside of %v, idle %t", c.stack, c.idle)
	}
	if c.tid >= 0 && c.tid != prev {
		k.fail(ev, "%d ran here", c.tid)
	}
	c.tid = next
	if prev > 0 {
		x := k.thread(prev)
		x.cpu = -1
		x.blocked = state != 0 && state != 256
		if x.exited != (state == 16 || state == 32) {
			k.fail(ev, "ended %t, state %d", x.exited, state)
		}
		if x.blocked && state != 128 && x.call == "" && !x.exited && x.introduced {
			k.fail(ev, "it blocks outside of a system call")
		}
	}
	if next > 0 {
		x := k.thread(next)
		if x.cpu >= 0 || x.exited {
			k.fail(ev, "%d runs on %d, or has ended", next, x.cpu)
		}
		if x.blocked && x.woken > 0 {
			k.fail(ev, "%d is blocked", next)
		}
		x.cpu = ev.CPU
	}
}

// call is an event of a system call, or one that is not looked at.
func (k *checker) call(ev *trace.Event, c *cpuSeen, name string) {
	entry, isEntry := strings.CutPrefix(name, "syscall_entry_")
	exit, isExit := strings.CutPrefix(name, "syscall_exit_")
	if !isEntry && !isExit || c.tid < 0 {
		return
	}
	if c.tid == 0 || len(c.stack) > 0 {
		k.fail(ev, "in the idle thread, or inside of %v", c.stack)
		return
	}
	x := k.thread(c.tid)
	switch {
	case isEntry && x.call != "":
		k.fail(ev, "inside of %s", x.call)
	case isExit && x.call != exit && (x.call != "" || x.introduced):
		k.fail(ev, "inside of %q", x.call)
	}
	x.introduced = true
	if x.call = ""; isEntry {
		x.call = entry
	}
}
