package declared_test

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/state/attribute"
	"synchroscope/state/declared"
	"synchroscope/state/kernel/kerneltest"
	"synchroscope/trace/tracetest"
)

// naive is what must be on each thread's stack, found the long way: all events again, each time.
type naive struct {
	events           []call
	lost             int // events before this one count no more
	shown, deep, all int // calls, of one thread, inside them, and of all
}

type call struct {
	tid   int64
	kind  string // "f" for functions, "l" for locks
	what  string // "" for an end that names nothing
	begin bool
}

func (n *naive) stack(tid int64) []string {
	stacks := make(map[int64][]string)
	for _, e := range n.events[n.lost:] {
		stack := stacks[e.tid]
		if e.begin {
			deep := 0
			for _, s := range stacks {
				deep += max(len(s)-n.shown, 0)
			}
			if len(stack) == n.shown+n.deep || len(stack) >= n.shown && deep == n.all {
				stack = nil
			}
			stack = append(stack, e.kind+e.what)
		} else {
			for i := len(stack) - 1; i >= 0; i-- {
				if e.what == "" && strings.HasPrefix(stack[i], e.kind) || stack[i] == e.kind+e.what {
					stack = stack[:i]
					break
				}
			}
		}
		stacks[e.tid] = stack
	}
	stack := stacks[tid]
	return stack[:min(len(stack), n.shown)]
}

// Whatever is called and returns, in whatever order and however deep, with losses and restarts, the stacks are those that
// follow from all events since the last loss.
func TestStacks(t *testing.T) {
	t.Run("as deep as is shown", func(t *testing.T) { testStacks(t, naive{shown: 256}) })
	t.Run("deeper", func(t *testing.T) {
		declared.LimitCalls(t, 2, 4, 6)
		testStacks(t, naive{shown: 2, deep: 4, all: 6})
	})
}

func testStacks(t *testing.T, limits naive) {
	t.Helper()
	d, err := declared.Parse("d", "calls f\nbegin f:in what=w\nend f:out what=w\ncalls l\nbegin l:in what=w as=blocked\nend l:out\n")
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(rt *rapid.T) {
		var source tracetest.Source
		n := limits
		h := newHost(t, d)
		for i := range rapid.IntRange(1, 60).Draw(rt, "steps") {
			switch rapid.IntRange(0, 12).Draw(rt, "step") {
			case 0:
				h.restart(t)
			case 1:
				now := int64(i) * 1e9
				h.take(t, kerneltest.Step{Begin: now - 5e8, End: now - 1})
				if err := h.model.Advance(now); err != nil {
					rt.Fatal(err)
				}
				n.lost = len(n.events)
			default:
				c := call{tid: rapid.Int64Range(1, 3).Draw(rt, "tid"), kind: rapid.SampledFrom([]string{"f", "l"}).Draw(rt, "kind"), what: strconv.Itoa(rapid.IntRange(0, 3).Draw(rt, "what")), begin: rapid.Bool().Draw(rt, "begin")}
				text := fmt.Sprintf("%d cpu=0 %s:in w=%s | vtid=%d", i, c.kind, c.what, c.tid)
				if !c.begin {
					text = fmt.Sprintf("%d cpu=0 %s:out w=%s | vtid=%d", i, c.kind, c.what, c.tid)
					if c.kind == "l" {
						c.what = ""
					}
				}
				ev, err := source.Event(text)
				if err != nil {
					rt.Fatal(err)
				}
				n.events = append(n.events, c)
				h.take(t, kerneltest.Step{Event: ev})
			}
			for tid := int64(1); tid <= 3; tid++ {
				check(rt, h, tid, n.stack(tid))
			}
		}
	})
}

func check(t *rapid.T, h *host, tid int64, want []string) {
	tree := h.Writer.Attributes()
	stack := tree.Lookup("Threads", strconv.FormatInt(tid, 10), "Stack")
	if stack == attribute.None {
		if len(want) > 0 {
			t.Fatalf("thread %d has no stack, want %q", tid, want)
		}
		return
	}
	v, _ := h.Writer.Ongoing(stack)
	if depth, _ := v.Int(); depth != int64(len(want)) {
		t.Fatalf("thread %d is %d deep, want %q", tid, depth, want)
	}
	for i, q := range tree.Children(stack) {
		v, _ := h.Writer.Ongoing(q)
		label := ""
		if i < len(want) {
			label = want[i][1:]
		}
		if got := h.Writer.History().String(v); v.IsString() != (i < len(want)) || v.IsString() && got != label {
			t.Fatalf("thread %d, level %d: %q, want %q", tid, i+1, got, label)
		}
	}
}

// A damaged state is refused, whatever is damaged, and never panics.
func TestRestoreDamaged(t *testing.T) {
	d, err := declared.Parse("d", "spans s\nbegin on id=n\nend off id=n\n")
	if err != nil {
		t.Fatal(err)
	}
	h := run(t, d, "1 cpu=0 lttng_ust_cyg_profile:func_entry addr=1 | vtid=1 vpid=1 procname=\"a\"\n2 cpu=0 on n=1\n")
	state := h.model.AppendState(nil)
	for i := range state {
		flipped := []byte(string(state))
		flipped[i] ^= 0xff
		for _, damaged := range [][]byte{state[:i], flipped} {
			fresh := newHost(t, d)
			if err := fresh.model.Restore(bytes.NewReader(damaged)); err == nil && len(damaged) < len(state) {
				t.Errorf("a state cut after %d of %d bytes was taken", i, len(state))
			}
			if _, _, err := declared.Rows(bytes.NewReader(damaged)); err != nil && !strings.Contains(err.Error(), "checkpoint") {
				t.Errorf("the error %q does not name the checkpoint", err)
			}
		}
	}
}
