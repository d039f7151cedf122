package partial_test

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strings"
	"testing"

	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
	"synchroscope/state/partial"
)

// halfway is a checkpoint of a history under way, and its files.
func halfway(t testing.TB) (values, points *historytest.Memory, blob []byte) {
	values, points = new(historytest.Memory), new(historytest.Memory)
	tree, err := history.Create(values, 100, small)
	if err != nil {
		t.Fatal(err)
	}
	places, err := history.Create(points, 100, small)
	if err != nil {
		t.Fatal(err)
	}
	w, err := partial.New(tree, places, 5)
	if err != nil {
		t.Fatal(err)
	}
	for i := range int64(32) {
		if err := w.Event(100+i, func() []byte { return fmt.Append(nil, i) }); err != nil {
			t.Fatal(err)
		}
		q := w.Attributes().Path(fmt.Sprint(i % 7))
		for _, v := range []history.Value{w.Text(fmt.Append(nil, i%3)), history.Int(-i), history.Float(float64(i) / 4), history.Bool(i%2 == 0), history.Null()}[i%5:] {
			if err := w.Modify(100+i, q, v); err != nil {
				t.Fatal(err)
			}
		}
	}
	if blob, err = w.Checkpoint(); err != nil {
		t.Fatal(err)
	}
	return values, points, blob
}

// What Checkpoint did not write is refused, in words.
func TestResumeRefuses(t *testing.T) {
	values, points, blob := halfway(t)
	for i := range blob {
		damaged := append([]byte(nil), blob...)
		damaged[i] ^= 1
		if _, err := partial.Resume(values.Clone(), points.Clone(), damaged); err == nil || !strings.Contains(err.Error(), "damaged") {
			t.Fatalf("byte %d is flipped: %v", i, err)
		}
	}
	for n := range len(blob) {
		if _, err := partial.Resume(values.Clone(), points.Clone(), blob[:n]); err == nil || !strings.Contains(err.Error(), "damaged") {
			t.Fatalf("cut after %d bytes: %v", n, err)
		}
	}
	if _, err := partial.Resume(values.Clone(), points.Clone(), signed([]byte{9})); err == nil || !strings.Contains(err.Error(), "version 9") {
		t.Errorf("another version: %v", err)
	}
}

func signed(body []byte) []byte {
	return binary.LittleEndian.AppendUint32(body[:len(body):len(body)], crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)))
}

// FuzzResume takes any bytes for what Checkpoint wrote: they are refused, or gone on with.
func FuzzResume(f *testing.F) {
	values, points, blob := halfway(f)
	f.Add(blob[:len(blob)-4])
	f.Fuzz(func(t *testing.T, body []byte) {
		w, err := partial.Resume(values.Clone(), points.Clone(), signed(body))
		if err != nil {
			return
		}
		_ = w.Event(200, func() []byte { return nil })
		_ = w.Modify(200, 0, history.Int(1))
		_ = w.Finish(300)
	})
}
