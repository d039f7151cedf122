package query_test

import (
	"context"
	"testing"

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

// Who ended a sleep is told from anywhere within it, and of what is no sleep nothing.
func TestWokenFrom(t *testing.T) {
	h := kerneltest.Run(t, woken).Writer.History()
	ctx := context.Background()
	thread := h.Attributes().Lookup("Threads", "10")
	for at, want := range map[float64]*query.Wakeup{
		1.5:  nil,
		2:    {Sleep: kernel.Uninterruptible, How: "thread", TID: 20, Name: "b"},
		2.9:  {Sleep: kernel.Uninterruptible, How: "thread", TID: 20, Name: "b"},
		3.5:  nil,
		7.5:  {Sleep: kernel.Interruptible, How: "irq 31"},
		11.5: {Sleep: kernel.Interruptible},
	} {
		d, err := query.At(ctx, h, thread, int64(at*1e9))
		if err != nil {
			t.Fatal(err)
		}
		got, err := query.WokenFrom(ctx, h, 10, d)
		if err != nil {
			t.Fatal(err)
		}
		if (got == nil) != (want == nil) || got != nil && *got != *want {
			t.Errorf("at %v: %+v, want %+v", at, got, want)
		}
	}
}
