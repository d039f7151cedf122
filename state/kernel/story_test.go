package kernel_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"synchroscope/state/history"
	"synchroscope/state/kernel"
)

// A slow query is a line of the recording's own account: a process of the
// database held a lock for long, and others waited for it.
type slowQuery struct {
	holder         int32
	acquired, exit int64
	waits          map[int32]float64 // ms in flock, by waiting tid
}

// slowQueries reads the account beside the recording.
func slowQueries(t *testing.T) (all []slowQuery) {
	t.Helper()
	f, err := os.Open("testdata/shop-slow.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	line := regexp.MustCompile(`^(\d+) (\d{19}) (\d{19}) [\d.]+ [\d.]+ \| (.*)`)
	wait := regexp.MustCompile(`(\d+)\((\d+)\)`)
	for s := bufio.NewScanner(f); s.Scan(); {
		m := line.FindStringSubmatch(s.Text())
		if m == nil {
			continue
		}
		q := slowQuery{waits: make(map[int32]float64)}
		fmt.Sscan(strings.Join(m[1:4], " "), &q.holder, &q.acquired, &q.exit)
		for _, w := range wait.FindAllStringSubmatch(m[4], -1) {
			var tid int32
			var ms float64
			fmt.Sscan(w[1]+" "+w[2], &tid, &ms)
			q.waits[tid] = ms
		}
		all = append(all, q)
	}
	return all
}

// While one process works under the lock, those that wait are blocked in flock,
// for as long as the account says, and in nothing else.
func TestShopStory(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine reads the whole demonstration")
	}
	queries := slowQueries(t)
	if len(queries) != 15 {
		t.Fatalf("the account tells of %d slow queries, want 15", len(queries))
	}
	for _, traces := range recorded(t, demo) {
		if traces.Name != "db" {
			continue
		}
		h := build(t, traces, 0)
		hist := h.Writer.History()
		threads, _ := h.Model.Threads(0)
		byTID := make(map[int32]kernel.Thread)
		for _, th := range threads {
			byTID[th.TID] = th
		}
		for _, q := range queries {
			for tid, ms := range q.waits {
				checkWait(t, hist, byTID[tid], q, ms)
				checkChain(t, hist, tid, q)
			}
			holder := byTID[q.holder]
			if holder.First > q.acquired || holder.Last < q.exit {
				t.Errorf("holder %d lives from %d to %d, which is not all of %d to %d", q.holder, holder.First, holder.Last, q.acquired, q.exit)
			}
			worked := onCPU(t, hist, holder, q.acquired, q.exit)
			for _, th := range threads {
				if th.PPID == q.holder {
					worked += onCPU(t, hist, th, q.acquired, q.exit)
				}
			}
			if held := q.exit - q.acquired; worked < held/2 {
				t.Errorf("holder %d and its children run for %d of the %d ns under the lock", q.holder, worked, held)
			}
		}
		return
	}
	t.Error("the recording has no host called db")
}

// checkWait looks for the time a thread was blocked in flock.
func checkWait(t *testing.T, h *history.History, th kernel.Thread, q slowQuery, ms float64) {
	t.Helper()
	tree := h.Attributes()
	status := tree.Lookup("Threads", fmt.Sprint(th.TID))
	var inFlock []history.Interval
	intervals(t, h, func(iv history.Interval) {
		if iv.Value.IsString() && h.String(iv.Value) == "flock" {
			inFlock = append(inFlock, iv)
		}
	}, tree.Child(status, "System_call"))
	if len(inFlock) != 1 {
		t.Fatalf("thread %d is %d times in flock, want once", th.TID, len(inFlock))
	}
	call := inFlock[0]
	if took := float64(call.End-call.Start) / 1e6; took < ms-1 || took > ms+1 {
		t.Errorf("thread %d is in flock for %.1f ms, want %.0f ms", th.TID, took, ms)
	}
	var blocked int64
	intervals(t, h, func(iv history.Interval) {
		if s, ok := iv.Value.Int(); ok && kernel.Status(s) == kernel.Blocked {
			blocked += max(0, min(iv.End, call.End)-max(iv.Start, call.Start))
		}
	}, status)
	if blocked < (call.End-call.Start)*9/10 {
		t.Errorf("thread %d is blocked for %d of its %d ns in flock", th.TID, blocked, call.End-call.Start)
	}
	if call.Start >= q.exit || call.End <= q.acquired {
		t.Errorf("thread %d is in flock outside the time of holder %d", th.TID, q.holder)
	}
}

// checkChain looks for who ended the wait: the holder, when it exited, or one that waited for the
// holder before, and held the lock next.
func checkChain(t *testing.T, h *history.History, tid int32, q slowQuery) {
	t.Helper()
	var wait kernel.Waiting
	err := kernel.Waits(context.Background(), h, tid, q.acquired, q.exit, func(w kernel.Waiting) bool {
		if w.Call == "flock" {
			wait = w
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	if !wait.Ended || wait.How != "thread" || wait.Sleep != kernel.Interruptible {
		t.Fatalf("the wait of thread %d: %+v, want one that a thread ended", tid, wait)
	}
	chain, err := kernel.Chain(context.Background(), h, wait, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range chain {
		if w.Call == "flock" && w.Waker == q.holder && w.End >= q.exit && w.End < q.exit+1e9 {
			return
		}
	}
	t.Errorf("thread %d waits for the lock, and the chain %+v does not lead to holder %d", tid, chain, q.holder)
}
