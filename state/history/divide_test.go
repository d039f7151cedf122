package history_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"slices"
	"testing"

	"synchroscope/internal/raced"
	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
)

// Rows that lie apart among thousands are found in a few large leaves: with eight times as much in each, a quarter as many pages are read, and they are right.
func TestRowsApartInLargeLeaves(t *testing.T) {
	raced.Alone(t)
	const length = 1_500_000
	history.DivideFrom(t, 64<<10)
	history.TallyFrom(t, 5_000, 1<<17)
	var qs []attribute.Quark
	for i := range attribute.Quark(20) {
		qs = append(qs, 197*i+11)
	}
	read := func(node int) (bytes int64) {
		file, plain := many(t, 4000, length, node)
		counted := &counting{File: file}
		h, err := history.OpenCached(counted, history.NewCache(1<<20))
		if err != nil {
			t.Fatal(err)
		}
		counted.bytes.Store(0)
		sameRows(t, h, plain, qs, evenly(0, length, 300))
		return counted.bytes.Load()
	}
	if small, large := read(64<<10), read(512<<10); large > small/4 {
		t.Errorf("%d bytes are read, and of small leaves %d", large, small)
	} else {
		t.Logf("%d bytes, and of small leaves %d", large, small)
	}
}

// The open leaf is asked while it has parts, is saved with them, and is gone on with.
func TestPartsOfTheOpenLeaf(t *testing.T) {
	raced.Alone(t)
	const attributes = 50
	history.DivideFrom(t, 2048)
	history.TallyFrom(t, 10, 1<<17)
	change := func(x history.Recorder, from, to int64) {
		for q := x.Attributes().Len(); q < attributes; q++ {
			x.Attributes().Add(attribute.Root, fmt.Sprint(q))
		}
		for at := from; at < to; at++ {
			r := rand.New(rand.NewPCG(7, uint64(at)))
			if err := x.Modify(at, attribute.Quark(r.IntN(attributes)), history.Int(r.Int64N(5))); err != nil {
				t.Fatal(err)
			}
		}
	}
	same := func(w *history.Writer, end int64) {
		t.Helper()
		plain := history.NewMemory(0)
		change(plain, 0, end)
		if err := plain.Finish(end); err != nil {
			t.Fatal(err)
		}
		w.Publish(end)
		var qs []attribute.Quark
		for q := range attribute.Quark(attributes) {
			qs = append(qs, q)
			for at := int64(0); at < end; at += 1 + end/97 {
				got, err := w.History().Point(context.Background(), q, at)
				if err != nil {
					t.Fatal(err)
				}
				if want, _ := plain.Point(context.Background(), q, at); got != want {
					t.Fatalf("attribute %d is %v at %d, want %v", q, got, at, want)
				}
			}
		}
		sameRows(t, w.History(), plain, qs, evenly(0, end, 300))
	}
	file := new(historytest.Memory)
	w, err := history.Create(file, 0, history.Options{NodeSize: 64 << 10, PageSize: 512, MaxChildren: 3})
	if err != nil {
		t.Fatal(err)
	}
	change(w, 0, 6_000)
	same(w, 6_000)
	if len(file.B) > 4096 {
		t.Fatalf("the leaf is written: the file has %d bytes", len(file.B))
	}
	saved, err := w.Checkpoint()
	if err != nil {
		t.Fatal(err)
	}
	change(w, 6_000, 40_000)
	if w, err = history.Resume(file, saved); err != nil {
		t.Fatal(err)
	}
	same(w, 6_000)
	const every, more, end = 7_000, 60_000, 120_000 // a leaf has some 20 000
	for at := int64(6_000); at < end; at += every {
		change(w, at, at+every)
		if saved, err = w.Checkpoint(); err != nil {
			t.Fatal(err)
		}
		killed := file.Clone()
		resumed, err := history.Resume(killed, saved)
		if err != nil {
			t.Fatal(err)
		}
		change(resumed, at+every, at+every+more)
		if at < every || at+every >= end {
			same(resumed, at+every+more)
		}
		if err := resumed.Finish(at + every + more); err != nil {
			t.Fatal(err)
		}
		if err := history.Check(killed); err != nil {
			t.Fatal(err)
		}
	}
}

// A checkpoint whose parts are damaged is refused, whatever its checksum says.
func TestDamagedParts(t *testing.T) {
	raced.Alone(t)
	history.DivideFrom(t, 2048)
	history.TallyFrom(t, 10, 1<<17)
	file := new(historytest.Memory)
	w, err := history.Create(file, 0, history.Options{NodeSize: 64 << 10, PageSize: 512})
	if err != nil {
		t.Fatal(err)
	}
	q := w.Attributes().Add(attribute.Root, "q")
	for at := range int64(3_000) {
		if err := w.Modify(at, q, history.Int(at)); err != nil {
			t.Fatal(err)
		}
	}
	saved, err := w.Checkpoint()
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for at := len(saved) - 5000; at < len(saved)-4; at += 7 {
		hurt := slices.Clone(saved)
		hurt[at] ^= 0x80
		body := hurt[:len(hurt)-4]
		binary.LittleEndian.PutUint32(hurt[len(body):], crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)))
		x, err := history.Resume(file.Clone(), hurt)
		if err != nil {
			refused++
			continue
		}
		if err := x.Finish(5_000); err != nil {
			t.Fatal(err)
		}
	}
	if refused < 100 {
		t.Errorf("refused %d times", refused)
	}
}
