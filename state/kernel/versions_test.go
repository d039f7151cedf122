package kernel_test

import (
	"context"
	"testing"

	"synchroscope/state/history"
	"synchroscope/state/kernel"
	"synchroscope/state/kernel/kerneltest"
)

// format3 is the state after the first events of inside as format 3 has it, which knew of the lines served only the last.
const format3 = "\x03\x00\x00\x80\xa0\xd9\xe6\x1d\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00\x00\x00\x02\x020\x00\x022\x00\x01\x00\x01\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x06\xa0\x06\x00\x00\x02\x00\x02\x01\x02\x00\x00\x00\x00\x00\x00"

const inside = `
1 cpu=0 irq_handler_entry irq=24 name="ahci"
2 cpu=0 irq_handler_entry irq=25 name="nvme"
3 cpu=0 irq_handler_exit irq=24 ret=1
4 cpu=0 irq_handler_entry irq=24 name="ahci"
5 cpu=0 sched_waking comm="b" tid=11 prio=20 target_cpu=1
6 cpu=0 irq_handler_exit irq=24 ret=1
7 cpu=0 sched_waking comm="c" tid=12 prio=20 target_cpu=1
`

// An import that an earlier version left goes on.
func TestRestoreFormat3(t *testing.T) {
	steps, end := kerneltest.Parse(t, inside)
	h := kerneltest.New(t, 0, history.Options{NodeSize: 1024})
	for _, s := range steps[:4] {
		h.Take(t, s)
	}
	checkpoint, err := h.Writer.Checkpoint()
	if err != nil {
		t.Fatal(err)
	}
	if h.Writer, err = history.Resume(h.File, checkpoint); err != nil {
		t.Fatal(err)
	}
	h.Model = kernel.New(h.Writer)
	if err := h.Model.Restore([]byte(format3)); err != nil {
		t.Fatal(err)
	}
	for _, s := range steps[4:] {
		h.Take(t, s)
	}
	h.Finish(t, end)
	hist := h.Writer.History()
	for tid, want := range map[string]string{"11": "irq 24", "12": "irq 25"} {
		iv, err := hist.Point(context.Background(), hist.Attributes().Lookup("Threads", tid, "Wakeup"), end-1)
		if err != nil {
			t.Fatal(err)
		}
		if got := hist.String(iv.Value); got != want {
			t.Errorf("thread %s was woken by %q, want %q", tid, got, want)
		}
	}
	if _, _, err := kernel.Rows([]byte(format3)); err != nil {
		t.Error(err)
	}
}
