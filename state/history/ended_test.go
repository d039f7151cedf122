package history_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"
	"testing"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
)

// A change that is taken back at the time at which it is made is none, whatever is done between the two.
func TestTakenBack(t *testing.T) {
	const crowd = 1000
	for what, between := range map[string]func(t *testing.T, f *historytest.Memory, w *history.Writer) *history.Writer{
		"at once": func(_ *testing.T, _ *historytest.Memory, w *history.Writer) *history.Writer { return w },
		"after readers were shown it": func(_ *testing.T, _ *historytest.Memory, w *history.Writer) *history.Writer {
			w.Publish(20)
			return w
		},
		"after a resumption": func(t *testing.T, f *historytest.Memory, w *history.Writer) *history.Writer {
			blob, err := w.Checkpoint()
			if err != nil {
				t.Fatal(err)
			}
			if w, err = history.Resume(f, blob); err != nil {
				t.Fatal(err)
			}
			return w
		},
	} {
		t.Run(what, func(t *testing.T) {
			f := new(historytest.Memory)
			w, err := history.Create(f, 0, history.Options{NodeSize: 512, MaxChildren: 4})
			if err != nil {
				t.Fatal(err)
			}
			for q := range crowd {
				w.Attributes().Add(attribute.Root, fmt.Sprint(q))
			}
			all := func(at, v int64) {
				t.Helper()
				for q := range attribute.Quark(crowd) {
					if err := w.Modify(at, q, history.Int(v)); err != nil {
						t.Fatal(err)
					}
				}
			}
			all(10, 1)
			all(20, 2)
			w = between(t, f, w)
			all(20, 3)
			all(20, 1)
			all(20, 2)
			for q := range attribute.Quark(crowd) {
				if q%3 == 0 {
					continue
				}
				if err := w.Modify(20, q, history.Int(1)); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Finish(40); err != nil {
				t.Fatal(err)
			}
			if err := history.Check(f); err != nil {
				t.Fatal(err)
			}
			for q := range attribute.Quark(crowd) {
				want := []history.Interval{{Quark: q, End: 10}, {q, 10, 40, history.Int(1)}}
				if q%3 == 0 {
					want = []history.Interval{want[0], {q, 10, 20, history.Int(1)}, {q, 20, 40, history.Int(2)}}
				}
				var got []history.Interval
				err := w.History().Range(context.Background(), []attribute.Quark{q}, 0, 40, func(iv history.Interval) bool {
					got = append(got, iv)
					return true
				})
				if err != nil || !slices.Equal(got, want) {
					t.Fatalf("attribute %d: %v, %v, want %v", q, got, err, want)
				}
			}
		})
	}
}

// A checkpoint of version 2 says nothing of what has ended at the newest time; it is gone on with all the same.
func TestOlderCheckpoint(t *testing.T) {
	f := new(historytest.Memory)
	w, err := history.Create(f, 0, history.Options{})
	if err != nil {
		t.Fatal(err)
	}
	q := w.Attributes().Add(attribute.Root, "q")
	for at := range int64(5) {
		if err := w.Modify(at, q, history.Int(at%2)); err != nil {
			t.Fatal(err)
		}
	}
	w.Publish(10)
	blob, err := w.Checkpoint()
	if err != nil {
		t.Fatal(err)
	}
	body := blob[:len(blob)-4]
	if n := len(body); body[n-1] != 0 || body[n-2] != 0 {
		t.Fatal("something has ended at the newest time, or the leaf has parts")
	}
	older := append([]byte{2}, body[1:len(body)-2]...)
	older = binary.LittleEndian.AppendUint32(older, crc32.Checksum(older, crc32.MakeTable(crc32.Castagnoli)))
	if w, err = history.Resume(f, older); err != nil {
		t.Fatal(err)
	}
	if err := w.Modify(20, q, history.Int(7)); err != nil {
		t.Fatal(err)
	}
	if err := w.Finish(30); err != nil {
		t.Fatal(err)
	}
	if err := history.Check(f); err != nil {
		t.Fatal(err)
	}
	if n := w.History().Stats().Intervals; n != 5 {
		t.Errorf("%d intervals, want 5", n)
	}
}
