package history_test

import (
	"fmt"
	"testing"

	"synchroscope/internal/raced"
	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
)

// What readers were shown is copied once, a page of 128 attributes at a time, when it changes, and counted anew with the next.
func TestCopied(t *testing.T) {
	raced.Alone(t)
	w, err := history.Create(new(historytest.Memory), 0, history.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var all []attribute.Quark
	for i := range 1280 {
		all = append(all, w.Attributes().Path("Threads", fmt.Sprint(i)))
	}
	now := int64(0)
	change := func(every int) {
		now++
		for i := 0; i < len(all); i += every {
			if err := w.Modify(now, all[i], history.Int(now)); err != nil {
				t.Fatal(err)
			}
		}
	}
	expect := func(least, most int) {
		t.Helper()
		if n := w.Copied(); n < least || n > most {
			t.Errorf("%d pages were copied, not %d to %d", n, least, most)
		}
	}
	change(1)
	expect(0, 0)
	w.Publish(now)
	change(640)
	expect(2, 2)
	change(640)
	expect(2, 2)
	change(1)
	expect(10, 11)
	w.Publish(now + 1)
	expect(0, 1)
}
