package history_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"synchroscope/internal/raced"
	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
)

// watched is a disk that is looked at after each time it is written to.
type watched struct {
	historytest.Disk
	look func()
}

func (w *watched) WriteAt(p []byte, off int64) (int, error) {
	n, err := w.Disk.WriteAt(p, off)
	if w.look != nil {
		w.look()
	}
	return n, err
}

// half is a tree that has a checkpoint, and changes since.
func half(t *testing.T) (file *watched, w *history.Writer, l *historytest.Load, checkpoint []byte) {
	t.Helper()
	file = new(watched)
	w, err := history.Create(file, 0, history.Options{NodeSize: 512, MaxChildren: 3})
	if err != nil {
		t.Fatal(err)
	}
	l = historytest.NewLoad(w, 5, false)
	for i := range 1200 {
		if err := l.Event(); err != nil {
			t.Fatal(err)
		}
		if i == 600 {
			if checkpoint, err = w.Checkpoint(); err != nil {
				t.Fatal(err)
			}
		}
	}
	return file, w, l, checkpoint
}

// A tree that is finished is whole, whatever a crash takes of what was not synced: while it is being finished, where it is then
// not finished or whole, and afterwards.
func TestFinishOutlastsCrashes(t *testing.T) {
	raced.Alone(t)
	chance := rand.New(rand.NewPCG(3, 4))
	file, w, l, checkpoint := half(t)
	unfinished := 0
	file.look = func() {
		for range 3 {
			left := file.Crash(chance)
			_, err := history.Open(left)
			if errors.Is(err, history.ErrUnfinished) {
				unfinished++
				if _, err := history.Resume(left, checkpoint); err != nil {
					t.Fatalf("not finished, and it does not go on: %v", err)
				}
				continue
			}
			if err == nil {
				err = history.Check(left)
			}
			if err != nil {
				t.Fatalf("finished, but %v", err)
			}
		}
	}
	if err := w.Finish(l.Now + 1); err != nil {
		t.Fatal(err)
	}
	if unfinished == 0 {
		t.Error("it was finished from the first block on")
	}
	for range 20 {
		if err := history.Check(file.Crash(chance)); err != nil {
			t.Fatalf("after it was finished: %v", err)
		}
	}
}

// Of what goes on from a checkpoint from before it was finished, nobody reads as if it were finished.
func TestResumeIsUnfinished(t *testing.T) {
	file, w, l, checkpoint := half(t)
	if err := w.Finish(l.Now + 1); err != nil {
		t.Fatal(err)
	}
	if _, err := history.Resume(file, checkpoint); err != nil {
		t.Fatal(err)
	}
	if _, err := history.Open(file); !errors.Is(err, history.ErrUnfinished) {
		t.Errorf("it is opened: %v", err)
	}
	chance := rand.New(rand.NewPCG(5, 6))
	for range 20 {
		if _, err := history.Open(file.Crash(chance)); !errors.Is(err, history.ErrUnfinished) {
			t.Fatalf("after a crash it is opened: %v", err)
		}
	}
}
