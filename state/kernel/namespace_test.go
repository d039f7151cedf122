package kernel_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"synchroscope/state/history"
	"synchroscope/state/kernel"
	"synchroscope/state/kernel/kerneltest"
	"synchroscope/trace/tracetest"
)

// A named is a thread of a simulated machine, by what it is called there and in its own namespace.
type named struct {
	tid, pid, vtid, vpid int
	ns                   int64
	comm                 string
}

const machineNS = 4026531836

// crowd makes a machine with containers in which ids collide, with each other's and with those of the machine.
func crowd(r *rand.Rand) []named {
	var all []named
	comms := []string{"java", "sh"}
	for i := range 4 {
		all = append(all, named{tid: i + 1, pid: i + 1, vtid: i + 1, vpid: i + 1, ns: machineNS, comm: comms[r.IntN(2)]})
	}
	tid := 100
	for c := range 3 {
		comm, first := comms[r.IntN(2)], tid
		for v := range 3 {
			all = append(all, named{tid: tid, pid: first, vtid: v + 1, vpid: 1, ns: machineNS + 100 + int64(c), comm: comm})
			tid++
		}
	}
	return all
}

// dump is what the state dump of LTTng says of a thread, as it did up to 2.11 or since.
func (n named) dump(old bool) (lines []string) {
	levels := []string{fmt.Sprintf("vtid=%d vpid=%d ns_level=0 ns_inum=%d", n.tid, n.pid, machineNS)}
	if n.ns != machineNS {
		levels = append([]string{fmt.Sprintf("vtid=%d vpid=%d ns_level=1 ns_inum=%d", n.vtid, n.vpid, n.ns)}, levels...)
	}
	state := fmt.Sprintf(`lttng_statedump_process_state tid=%d pid=%d ppid=0 name=%q type=0 status=5`, n.tid, n.pid, n.comm)
	if old {
		for _, l := range levels {
			lines = append(lines, state+" "+l)
		}
		return lines
	}
	lines = append(lines, state)
	for _, l := range levels {
		lines = append(lines, fmt.Sprintf("lttng_statedump_process_pid_ns tid=%d %s", n.tid, l))
	}
	return lines
}

// Whatever is recorded of the threads of containers, no event of user space is said to be of a thread that it is not of. Where all is recorded, each is
// said to be of the one it is of.
func TestWho(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		all := crowd(r)
		dumps, switches, ns := r.IntN(3), r.IntN(4) > 0, r.IntN(2) == 0
		var source tracetest.Source
		h := kerneltest.New(t, 0, history.Options{})
		now := 0
		take := func(cpu int, text string) {
			now++
			ev, err := source.Event(fmt.Sprintf("%d cpu=%d %s", now, cpu, text))
			if err != nil {
				t.Fatal(err)
			}
			h.Take(t, kerneltest.Step{Event: ev})
		}
		dumped := make([]bool, len(all))
		dumpOf := func(i int) {
			if dumped[i] {
				return
			}
			dumped[i] = true
			for _, line := range all[i].dump(dumps == 1) {
				take(r.IntN(2), line)
			}
		}
		runs := []int{-1, -1} // by CPU, what runs there
		nobody := named{comm: "swapper"}
		on := func(cpu int) named {
			if runs[cpu] < 0 {
				return nobody
			}
			return all[runs[cpu]]
		}
		known := 0
		for step := range 80 {
			if step == 40 {
				h = h.Restart(t)
			}
			cpu := r.IntN(2)
			if dumps > 0 && (step == 0 || r.IntN(4) == 0) {
				for i := range all {
					if step == 0 && dumps == 2 || r.IntN(3) == 0 {
						dumpOf(i)
					}
				}
			}
			next := r.IntN(len(all)+1) - 1
			if next >= 0 && next == runs[1-cpu] || next == runs[cpu] {
				continue
			}
			prev := on(cpu)
			runs[cpu] = next
			if switches {
				take(cpu, fmt.Sprintf(`sched_switch prev_comm=%q prev_tid=%d prev_prio=20 prev_state=1 next_comm=%q next_tid=%d next_prio=20`, prev.comm, prev.tid, on(cpu).comm, on(cpu).tid))
			}
			if next < 0 {
				continue
			}
			who := all[next]
			c := kernel.Claim{CPU: int32(cpu), TID: int64(who.vtid), PID: int64(who.vpid), Name: []byte(who.comm), Foreign: who.ns != machineNS && r.IntN(2) == 0}
			if ns {
				c.NS = who.ns
			}
			complete := switches && dumps == 2
			if r.IntN(8) == 0 {
				c.CPU = int32(1 - cpu) // it was moved between asking for its CPU and recording
				complete = ns && dumps == 2
			}
			got, _ := h.Model.Who(c)
			// Without switches, with a state dump under way, nobody can know that an id of the machine is meant by one in a container.
			blind := !switches && dumps < 2 && !ns
			switch {
			case got == 0 && complete:
				t.Fatalf("seed %d: nobody is said to have recorded %+v, it was %+v", seed, c, who)
			case got != 0 && int(got) != who.tid && !blind && c.CPU == int32(cpu):
				t.Fatalf("seed %d: thread %d is said to have recorded %+v, it was %+v", seed, got, c, who)
			case got != 0:
				known++
			}
		}
		if known == 0 && switches {
			t.Errorf("seed %d: nothing is known of anyone", seed)
		}
	}
}

// A thread that is made in a container is known by what its fork says of it, until it ends.
func TestWhoOfForks(t *testing.T) {
	steps, _ := kerneltest.Parse(t, `
1 cpu=0 sched_process_fork parent_comm="sh" parent_tid=90 parent_pid=90 parent_ns_inum=4026531836 child_comm="sh" child_tid=100 vtids=[100,1] child_pid=100 child_ns_inum=4026532001
2 cpu=0 sched_process_fork parent_comm="sh" parent_tid=90 parent_pid=90 parent_ns_inum=4026531836 child_comm="sh" child_tid=101 vtids=[101,7] child_pid=100 child_ns_inum=4026532001
3 cpu=0 sched_process_fork parent_comm="sh" parent_tid=90 parent_pid=90 parent_ns_inum=4026531836 child_comm="sh" child_tid=7 vtids=[7] child_pid=7 child_ns_inum=4026531836
4 cpu=1 sched_switch prev_comm="swapper/1" prev_tid=0 prev_prio=20 prev_state=0 next_comm="sh" next_tid=101 next_prio=20
5 cpu=1 sched_process_exit comm="sh" tid=101 prio=20
6 cpu=1 sched_switch prev_comm="sh" prev_tid=101 prev_prio=20 prev_state=64 next_comm="sh" next_tid=7 next_prio=20
`)
	h := kerneltest.New(t, 0, history.Options{})
	inside, outside := kernel.Claim{CPU: 1, TID: 7, PID: 1, NS: 4026532001}, kernel.Claim{CPU: 1, TID: 7, PID: 7, NS: machineNS}
	for i, s := range steps {
		h.Take(t, s)
		h = h.Restart(t)
		want := int32(0)
		if i >= 1 && i < 5 {
			want = 101
		}
		if got, only := h.Model.Who(inside); got != want || !only {
			t.Errorf("after event %d thread 7 of the container is %d (only %t), want %d", i, got, only, want)
		}
		if got, _ := h.Model.Who(outside); i >= 2 && got != 7 {
			t.Errorf("after event %d thread 7 of the machine is %d", i, got)
		}
	}
}

// Before anything is told of containers, a thread of the machine that sleeps, or was never met, has not recorded what somebody else on the CPU can have.
func TestWhoBeforeContainersAreKnown(t *testing.T) {
	h := kerneltest.Run(t, `
1 cpu=0 sched_switch prev_comm="kworker" prev_tid=7 prev_prio=20 prev_state=1 next_comm="java" next_tid=507 next_prio=20
`)
	for _, tid := range []int64{7, 8} {
		if got, _ := h.Model.Who(kernel.Claim{CPU: 0, TID: tid, PID: 1, Name: []byte("main")}); got != 0 {
			t.Errorf("thread %d of an application is said to be %d", tid, got)
		}
		if got, _ := h.Model.Who(kernel.Claim{CPU: 0, TID: tid, PID: 1, Name: []byte("java")}); got != 507 {
			t.Errorf("thread %d of java is said to be %d", tid, got)
		}
	}
	if got, _ := h.Model.Who(kernel.Claim{CPU: 1, TID: 8}); got != 8 {
		t.Errorf("on a CPU of which nothing is known thread 8 is said to be %d", got)
	}
}
