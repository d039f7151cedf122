package query_test

import (
	"context"
	"testing"

	"synchroscope/state/history"
	"synchroscope/state/kernel"
	"synchroscope/state/kernel/kerneltest"
	"synchroscope/state/query"
)

const woken = `
1 cpu=0 sched_switch prev_comm="swapper/0" prev_tid=0 prev_prio=20 prev_state=0 next_comm="a" next_tid=10 next_prio=20
1 cpu=1 sched_switch prev_comm="swapper/1" prev_tid=0 prev_prio=20 prev_state=0 next_comm="b" next_tid=20 next_prio=20
2 cpu=0 sched_switch prev_comm="a" prev_tid=10 prev_prio=20 prev_state=2 next_comm="swapper/0" next_tid=0 next_prio=20
2.95 cpu=1 syscall_entry_kill pid=10 sig=1
3 cpu=1 sched_waking comm="a" tid=10 prio=20 target_cpu=0
4 cpu=0 sched_wakeup comm="a" tid=10 prio=20 target_cpu=0
5 cpu=0 sched_switch prev_comm="swapper/0" prev_tid=0 prev_prio=20 prev_state=0 next_comm="a" next_tid=10 next_prio=20
6 cpu=0 sched_switch prev_comm="a" prev_tid=10 prev_prio=20 prev_state=1 next_comm="swapper/0" next_tid=0 next_prio=20
7 cpu=1 irq_handler_entry irq=31 name="virtio0"
8 cpu=1 sched_waking comm="a" tid=10 prio=20 target_cpu=0
9 cpu=1 irq_handler_exit irq=31 ret=1
10 cpu=0 sched_switch prev_comm="swapper/0" prev_tid=0 prev_prio=20 prev_state=0 next_comm="a" next_tid=10 next_prio=20
11 cpu=0 sched_switch prev_comm="a" prev_tid=10 prev_prio=20 prev_state=1 next_comm="swapper/0" next_tid=0 next_prio=20
12 cpu=1 sched_switch prev_comm="b" prev_tid=20 prev_prio=20 prev_state=1 next_comm="swapper/1" next_tid=0 next_prio=20
`

// wokenAt is who ended what thread 10 slept in at so many seconds.
func wokenAt(t *testing.T, h *history.History, at float64) *query.Wakeup {
	t.Helper()
	ctx := context.Background()
	d, err := query.At(ctx, h, h.Attributes().Lookup("Threads", "10"), int64(at*1e9))
	if err != nil {
		t.Fatal(err)
	}
	got, err := query.WokenFrom(ctx, h, 10, d)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// Who ended a sleep is told from anywhere within it, and of what is no sleep nothing.
func TestWokenFrom(t *testing.T) {
	h := kerneltest.Run(t, woken).Writer.History()
	for at, want := range map[float64]*query.Wakeup{
		1.5:  nil,
		2:    {Sleep: kernel.Uninterruptible, How: "thread", TID: 20, Name: "b"},
		2.9:  {Sleep: kernel.Uninterruptible, How: "thread", TID: 20, Name: "b"},
		3.5:  nil,
		7.5:  {Sleep: kernel.Interruptible, How: "irq 31"},
		11.5: {Sleep: kernel.Interruptible},
	} {
		got := wokenAt(t, h, at)
		if (got == nil) != (want == nil) || got != nil && *got != *want {
			t.Errorf("at %v: %+v, want %+v", at, got, want)
		}
	}
}

const timed = `
1 cpu=0 sched_switch prev_comm="swapper/0" prev_tid=0 prev_prio=20 prev_state=0 next_comm="a" next_tid=10 next_prio=20
1 cpu=1 sched_switch prev_comm="swapper/1" prev_tid=0 prev_prio=20 prev_state=0 next_comm="b" next_tid=20 next_prio=20
1.1 cpu=1 syscall_entry_read fd=3
2 cpu=0 syscall_entry_clock_nanosleep which_clock=1
2.1 cpu=0 sched_switch prev_comm="a" prev_tid=10 prev_prio=20 prev_state=1 next_comm="swapper/0" next_tid=0 next_prio=20
3 cpu=0 irq_softirq_entry vec=3
3.1 cpu=0 net_if_receive_skb skbaddr=1 len=52 name="eth0"
3.2 cpu=0 sched_waking comm="a" tid=10 prio=20 target_cpu=0
3.3 cpu=0 irq_softirq_exit vec=3
3.4 cpu=0 sched_switch prev_comm="swapper/0" prev_tid=0 prev_prio=20 prev_state=0 next_comm="a" next_tid=10 next_prio=20
3.5 cpu=0 syscall_exit_clock_nanosleep ret=0
4 cpu=0 syscall_entry_clock_nanosleep which_clock=1
4.1 cpu=0 sched_switch prev_comm="a" prev_tid=10 prev_prio=20 prev_state=1 next_comm="swapper/0" next_tid=0 next_prio=20
5 cpu=1 sched_waking comm="a" tid=10 prio=20 target_cpu=0
5.1 cpu=0 sched_switch prev_comm="swapper/0" prev_tid=0 prev_prio=20 prev_state=0 next_comm="a" next_tid=10 next_prio=20
5.2 cpu=0 syscall_exit_clock_nanosleep ret=0
6 cpu=0 syscall_entry_clock_nanosleep which_clock=1
6.1 cpu=0 sched_switch prev_comm="a" prev_tid=10 prev_prio=20 prev_state=1 next_comm="swapper/0" next_tid=0 next_prio=20
6.9 cpu=1 syscall_exit_read ret=1
7 cpu=1 syscall_entry_kill pid=10 sig=1
7.1 cpu=1 sched_waking comm="a" tid=10 prio=20 target_cpu=0
7.2 cpu=0 sched_switch prev_comm="swapper/0" prev_tid=0 prev_prio=20 prev_state=0 next_comm="a" next_tid=10 next_prio=20
7.3 cpu=0 syscall_exit_clock_nanosleep ret=-516
8 cpu=0 syscall_entry_pause
8.1 cpu=0 sched_switch prev_comm="a" prev_tid=10 prev_prio=20 prev_state=1 next_comm="swapper/0" next_tid=0 next_prio=20
9 cpu=0 irq_softirq_entry vec=9
9.1 cpu=0 sched_waking comm="a" tid=10 prio=20 target_cpu=0
9.2 cpu=0 irq_softirq_exit vec=9
9.3 cpu=0 sched_switch prev_comm="swapper/0" prev_tid=0 prev_prio=20 prev_state=0 next_comm="a" next_tid=10 next_prio=20
9.4 cpu=0 syscall_exit_pause ret=-514
10 cpu=0 syscall_entry_clock_nanosleep which_clock=1
10.1 cpu=0 sched_switch prev_comm="a" prev_tid=10 prev_prio=20 prev_state=1 next_comm="swapper/0" next_tid=0 next_prio=20
11 cpu=1 sched_waking comm="a" tid=10 prio=20 target_cpu=0
12 cpu=0 sched_switch prev_comm="swapper/0" prev_tid=0 prev_prio=20 prev_state=0 next_comm="a" next_tid=10 next_prio=20
`

// A sleep that went on until its time was over a timer ended, in whatever that was; one that a signal cut short, who sent that. While the call
// is not over, it is who the CPU says.
func TestWokenInTime(t *testing.T) {
	h := kerneltest.Run(t, timed).Writer.History()
	for at, want := range map[float64]query.Wakeup{
		2.5:  {Sleep: kernel.Interruptible, How: kernel.TimeOver},
		4.5:  {Sleep: kernel.Interruptible, How: kernel.TimeOver},
		6.5:  {Sleep: kernel.Interruptible, How: "thread", TID: 20, Name: "b"},
		8.5:  {Sleep: kernel.Interruptible, How: kernel.TimerOrSignal},
		10.5: {Sleep: kernel.Interruptible, How: "thread", TID: 20, Name: "b"},
	} {
		got := wokenAt(t, h, at)
		if got == nil || *got != want {
			t.Errorf("at %v: %+v, want %+v", at, got, want)
		}
	}
}
