package kernel_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/internal/raced"
	"synchroscope/state/history"
	"synchroscope/state/kernel"
	"synchroscope/state/kernel/kerneltest"
	"synchroscope/trace"
	"synchroscope/trace/tracetest"
)

// A draw chooses one of n, 0 to n-1.
type draw func(what string, n int) int

func among[T any](d draw, what string, of ...T) T { return of[d(what, len(of))] }

// anEvent draws an event that need not make sense, of few threads, so that ids come again, and what is about one that has ended comes
// as often as not.
func anEvent(d draw) string {
	tid := func(what string) int { return 1 + d(what, 5) }
	or0 := func(what string) int { return d(what, 6) }
	cpu := d("nr", cpus)
	name := among(d, "name", "a", "b", "", "kthreadd")
	prio := among(d, "prio", 20, 21)
	state := among(d, "state", 0, 1, 2, 4, 32, 32, 128, 256, 1026)
	child := tid("child")
	pid := among(d, "pid", child, child, 1)
	return among(d, "event",
		fmt.Sprintf(`sched_switch prev_comm=%q prev_tid=%d prev_prio=%d prev_state=%d next_comm=%q next_tid=%d next_prio=%d`, name, or0("prev"), prio, state, name, or0("next"), prio),
		fmt.Sprintf(`sched_waking comm=%q tid=%d prio=20 target_cpu=%d`, name, tid("waking"), cpu),
		fmt.Sprintf(`sched_wakeup comm=%q tid=%d prio=20 target_cpu=%d`, name, tid("woken"), cpu),
		fmt.Sprintf(`sched_migrate_task comm="t" tid=%d prio=20 orig_cpu=0 dest_cpu=%d`, tid("moved"), cpu),
		fmt.Sprintf(`sched_pi_setprio comm="t" tid=%d oldprio=20 newprio=%d`, tid("lent"), prio),
		fmt.Sprintf(`sched_process_fork parent_comm="a" parent_tid=%d parent_pid=1 child_comm=%q child_tid=%d child_pid=%d`, or0("parent"), name, child, pid),
		fmt.Sprintf(`sched_process_fork parent_comm="a" parent_tid=%d parent_pid=1 child_comm=%q child_tid=%d child_pid=%d vtids=[%d,%d] child_ns_inum=7 parent_ns_inum=7`, or0("parent"), name, child, pid, child, child+1),
		fmt.Sprintf(`sched_process_exec filename="/%s" tid=%d old_tid=%d`, name, tid("heir"), tid("old")),
		fmt.Sprintf(`sched_process_exit comm="t" tid=%d prio=20`, tid("exit")),
		fmt.Sprintf(`sched_process_free comm="t" tid=%d prio=20`, tid("free")),
		fmt.Sprintf(`sched_process_free comm="t" tid=%d prio=20`, child),
		fmt.Sprintf(`lttng_statedump_process_state tid=%d vtid=%d pid=%d ppid=1 name=%q type=%d status=%d ns_level=1 ns_inum=7`, tid("told"), tid("vtid"), pid, name, cpu&1, among(d, "dumped", 2, 4, 5)),
		fmt.Sprintf(`syscall_entry_openat filename="/f%d" | tid=%d`, cpu, tid("caller")),
		fmt.Sprintf(`syscall_exit_openat ret=%d | tid=%d`, -cpu, tid("caller")),
		fmt.Sprintf(`syscall_entry_read fd=0 | tid=%d`, tid("caller")),
		fmt.Sprintf(`syscall_exit_read ret=8 | tid=%d`, tid("caller")),
		`power_cpu_idle state=1 cpu_id=0`,
		`power_cpu_idle state=4294967295 cpu_id=0`,
		`irq_softirq_entry vec=1`,
		`irq_softirq_exit vec=1`,
	)
}

// recordings are the names of events that a trace can have; "" tells nobody.
var recordings = []string{
	"",
	"sched_waking sched_pi_setprio sched_process_fork sched_process_exec sched_process_exit sched_process_free syscall_entry_read syscall_exit_read syscall_entry_openat",
	"sched_switch sched_wakeup sched_process_fork sched_process_exit syscall_entry_read syscall_exit_read lttng_statedump_process_state",
	"sched_wakeup sched_migrate_task sched_process_fork sched_process_exec sched_process_free syscall_entry_openat syscall_exit_openat syscall_entry_read syscall_exit_read lttng_statedump_process_state power_cpu_idle",
}

// A lone is a run of the model in which threads stay at hand, are let go of at once, or are so and the model starts anew now and then.
type lone struct {
	h            *kerneltest.Host
	keep, resume bool
}

func (l *lone) start(t *testing.T, recorded string) {
	l.h = kerneltest.New(t, 0, history.Options{NodeSize: 512})
	if recorded != "" {
		l.h.Recorded(recorded)
	}
	l.hurry()
}

func (l *lone) hurry() {
	if !l.keep {
		l.h.Model.LetGoAtOnce()
	}
}

// Which threads are let go of when changes nothing, whatever comes: events about threads that have ended, ids that are used again at once,
// ends and losses that are not seen, and starting anew.
func TestLettingGoChangesNothing(t *testing.T) {
	raced.Alone(t)
	rapid.Check(t, func(rt *rapid.T) {
		draw := func(what string, n int) int { return rapid.IntRange(0, n-1).Draw(rt, what) }
		recorded := among(draw, "recorded", recordings...)
		lettingGo(t, rt, recorded, recorded, 1+draw("steps", 80), draw)
	})
}

// So it is where any events come, but some never do. What rapid draws is more often short, and the first of what there is.
func TestLettingGoChangesNothingOfSomeEvents(t *testing.T) {
	raced.Alone(t)
	var all []string
	for _, names := range recordings {
		all = append(all, strings.Fields(names)...)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 0))
		some := strings.Join(slices.DeleteFunc(slices.Clone(all), func(string) bool { return r.IntN(2) == 0 }), " ")
		told := some
		if r.IntN(2) == 0 {
			told = ""
		}
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			lettingGo(t, t, told, some, 120, func(_ string, n int) int { return r.IntN(n) })
		})
	}
}

// lettingGo draws a recording of so many steps at most, of some events, or any if some is empty. told is what the model is told that there are.
func lettingGo(t *testing.T, failure interface{ Fatalf(string, ...any) }, told, some string, steps int, d draw) {
	var source tracetest.Source
	runs := []*lone{{keep: true}, {}, {resume: true}}
	for _, l := range runs {
		l.start(t, told)
	}
	now := int64(1000)
	for range steps {
		now += among(d, "later", int64(0), 1000, 3_000_000, 25_000_000)
		cpu := int32(d("cpu", cpus))
		var s kerneltest.Step
		var claim *kernel.Claim
		switch d("step", 21) {
		case 0:
			s = kerneltest.Step{CPU: cpu, Begin: now - 500, End: now + among(d, "dark", int64(0), 5000)}
		case 1:
			claim = &kernel.Claim{CPU: cpu, TID: 1 + int64(d("vtid", 6)), PID: int64(d("vpid", 3)), NS: among(d, "ns", int64(0), 7), Name: []byte("a")}
		case 2:
			runs[2].h = runs[2].h.Restart(t)
			runs[2].hurry()
			continue
		default:
			event := ""
			for range 20 {
				event = anEvent(d)
				if name, _, _ := strings.Cut(event, " "); some == "" || slices.Contains(strings.Fields(some), name) {
					break
				}
				event = ""
			}
			if event == "" {
				continue
			}
			ev, err := source.Event(fmt.Sprintf("%d.%09d cpu=%d %s", now/1e9, now%1e9, cpu, event))
			if err != nil {
				failure.Fatalf("%v", err)
			}
			s.Event = ev
		}
		var who []string
		for _, l := range runs {
			if claim != nil {
				tid, only := l.h.Model.Who(*claim)
				who = append(who, fmt.Sprint(tid, only))
			} else {
				l.h.Take(t, s)
			}
		}
		if claim != nil && (who[1] != who[0] || who[2] != who[0]) {
			failure.Fatalf("who it was is said to be %q", who)
		}
	}
	var want string
	for i, l := range runs {
		got := finished(t, l.h, now+1e9)
		if i == 0 {
			want = got
		} else if got != want {
			failure.Fatalf("run %d comes to\n%s\nthe first to\n%s", i, got, want)
		}
	}
}

// finished ends a run, and tells all that it came to.
func finished(t *testing.T, h *kerneltest.Host, end int64) string {
	t.Helper()
	if err := h.Model.Conclude(end - 1); err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, doubt := range []func() (trace.Anomaly, bool){h.Model.Sifted, h.Model.Halved, h.Model.Missing, h.Model.Doubted} {
		if a, ok := doubt(); ok {
			told = append(told, a.Message)
		}
	}
	h.Finish(t, end)
	return h.Dump(t) + h.Rows() + strings.Join(told, "\n")
}
