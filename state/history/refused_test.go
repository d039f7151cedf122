package history_test

import (
	"context"
	"strings"
	"testing"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
)

// A change of an attribute that nobody added is refused, at once and by every recorder.
func TestUnknownAttribute(t *testing.T) {
	w, err := history.Create(new(historytest.Memory), 0, history.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]history.Recorder{"tree": w, "memory": history.NewMemory(0)} {
		r.Attributes().Path("a")
		for _, q := range []attribute.Quark{-1, 1, 700} {
			for what, err := range map[string]error{"modify": r.Modify(5, q, history.Int(1)), "update": r.Update(q, history.Int(1))} {
				if err == nil || !strings.Contains(err.Error(), "does not exist") {
					t.Errorf("%s: %s of %d: %v", name, what, q, err)
				}
			}
		}
		if err := r.Modify(5, 0, history.Int(1)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := r.Finish(10); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A name that no reader would take is refused before a file holds it.
func TestLongName(t *testing.T) {
	for _, over := range []int{0, 1} {
		for what, end := range map[string]func(*history.Writer) error{
			"checkpoint": func(w *history.Writer) error { _, err := w.Checkpoint(); return err },
			"finish":     func(w *history.Writer) error { return w.Finish(10) },
		} {
			f := new(historytest.Memory)
			w, err := history.Create(f, 0, history.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Modify(5, w.Attributes().Path(strings.Repeat("x", 1<<20+over)), history.Int(1)); err != nil {
				t.Fatal(err)
			}
			err = end(w)
			if over == 0 && what == "finish" && err == nil {
				err = history.Check(f)
			}
			if (err != nil) != (over > 0) || err != nil && !strings.Contains(err.Error(), "has 1048577 bytes") {
				t.Errorf("%s with a name of 1 MiB and %d bytes: %v", what, over, err)
			}
		}
	}
}

// Who takes intervals of a history in memory may ask it again, also while it is recorded.
func TestMemoryIsAskedInBetween(t *testing.T) {
	m := history.NewMemory(0)
	q := m.Attributes().Path("a")
	for i := range int64(200) {
		if err := m.Modify(i, q, history.Int(i)); err != nil {
			t.Fatal(err)
		}
	}
	m.Publish(200)
	ctx := context.Background()
	now := int64(200)
	ask := func(iv history.Interval) bool {
		recorded := make(chan error, 1)
		now++
		go func() { recorded <- m.Modify(now, q, history.Int(now)) }()
		if err := <-recorded; err != nil {
			t.Error(err)
		}
		got, err := m.Point(ctx, q, iv.Start)
		if err != nil || got != iv {
			t.Errorf("%v, then %v, %v", iv, got, err)
		}
		return true
	}
	n := 0
	err := m.Range(ctx, []attribute.Quark{q}, 0, 199, func(iv history.Interval) bool { n++; return ask(iv) })
	if err != nil || n != 199 {
		t.Errorf("%d intervals, %v", n, err)
	}
	if err := m.Full(ctx, 100, ask); err != nil {
		t.Error(err)
	}
}
