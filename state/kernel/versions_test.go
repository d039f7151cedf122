package kernel_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"synchroscope/state/history"
	"synchroscope/state/kernel"
	"synchroscope/state/kernel/kerneltest"
)

// format3 is the state after the first events of inside as format 3 has it, which knew of the lines served only the last.
const format3 = "\x03\x00\x00\x80\xa0\xd9\xe6\x1d\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00\x00\x00\x02\x020\x00\x022\x00\x01\x00\x01\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x06\xa0\x06\x00\x00\x02\x00\x02\x01\x02\x00\x00\x00\x00\x00\x00"

// format7 is the same as format 7 has it, which counted no packets.
const format7 = "\a\x00\x00\x80\xa0\xd9\xe6\x1d\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00\x00\x00\x02\x020\x00\x022\x00\x01\x00\x01\x01\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x06\xa0\x06\x00\x00\x02\x00\x02\x01\x02\x02\x01\x00\x00\x01\x01\x00\x00\x00\x00\x00\x00"

const inside = `
1 cpu=0 irq_handler_entry irq=24 name="ahci"
2 cpu=0 irq_handler_entry irq=25 name="nvme"
3 cpu=0 irq_handler_exit irq=24 ret=1
4 cpu=0 irq_handler_entry irq=24 name="ahci"
5 cpu=0 sched_waking comm="b" tid=11 prio=20 target_cpu=1
6 cpu=0 irq_handler_exit irq=24 ret=1
7 cpu=0 sched_waking comm="c" tid=12 prio=20 target_cpu=1
`

// format6 is the state after the first 14 events of testdata/life-after.txtar as format 6 has it, which had all threads and all processes.
const format6 = "\x06\n\x02\x14\x14\n\x80\xa8ֹ\a\x00\f\n\x03two\n\n\x00\x80\xa8ֹ\a\x00\x10\x05\x02sh\x80٦\xf4\x0e\x01\x00\x01\x00\x00\x00\b\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x02\x06\b\x00\x04\x14\x04\x14\n\x03two\x00\x00\x00\n\x80\x01\x00\x00\x02sh\x00\x00\x00\x00\x00\x00\x02\x00\x02\x00\n\x00\x00\x80Ь\xf3\x0e\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00\x04\xc8\x01\x02\xc8\x01\x00\x00\x02\xc8\x01\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x80\x8b\x95\xc4\a\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00\x06\xca\x01\x00\x00\x00\x00\x02\xc8\x01\x00\x00\x00\x00\x00\x00\x00\x02\x01\x01\x00\x00\x00\x00\x01\x14\x00\x01\x14\x00\xc8\x01\x00\xc8\x01\x00\x00\x00\xc8\x01\x00\xc8\x01\x00\x00"

// An import goes on that a version left which kept at hand all threads that ever were.
func TestRestoreFormat6(t *testing.T) {
	golden, err := txtar.ParseFile("testdata/life-after.txtar")
	if err != nil {
		t.Fatal(err)
	}
	steps, end := kerneltest.Parse(t, string(golden.Files[0].Data))
	h := kerneltest.New(t, 0, history.Options{NodeSize: 1024})
	for i, s := range steps {
		if h.Take(t, s); i != 13 {
			continue
		}
		checkpoint, err := h.Writer.Checkpoint()
		if err != nil {
			t.Fatal(err)
		}
		want := h.Rows()
		if h.Writer, err = history.Resume(h.File, checkpoint); err != nil {
			t.Fatal(err)
		}
		h.Model = kernel.New(h.Writer)
		if err := h.Model.Restore(strings.NewReader(format6)); err != nil {
			t.Fatal(err)
		}
		if got := h.Rows(); got != want {
			t.Errorf("the rows are\n%s\nwant\n%s", got, want)
		}
		h = h.Restart(t)
	}
	h.Finish(t, end)
	for i, got := range []string{h.Dump(t), h.Rows()} {
		if want := string(golden.Files[1+i].Data); got != want {
			t.Errorf("the %s are\n%s\nwant\n%s", golden.Files[1+i].Name, got, want)
		}
	}
	if threads, _, err := kernel.Rows(strings.NewReader(format6)); err != nil || len(threads) != 2 {
		t.Errorf("%d rows: %v", len(threads), err)
	}
}

// An import that an earlier version left goes on.
func TestRestoreEarlier(t *testing.T) {
	for n, state := range map[int]string{3: format3, 7: format7} {
		t.Run(fmt.Sprint(n), func(t *testing.T) { restoreEarlier(t, state) })
	}
}

// goOnFrom stops a host at a checkpoint and lets it go on with a model of this state.
func goOnFrom(t *testing.T, h *kerneltest.Host, state string) {
	t.Helper()
	checkpoint, err := h.Writer.Checkpoint()
	if err != nil {
		t.Fatal(err)
	}
	if h.Writer, err = history.Resume(h.File, checkpoint); err != nil {
		t.Fatal(err)
	}
	h.Model = kernel.New(h.Writer)
	if err := h.Model.Restore(strings.NewReader(state)); err != nil {
		t.Fatal(err)
	}
}

func restoreEarlier(t *testing.T, state string) {
	t.Helper()
	steps, end := kerneltest.Parse(t, inside)
	h := kerneltest.New(t, 0, history.Options{NodeSize: 1024})
	for _, s := range steps[:4] {
		h.Take(t, s)
	}
	goOnFrom(t, h, state)
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
	if _, _, err := kernel.Rows(strings.NewReader(state)); err != nil {
		t.Error(err)
	}
}

// The format of histories says which version of the model is the newest.
func TestVersionTold(t *testing.T) {
	b, err := os.ReadFile("../../docs/format/history.md")
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("; now %d |", kernel.Version); !strings.Contains(string(b), want) {
		t.Errorf("docs/format/history.md does not say %q", want)
	}
}

// A request of an import that an earlier version left, which knew one for each sector, is completed.
func TestRestoreFormat8(t *testing.T) {
	steps, end := kerneltest.Parse(t, `
1 cpu=0 block_rq_issue dev=8388609 sector=100 nr_sector=8 bytes=4096 tid=10 rwbs=4 comm="a"
2 cpu=0 block_rq_complete dev=8388609 sector=100 nr_sector=8 error=0 rwbs=4
`)
	h := kerneltest.New(t, 0, history.Options{NodeSize: 1024})
	h.Take(t, steps[0])
	state := h.Model.AppendState(nil)
	halves := strings.Index(string(state), "\xff\xff") - 4 // ahead of the end of darkness
	if halves < 0 || string(state[halves:halves+4]) != "\x00\x00\x00\x00" {
		t.Fatalf("the state is %q", state)
	}
	state = slices.Delete(state, halves, halves+4)
	n := len(state) - 1 // of processes there are none, and of the request it is last said whether it is told of again
	if state[0] != 10 || state[n] != 0 || state[n-1] != 0 || state[n-2] != 1 {
		t.Fatalf("the state is %q", state)
	}
	before := "\x08" + string(state[1:n-1]) + string(state[n:])
	goOnFrom(t, h, before)
	h.Take(t, steps[1])
	h.Finish(t, end)
	if dump, want := h.Dump(t), "Disks/8:1: 0 -, 1 1, 2 -\n"; !strings.Contains(dump, want) {
		t.Errorf("%q is not in\n%s", want, dump)
	}
}
