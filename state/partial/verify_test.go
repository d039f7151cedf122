package partial_test

import (
	"context"
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
)

func verify(t *rapid.T, r history.Reader, events []event, end int64) {
	ctx := context.Background()
	truth := memory(t, events, end)
	if s, e := r.Bounds(); s != 100 || e != end {
		t.Fatalf("bounds %d to %d, want 100 to %d", s, e, end)
	}
	var qs []attribute.Quark
	for q := range truth.Attributes().Len() {
		qs = append(qs, attribute.Quark(q))
	}
	same := func(a, b history.Value) bool {
		return a == b && (!a.IsString() || r.String(a) == truth.String(b))
	}
	for range 5 {
		at := rapid.Int64Range(100, end-1).Draw(t, "at")
		alive := make(map[attribute.Quark]history.Value)
		for _, q := range qs {
			want, err := truth.Point(ctx, q, at)
			check(t, err)
			got, err := r.Point(ctx, q, at)
			check(t, err)
			if !same(got.Value, want.Value) || got.Start < want.Start || got.Start > at || got.End > want.End || got.End <= at {
				t.Fatalf("%s at %d: %v, want within %v", truth.Attributes().Full(q), at, got, want)
			}
			if !want.Value.IsNull() {
				alive[q] = want.Value
			}
		}
		err := r.Full(ctx, at, func(iv history.Interval) bool {
			if !iv.Value.IsNull() && alive[iv.Quark] != iv.Value || iv.Start > at || iv.End <= at {
				t.Fatalf("full at %d: %v, want %v", at, iv, alive[iv.Quark])
			}
			delete(alive, iv.Quark)
			return true
		})
		check(t, err)
		if len(alive) > 0 {
			t.Fatalf("full at %d lacks %v", at, alive)
		}
	}
	a := rapid.Int64Range(90, end).Draw(t, "a")
	b := rapid.Int64Range(a, end+10).Draw(t, "b")
	var got, want []history.Interval
	clip := func(to *[]history.Interval) func(history.Interval) bool {
		return func(iv history.Interval) bool {
			iv.Start, iv.End = max(iv.Start, a), min(iv.End, b)
			*to = append(*to, iv)
			return true
		}
	}
	check(t, r.Range(ctx, qs, a, b, clip(&got)))
	check(t, truth.Range(ctx, qs, a, b, clip(&want)))
	if !slices.Equal(got, want) {
		t.Fatalf("range %d to %d:\n got %v\nwant %v", a, b, got, want)
	}
	edges := rapid.SliceOfN(rapid.Int64Range(95, end+5), 2, 20).Draw(t, "edges")
	slices.Sort(edges)
	pixels, err := r.Pixels(ctx, qs, edges)
	check(t, err)
	expected, err := truth.Pixels(ctx, qs, edges)
	check(t, err)
	if fmt.Sprint(pixels) != fmt.Sprint(expected) {
		t.Fatalf("pixels %v:\n got %v\nwant %v", edges, pixels, expected)
	}
	verifySampled(t, r, truth, qs, a, b)
	verifyTotals(t, r, truth, qs, a, b)
	verifyChanges(t, r, truth, qs, a)
}

// verifySampled holds each instant against looking there, and that no interval comes that has none.
func verifySampled(t *rapid.T, r, truth history.Reader, qs []attribute.Quark, a, b int64) {
	ctx := context.Background()
	every := rapid.SampledFrom([]int64{1, 2, 5, 13, 1000}).Draw(t, "every")
	start, end := r.Bounds()
	want := make(map[attribute.Quark][]history.Interval)
	for _, q := range qs {
		for at := a; at < min(b, end); at += every {
			if at < start {
				continue
			}
			iv, err := truth.Point(ctx, q, at)
			check(t, err)
			want[q] = append(want[q], history.Interval{Quark: q, Start: at, Value: iv.Value})
		}
	}
	check(t, r.Sampled(ctx, qs, a, b, every, func(iv history.Interval) bool {
		n := 0
		for row := want[iv.Quark]; n < len(row) && row[n].Start < iv.End; n++ {
			if row[n].Start < iv.Start || row[n].Value != iv.Value {
				t.Fatalf("sampled every %d from %d to %d: %v, want %v", every, a, b, iv, row[n])
			}
		}
		if n == 0 {
			t.Fatalf("sampled every %d from %d to %d: %v holds no instant", every, a, b, iv)
		}
		want[iv.Quark] = want[iv.Quark][n:]
		return true
	}))
	for q, row := range want {
		if len(row) > 0 {
			t.Fatalf("sampled every %d from %d to %d: nothing of %d holds %v", every, a, b, q, row)
		}
	}
}

// verifyTotals holds times against looking at each instant, and counts against the intervals.
func verifyTotals(t *rapid.T, r, truth history.Reader, qs []attribute.Quark, a, b int64) {
	ctx := context.Background()
	totals, err := r.Totals(ctx, qs, a, b)
	check(t, err)
	alive, err := r.Alive(ctx, qs, a, b)
	check(t, err)
	for i, q := range qs {
		times := make(map[history.Value]int64)
		counts := make(map[history.Value]uint64)
		check(t, truth.Range(ctx, []attribute.Quark{q}, a, b, func(iv history.Interval) bool {
			times[iv.Value] += min(iv.End, b) - max(iv.Start, a)
			counts[iv.Value]++
			return true
		}))
		if slices.Contains(alive, q) != (len(times) > 1 || len(times) == 1 && times[history.Null()] == 0) {
			t.Fatalf("of %d, which is %v from %d to %d, it is said to be alive: %t", q, times, a, b, slices.Contains(alive, q))
		}
		if len(totals[i]) != len(times) {
			t.Fatalf("totals of %d from %d to %d: %v, want %v", q, a, b, totals[i], times)
		}
		for _, got := range totals[i] {
			if v := got.Value; got.Time != times[v] || got.Count != counts[v] {
				t.Fatalf("of %d from %d to %d: %v, want %d ns in %d intervals", q, a, b, got, times[v], counts[v])
			}
		}
	}
}

// verifyChanges holds the changes around an instant against all there are. One that is taken back at once is none.
func verifyChanges(t *rapid.T, r, truth history.Reader, qs []attribute.Quark, at int64) {
	ctx := context.Background()
	want := rapid.SampledFrom([]func(history.Value) bool{nil, history.Value.IsNull, history.Value.IsString}).Draw(t, "wanted")
	start, end := truth.Bounds()
	for _, q := range qs {
		var next, previous, before history.Interval // no Interval if there is none
		check(t, truth.Range(ctx, []attribute.Quark{q}, start, end, func(iv history.Interval) bool {
			change := iv.Start > start && iv.Value != before.Value && (want == nil || want(iv.Value))
			before = iv
			switch {
			case change && iv.Start < at:
				previous = iv
			case change && iv.Start > at && next.End == 0:
				next = iv
			}
			return true
		}))
		hold := func(what string, may, got history.Interval, ok bool, err error) {
			check(t, err)
			if ok != (may.End > 0) || ok && (got.Quark != q || got.Start != may.Start || got.Value != may.Value || got.End <= got.Start) {
				t.Fatalf("the %s change of %d from %d: %v %t, want %v", what, q, at, got, ok, may)
			}
		}
		got, ok, err := r.NextChange(ctx, q, at, want)
		hold("next", next, got, ok, err)
		got, ok, err = r.PreviousChange(ctx, q, at, want)
		hold("previous", previous, got, ok, err)
	}
}
