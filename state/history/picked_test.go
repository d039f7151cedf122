package history_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"synchroscope/internal/raced"
	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
)

// apart is a tree of 2 000 attributes, one of which changes in each of so many ns, larger than a cache of so many bytes is to keep whole, and the same in memory.
func apart(t *testing.T, length int64, cache int) (*historytest.Memory, *history.Memory) {
	t.Helper()
	file, plain := many(t, 2000, length, 64<<10)
	if len(file.B) <= cache/2 {
		t.Fatalf("a tree of %d bytes beside a cache of %d", len(file.B), cache)
	}
	return file, plain
}

// many is a tree of so many attributes, one of which changes in each of so many ns, with nodes of so many bytes, and the same in memory.
func many(t *testing.T, attributes int, length int64, node int) (*historytest.Memory, *history.Memory) {
	t.Helper()
	file, plain := new(historytest.Memory), history.NewMemory(0)
	w, err := history.Create(file, 0, history.Options{NodeSize: node})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(5, 6))
	for _, x := range []history.Recorder{w, plain} {
		for q := range attributes {
			x.Attributes().Add(attribute.Root, fmt.Sprint(q))
		}
	}
	for at := range length {
		q, v := attribute.Quark(r.IntN(attributes)), history.Int(r.Int64N(5))
		for _, x := range []history.Recorder{w, plain} {
			if err := x.Modify(at, q, v); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, x := range []history.Recorder{w, plain} {
		if err := x.Finish(length); err != nil {
			t.Fatal(err)
		}
	}
	if err := history.Check(file); err != nil {
		t.Fatal(err)
	}
	return file, plain
}

func evenly(from, to int64, columns int) []int64 {
	edges := make([]int64, columns+1)
	for i := range edges {
		edges[i] = from + (to-from)*int64(i)/int64(columns)
	}
	return edges
}

// sameRows compares the rows of a tree with those in memory.
func sameRows(t *testing.T, h *history.History, plain *history.Memory, qs []attribute.Quark, edges []int64) {
	t.Helper()
	want, err := plain.Pixels(context.Background(), qs, edges)
	if err != nil {
		t.Fatal(err)
	}
	err = h.EachRow(context.Background(), qs, edges, func(k int, runs []history.Run) {
		if fmt.Sprint(runs) != fmt.Sprint(want[k]) {
			t.Fatalf("row %d of attribute %d is %.300s, want %.300s", k, qs[k], fmt.Sprint(runs), fmt.Sprint(want[k]))
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Rows that lie apart, in a tree that the cache does not hold, are read once: when they are asked for again, with other edges, with other rows
// between, in part, nothing is read.
func TestRowsApartAreReadOnce(t *testing.T) {
	raced.Elsewhere(t, "TestRowsApartDamaged")
	const cache, length = 2 << 20, 1_200_000
	file, plain := apart(t, length, cache)
	counted := &counting{File: file}
	h, err := history.OpenCached(counted, history.NewCache(cache))
	if err != nil {
		t.Fatal(err)
	}
	var some, others, both []attribute.Quark
	for i := range attribute.Quark(20) {
		some, others = append(some, 97*i+11), append(others, 91*i+40)
	}
	both = append(append(both, others...), some...)
	sameRows(t, h, plain, some, evenly(0, length, 300))
	first := counted.reads.Load()
	sameRows(t, h, plain, others, evenly(0, length, 300))
	if second := counted.reads.Load() - first; first < 100 || second < 30 {
		t.Fatalf("%d and %d reads for rows that were never asked for", first, second)
	}
	before := counted.reads.Load()
	sameRows(t, h, plain, some, evenly(700, length-900, 217))
	sameRows(t, h, plain, both, evenly(0, length, 150))
	sameRows(t, h, plain, others[3:9], evenly(length/3, length/2, 211))
	if n := counted.reads.Load() - before; n > 0 {
		t.Errorf("%d reads for rows that were asked for before", n)
	}
	sameRows(t, h, plain, append(both[:30:30], 5, 1999), evenly(0, length, 300))
	if n := counted.reads.Load() - before; n == 0 || n >= first {
		t.Errorf("%d reads for two new rows, and %d for the first twenty", n, first)
	}
}

// As many rows as there is no room for are as right, one query after the other.
func TestRowsApartInLittleRoom(t *testing.T) {
	raced.Elsewhere(t, "TestRowsApartDamaged")
	const length = 300_000
	r := rand.New(rand.NewPCG(7, 8))
	file, plain := apart(t, length, 1<<20)
	for _, bytes := range []int{0, 20_000, 100_000, 1 << 20} {
		h, err := history.OpenCached(file, history.NewCache(bytes))
		if err != nil {
			t.Fatal(err)
		}
		for _, rows := range []int{1, 40, 300, 20, 1200, 300, 2} {
			qs := make([]attribute.Quark, rows)
			for i := range qs {
				qs[i] = attribute.Quark(r.IntN(2000))
			}
			at := r.Int64N(length)
			sameRows(t, h, plain, qs, evenly(at/3, length-at/2, 1+r.IntN(90)))
		}
	}
}

// A page that is damaged is told of, or is not of what was asked for: then the answer is as it was.
func TestRowsApartDamaged(t *testing.T) {
	const length = 300_000
	file, plain := apart(t, length, 100_000)
	var qs []attribute.Quark
	for i := range attribute.Quark(20) {
		qs = append(qs, 97*i+11)
	}
	edges := evenly(0, length, 100)
	want, err := plain.Pixels(context.Background(), qs, edges)
	if err != nil {
		t.Fatal(err)
	}
	told, r := 0, rand.New(rand.NewPCG(9, 10))
	most := int64(5) // pages from one that is damaged to the next
	if testing.Short() {
		most = 20
	}
	var size [1]byte
	for at := int64(4096); ; at += 4096 * (1 + r.Int64N(most)) {
		if n, _ := file.ReadAt(size[:], at); n == 0 {
			break
		}
		hurt := file.Clone()
		for i := range int64(4096) / 256 {
			if _, err := hurt.WriteAt([]byte{byte(r.IntN(256))}, at+256*i+r.Int64N(256)); err != nil {
				t.Fatal(err)
			}
		}
		h, err := history.OpenCached(hurt, history.NewCache(100_000))
		if err != nil {
			continue // names, states, or the root
		}
		for turn := range 2 {
			err = h.EachRow(context.Background(), qs, edges, func(k int, runs []history.Run) {
				if fmt.Sprint(runs) != fmt.Sprint(want[k]) {
					t.Fatalf("damage at byte %d, turn %d: row %d is wrong", at, turn, k)
				}
			})
			var corrupt *history.CorruptError
			if errors.As(err, &corrupt) {
				told++
			} else if err != nil {
				t.Fatalf("damage at byte %d is told of as %v", at, err)
			}
		}
	}
	if told < 20 {
		t.Errorf("damage was told of %d times", told)
	}
}
