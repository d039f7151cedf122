package history_test

import (
	"fmt"
	"testing"

	"synchroscope/internal/raced"
	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
)

// Where parts of a leaf are put together, the runs of its directory begin at other columns than those of its parts, and a column that had no difference of quarks has
// one of two bytes. Here it is so in each of four hundred runs, and the last part takes what room there is to the byte.
func TestRoomOfPartsTogether(t *testing.T) {
	raced.Alone(t)
	const rows = 512 // of 128 quarks each, with as many between
	file := new(historytest.Memory)
	w, err := history.Create(file, 0, history.Options{NodeSize: 4 << 20})
	if err != nil {
		t.Fatal(err)
	}
	const last = rows*256 + 299
	for q := range last + 1 {
		w.Attributes().Add(attribute.Root, fmt.Sprint(q))
	}
	at := int64(1)
	modify := func(q attribute.Quark, v int64) {
		if err := w.Modify(at, q, history.Int(v)); err != nil {
			t.Fatal(err)
		}
	}
	for ; at <= 2; at++ {
		for i := range rows*128 - 200 {
			modify(attribute.Quark(i/128*256+i%128), at)
		}
	}
	for range 600 {
		modify(last, at)
		at++
	}
	between := [...]int64{1 << 36, 1 << 43}
	for i := range int64(600_000) {
		modify(200, between[i%2]+i)
		at++
	}
	if err := w.Finish(at); err != nil {
		t.Fatal(err)
	}
	if err := history.Check(file); err != nil {
		t.Error(err)
	}
}
