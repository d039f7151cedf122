package history_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
)

// verifyTotals compares statistics over a selection, and what is alive in it,
// with a sum over the list of all intervals.
func verifyTotals(ctx context.Context, t *rapid.T, h *history.History, all []history.Interval, qs []attribute.Quark, begin, end int64) {
	totals, err := h.Totals(ctx, qs, begin, end)
	if err != nil {
		t.Fatal(err)
	}
	alive, err := h.Alive(ctx, qs, begin, end)
	if err != nil {
		t.Fatal(err)
	}
	var wantAlive []attribute.Quark
	for i, q := range qs {
		want := make(map[history.Value]history.Total)
		for _, iv := range all {
			if time := min(iv.End, end) - max(iv.Start, begin); iv.Quark == q && time > 0 {
				sum := want[iv.Value]
				want[iv.Value] = history.Total{Value: iv.Value, Time: sum.Time + time, Count: sum.Count + 1}
			}
		}
		got := make(map[history.Value]history.Total)
		for _, total := range totals[i] {
			got[total.Value] = total
		}
		if len(got) != len(totals[i]) || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("totals of %d from %d to %d: got %v, want %v", q, begin, end, totals[i], want)
		}
		delete(want, history.Null())
		if len(want) > 0 {
			wantAlive = append(wantAlive, q)
		}
	}
	if !slices.Equal(alive, wantAlive) {
		t.Fatalf("alive from %d to %d: got %v, want %v", begin, end, alive, wantAlive)
	}
}

// verifySampled looks at every sampled instant.
func verifySampled(ctx context.Context, t *rapid.T, h *history.History, all []history.Interval, qs []attribute.Quark, begin, end, every int64) {
	holds := func(iv history.Interval) bool {
		from, to := max(iv.Start, begin), min(iv.End, end)
		if from >= to {
			return false
		}
		n := (from - begin + every - 1) / every
		return begin+n*every < to
	}
	var want, got []history.Interval
	for _, iv := range all {
		if holds(iv) {
			want = append(want, iv)
		}
	}
	if err := h.Sampled(ctx, qs, begin, end, every, func(iv history.Interval) bool { got = append(got, iv); return true }); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, want) {
		t.Fatalf("sampled from %d to %d every %d:\n got %v\nwant %v", begin, end, every, got, want)
	}
}

// changes are those intervals of an attribute that begin with another value than there was. Before its first one it was null.
func changes(all []history.Interval, q attribute.Quark, start int64) (of []history.Interval) {
	var before history.Value
	for _, iv := range all {
		if iv.Quark == q {
			if iv.Start > start && iv.Value != before {
				of = append(of, iv)
			}
			before = iv.Value
		}
	}
	return of
}

// verifyChanges walks forward and backward from an instant.
func verifyChanges(ctx context.Context, t *rapid.T, h *history.History, all []history.Interval, q attribute.Quark, at, start, end int64) {
	of := changes(all, q, start)
	wants := map[string]func(history.Value) bool{
		"any": nil, "text": history.Value.IsString, "never": func(history.Value) bool { return false },
	}
	for name, want := range wants {
		fits := func(iv history.Interval) bool { return want == nil || want(iv.Value) }
		next := slices.IndexFunc(of, func(iv history.Interval) bool { return iv.Start > at && fits(iv) })
		got, ok, err := h.NextChange(ctx, q, at, want)
		if err != nil || ok != (next >= 0) || ok && got != of[next] {
			t.Fatalf("next %s change of %d after %d: %v, %t, %v, want %d of %v", name, q, at, got, ok, err, next, of)
		}
		previous := -1
		for i, iv := range of {
			if iv.Start < at && fits(iv) {
				previous = i
			}
		}
		got, ok, err = h.PreviousChange(ctx, q, at, want)
		if err != nil || ok != (previous >= 0) || ok && got != of[previous] {
			t.Fatalf("previous %s change of %d before %d: %v, %t, %v, want %d of %v", name, q, at, got, ok, err, previous, of)
		}
	}
	if _, ok, err := h.NextChange(ctx, q, end, nil); ok || err != nil {
		t.Fatalf("a change after the end: %v", err)
	}
}

// Stacks and counters are what slices and numbers would be, at every instant.
func TestStacksAndCounters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, err := history.Create(new(historytest.Memory), 0, history.Options{NodeSize: 512, MaxChildren: 3})
		if err != nil {
			t.Fatal(err)
		}
		stack, counter := w.Attributes().Path("Calls"), w.Attributes().Path("Bytes")
		type moment struct {
			stack []int64
			count int64
		}
		var past []moment
		var now moment
		steps := rapid.SliceOfN(rapid.IntRange(0, 5), 1, 400).Draw(t, "steps")
		for i, step := range steps {
			at := int64(i)
			switch step {
			case 0, 1:
				now.stack = append(slices.Clone(now.stack), at)
				err = w.Push(at, stack, history.Int(at))
			case 2, 3:
				v, ok, e := w.Pop(at, stack)
				if err = e; ok != (len(now.stack) > 0) {
					t.Fatalf("pop of %v: %t", now.stack, ok)
				}
				if ok {
					top := len(now.stack) - 1
					if v != history.Int(now.stack[top]) {
						t.Fatalf("popped %v of %v", v, now.stack)
					}
					now.stack = now.stack[:top]
				}
			case 4:
				now.count += 3
				err = w.Increment(at, counter, 3)
			case 5:
				now.count--
				err = w.Increment(at, counter, -1)
			}
			if err != nil {
				t.Fatal(err)
			}
			past = append(past, now)
		}
		if err := w.Finish(int64(len(steps))); err != nil {
			t.Fatal(err)
		}
		for i, m := range past {
			get := func(q attribute.Quark) history.Value {
				iv, err := w.History().Point(context.Background(), q, int64(i))
				if err != nil {
					t.Fatal(err)
				}
				return iv.Value
			}
			if n, _ := get(stack).Int(); n != int64(len(m.stack)) {
				t.Fatalf("at %d the stack is %d deep, want %v", i, n, m.stack)
			}
			for k, q := range w.Attributes().Children(stack) {
				want := history.Null()
				if k < len(m.stack) {
					want = history.Int(m.stack[k])
				}
				if got := get(q); got != want {
					t.Fatalf("at %d element %d is %v, want %v", i, k+1, got, want)
				}
			}
			if n, _ := get(counter).Int(); n != m.count {
				t.Fatalf("at %d the counter is %d, want %d", i, n, m.count)
			}
		}
	})
}

// A pattern removes what it matches and all below it, and nothing else.
func TestRemoveAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, err := history.Create(new(historytest.Memory), 0, history.Options{NodeSize: 512})
		if err != nil {
			t.Fatal(err)
		}
		tree := w.Attributes()
		name := rapid.SampledFrom([]string{"a", "ab", "b"})
		for range rapid.IntRange(1, 30).Draw(t, "attributes") {
			q := tree.Path(rapid.SliceOfN(name, 1, 3).Draw(t, "path")...)
			if err := w.Modify(1, q, history.Int(int64(q)+1)); err != nil {
				t.Fatal(err)
			}
		}
		pattern := rapid.SampledFrom([]string{"a", "a*", "*/b", "a/*", "**/ab", "*b/a/*", "c"}).Draw(t, "pattern")
		gone := make(map[attribute.Quark]bool)
		for _, q := range tree.Match(pattern) {
			gone[q] = true
		}
		if err := w.RemoveAll(2, pattern); err != nil {
			t.Fatal(err)
		}
		for q := range attribute.Quark(tree.Len()) {
			gone[q] = gone[q] || gone[tree.Parent(q)] // parents come first
			v, since := w.Ongoing(q)
			if gone[q] && (!v.IsNull() || since == 1) || !gone[q] && since == 2 {
				t.Fatalf("%s removed from %s: %v since %d", pattern, tree.Full(q), v, since)
			}
		}
	})
}

// A stack that is only pushed makes no attributes without end, and pops still match.
func TestDeepStack(t *testing.T) {
	w, err := history.Create(new(historytest.Memory), 0, history.Options{})
	if err != nil {
		t.Fatal(err)
	}
	q := w.Attributes().Path("Calls")
	const depth = history.MaxStack + 100
	for i := range int64(depth) {
		if err := w.Push(i, q, history.Int(i)); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(w.Attributes().Children(q)); n != history.MaxStack {
		t.Errorf("%d elements are kept", n)
	}
	for i := int64(depth) - 1; i >= 0; i-- {
		v, ok, err := w.Pop(depth, q)
		want := history.Int(i)
		if i >= history.MaxStack {
			want = history.Null()
		}
		if err != nil || !ok || v != want {
			t.Fatalf("element %d: %v, %t, %v", i, v, ok, err)
		}
	}
}

// What holds no number cannot count, nor be as deep as that.
func TestOperationsRefuse(t *testing.T) {
	w, err := history.Create(new(historytest.Memory), 0, history.Options{})
	if err != nil {
		t.Fatal(err)
	}
	q := w.Attributes().Path("Name")
	if err := w.Modify(0, q, w.Text([]byte("x"))); err != nil {
		t.Fatal(err)
	}
	_, _, pop := w.Pop(1, q)
	for what, err := range map[string]error{
		"increment": w.Increment(1, q, 1), "push": w.Push(1, q, history.Int(1)), "pop": pop,
		"push nowhere": w.Push(1, 99, history.Int(1)),
	} {
		if err == nil || !strings.Contains(err.Error(), "attribute") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if v, since := w.Ongoing(q); !v.IsString() || since != 0 {
		t.Errorf("the attribute has become %v at %d", v, since)
	}
}

// A range before the history has nothing, however far apart the instants are.
func TestSampledBefore(t *testing.T) {
	const start = 1 << 62
	w, err := history.Create(new(historytest.Memory), start, history.Options{})
	if err != nil {
		t.Fatal(err)
	}
	q := w.Attributes().Path("a")
	if err := w.Finish(start + 10); err != nil {
		t.Fatal(err)
	}
	for _, every := range []int64{1, 3, math.MaxInt64} {
		err := w.History().Sampled(context.Background(), []attribute.Quark{q}, start-10, start-5, every, func(iv history.Interval) bool {
			t.Errorf("every %d: %v", every, iv)
			return false
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
