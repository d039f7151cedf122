package query_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"synchroscope/state/history"
	"synchroscope/state/kernel"
	"synchroscope/state/kernel/kerneltest"
	"synchroscope/state/query"
)

const interrupted = `
1 cpu=0 sched_switch prev_comm="swapper/0" prev_tid=0 prev_prio=20 prev_state=0 next_comm="a" next_tid=10 next_prio=39
2 cpu=0 syscall_entry_read fd=0
3 cpu=0 irq_softirq_entry vec=3
4 cpu=0 irq_handler_entry irq=31 name="virtio0"
5 cpu=0 irq_handler_exit irq=31 ret=1
6 cpu=0 irq_softirq_exit vec=3
7 cpu=0 sched_switch prev_comm="a" prev_tid=10 prev_prio=39 prev_state=1 next_comm="swapper/0" next_tid=0 next_prio=20
8 cpu=0 sched_process_exit comm="a" tid=10 prio=39
`

func TestAt(t *testing.T) {
	h := kerneltest.Run(t, interrupted).Writer.History()
	thread := h.Attributes().Lookup("Threads", "10")
	in := func(status kernel.Status, begin, end int64, syscall, irq string, cpu int32) query.Detail {
		return query.Detail{
			Known: true, Status: uint8(status), Begin: begin * 1e9, End: end * 1e9,
			Syscall: syscall, CPU: cpu, LastCPU: -1, Priority: 39, Name: "a", Interrupt: irq,
		}
	}
	before := in(kernel.Unknown, 0, 1, "", "", -1)
	before.Priority = query.NoPriority
	asleep := in(kernel.Blocked, 7, 8, "read", "", -1)
	asleep.LastCPU = 0
	unknown := query.Detail{CPU: -1, LastCPU: -1, Priority: query.NoPriority}
	for at, want := range map[float64]query.Detail{
		-1:  unknown,
		0.5: before,
		1.5: in(kernel.User, 1, 2, "", "", 0),
		2.5: in(kernel.Syscall, 2, 3, "read", "", 0),
		3.5: in(kernel.Interrupted, 3, 6, "read", "softirq 3 NET_RX", 0),
		4.5: in(kernel.Interrupted, 3, 6, "read", "irq 31 virtio0", 0),
		7.5: asleep,
		9.5: unknown,
	} {
		got, err := query.At(context.Background(), h, thread, int64(at*1e9))
		if err != nil {
			t.Errorf("at %v: %v", at, err)
		}
		if got != want {
			t.Errorf("at %v: %+v, want %+v", at, got, want)
		}
	}
}

func TestAll(t *testing.T) {
	h := kerneltest.Run(t, interrupted).Writer.History()
	list := func(pattern string, at int64) string {
		t.Helper()
		all, err := query.All(context.Background(), h, pattern, at)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, a := range all {
			fmt.Fprintf(&b, "%s=%v ", a.Path, a.Value)
		}
		return strings.TrimSpace(b.String())
	}
	for _, c := range []struct{ pattern, want string }{
		{"Threads/*/System_call", "Threads/10/System_call=read"},
		{"CPUs/*", "CPUs/0=5"},
		{"*/31", "IRQs/31=2"},
		{"Threads/10/*", "Threads/10/CPU=0 Threads/10/Exit=<nil> Threads/10/Name=a Threads/10/Priority=39 Threads/10/Sleep=<nil> Threads/10/System_call=read"},
		{"Nobody/*", ""},
	} {
		if got := list(c.pattern, 4.5e9); got != c.want {
			t.Errorf("%q: %s, want %s", c.pattern, got, c.want)
		}
	}
	if _, err := query.All(context.Background(), h, "", 1e12); err == nil {
		t.Error("a time behind the history is no error")
	}
}

// Many attributes are found by one pass: it must find what single questions find,
// the never changed too, in the same order.
func TestAllMany(t *testing.T) {
	host := kerneltest.New(t, 0, history.Options{NodeSize: 512})
	w := host.Writer
	for i := range 200 {
		q := w.Attributes().Path("Many", fmt.Sprint(i*7%200))
		if i%3 == 0 {
			continue
		}
		if err := w.Modify(int64(i), q, history.Int(int64(i))); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Finish(300); err != nil {
		t.Fatal(err)
	}
	for _, at := range []int64{0, 100, 299} {
		all, err := query.All(context.Background(), w.History(), "Many/*", at)
		if err != nil || len(all) != 200 {
			t.Fatalf("at %d: %d attributes, %v", at, len(all), err)
		}
		for i, a := range all {
			if want := fmt.Sprintf("Many/%d", i); a.Path != want {
				t.Fatalf("at %d: place %d is %s, want %s", at, i, a.Path, want)
			}
			one, err := query.All(context.Background(), w.History(), a.Path, at)
			if err != nil || len(one) != 1 || one[0] != a {
				t.Fatalf("at %d: %+v among many, %+v alone, %v", at, a, one, err)
			}
		}
	}
}
