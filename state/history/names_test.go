package history_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
)

// named is a finished tree with so many attributes that have had a text each.
func named(attributes int) (*historytest.Memory, error) {
	f := new(historytest.Memory)
	w, err := history.Create(f, 0, history.Options{NodeSize: 512, MaxChildren: 3})
	if err != nil {
		return nil, err
	}
	for i := range attributes {
		q := w.Attributes().Path(fmt.Sprintf("attribute-%d", i))
		if err := w.Modify(int64(i), q, w.Text(fmt.Appendf(nil, "text-%d", i))); err != nil {
			return nil, err
		}
	}
	return f, w.Finish(int64(attributes))
}

// Who opens a tree holds its names. A file with more than there may be is refused, with its place, before they are held;
// and no writer makes one.
func TestTooManyNames(t *testing.T) {
	f, err := named(400)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := history.Open(f); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what         string
		bytes, count int
		says         string
	}{
		{"bytes", 2000, 1 << 20, "ends a stream of names that is longer than 2000 bytes"},
		{"attributes and strings", 1 << 20, 399, "there are more than 399 attributes"},
	} {
		t.Run(c.what, func(t *testing.T) {
			history.LimitNames(t, c.bytes, c.count)
			_, err := history.Open(f)
			var corrupt *history.CorruptError
			if !errors.As(err, &corrupt) || corrupt.Offset <= 0 || !strings.Contains(err.Error(), c.says) {
				t.Errorf("opened: %v", err)
			}
			if _, err := named(400); err == nil || !strings.Contains(err.Error(), "more than a tree can hold") {
				t.Errorf("written: %v", err)
			}
			if _, err := named(50); err != nil {
				t.Errorf("few names: %v", err)
			}
		})
	}
}

// A tree tells that it is full before it is: who adds no more names then finishes it, and it is whole.
func TestFull(t *testing.T) {
	for _, c := range []struct {
		what         string
		bytes, count int
	}{
		{"bytes", 1 << 20, 1 << 24},
		{"attributes and strings", 256 << 20, 3000},
	} {
		t.Run(c.what, func(t *testing.T) {
			history.LimitNames(t, c.bytes, c.count)
			f := new(historytest.Memory)
			w, err := history.Create(f, 0, history.Options{NodeSize: 512, MaxChildren: 3})
			if err != nil {
				t.Fatal(err)
			}
			now := int64(0)
			set := func(name string) {
				now++
				if err := w.Modify(now, w.Attributes().Path(name), w.Text([]byte(name))); err != nil {
					t.Fatal(err)
				}
			}
			for i := 0; !w.Full() && i < 100_000; i++ {
				set(fmt.Sprint("attribute-", i))
			}
			if !w.Full() || w.Attributes().Len() < 100 {
				t.Fatalf("with %d attributes it is full: %v", w.Attributes().Len(), w.Full())
			}
			for range 1000 {
				set("attribute-0")
			}
			for i := range 10 {
				set(fmt.Sprint("last-", i))
			}
			if err := w.Finish(now + 1); err != nil {
				t.Fatal(err)
			}
			if err := history.Check(f); err != nil {
				t.Error(err)
			}
		})
	}
}
