package kernel_test

import (
	"testing"

	"synchroscope/state/history"
	"synchroscope/state/kernel/kerneltest"
)

// What a loss leaves unknown to the end is told, with the first place; what was never known is not,
// nor what an event has told since.
func TestDoubted(t *testing.T) {
	for name, c := range map[string]struct{ more, want string }{
		"no loss": {"6 cpu=0 sched_waking comm=\"a\" tid=10 prio=20 target_cpu=0\n", ""},
		"one CPU": {
			"lost cpu=0 7 8\n",
			"events were lost, and none after that tells what became of 2 threads and 1 CPU; the first is Threads/10, unknown from 00:00:07.000\u202f000\u202f000 on by its host's clock (UTC)",
		},
		"told since": {
			"lost cpu=0 7 8\n" + `9 cpu=0 sched_switch prev_comm="b" prev_tid=11 prev_prio=20 prev_state=1 next_comm="swapper/0" next_tid=0 next_prio=20` + "\n",
			"events were lost, and none after that tells what became of 1 thread; the first is Threads/10, unknown from 00:00:07.000\u202f000\u202f000 on by its host's clock (UTC)",
		},
		"another CPU, never heard of": {
			"lost cpu=3 7 8\n",
			"events were lost, and none after that tells what became of 1 thread; the first is Threads/10, unknown from 00:00:07.000\u202f000\u202f000 on by its host's clock (UTC)",
		},
	} {
		steps, end := kerneltest.Parse(t, twoThreads+c.more)
		h := kerneltest.New(t, 0, history.Options{})
		for _, s := range steps {
			h.Take(t, s)
		}
		h = h.Restart(t)
		if err := h.Model.Advance(end); err != nil {
			t.Fatal(err)
		}
		got, ok := h.Model.Doubted()
		if got.Message != c.want || ok != (c.want != "") || ok && got.Kind != "unknown-to-the-end" {
			t.Errorf("%s: %v, %+v", name, ok, got)
		}
	}
}

// What a thread does that was made where switches are not recorded no loss has made unknown.
func TestDoubtedWithoutSwitches(t *testing.T) {
	steps, end := kerneltest.Parse(t, `1 cpu=0 sched_process_fork parent_comm="a" parent_tid=10 parent_pid=10 child_comm="b" child_tid=11 child_pid=11
lost cpu=0 2 3
`)
	h := kerneltest.New(t, 0, history.Options{})
	h.Recorded("sched_process_fork")
	for _, s := range steps {
		h.Take(t, s)
	}
	if err := h.Model.Advance(end); err != nil {
		t.Fatal(err)
	}
	if got, ok := h.Model.Doubted(); ok {
		t.Errorf("%+v", got)
	}
}
