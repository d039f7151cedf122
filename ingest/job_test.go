package ingest

import (
	"errors"
	"runtime"
	"testing"
	"time"

	"synchroscope/ingest/turn"
	"synchroscope/internal/raced"
)

// A host is shown twenty times a second, and less often, but at least twice, where to show it takes much beside reading on.
func TestTimeToShow(t *testing.T) {
	raced.Alone(t)
	for _, c := range []struct {
		since  time.Duration
		events int64
		copied int
		show   bool
	}{
		{40 * time.Millisecond, 100_000, 0, false},
		{50 * time.Millisecond, 100_000, 300, true},
		{50 * time.Millisecond, 1024, 0, true},
		{50 * time.Millisecond, 5000, 4000, false},
		{400 * time.Millisecond, 50_000, 20_000, false},
		{400 * time.Millisecond, 400_000, 47_000, true},
		{500 * time.Millisecond, 1024, 1000, true},
	} {
		if got := timeToShow(c.since, c.events, c.copied); got != c.show {
			t.Errorf("after %v, %d events and %d copies: %v", c.since, c.events, c.copied, got)
		}
	}
}

// A job that is about to give its slot away counts as long without as the last time, and what others took is no reason to show something once it has it again.
func TestUnshown(t *testing.T) {
	slots := turn.New(1)
	now := time.Now()
	j := &job{ctx: t.Context(), slot: slots.Job("one"), published: now, waited: time.Hour}
	if err := j.slot.Acquire(t.Context()); err != nil {
		t.Fatal(err)
	}
	if since := j.unshown(now.Add(time.Minute)); since != time.Minute {
		t.Errorf("while nobody waits it is %v", since)
	}
	other := slots.Job("another")
	done := make(chan error, 1)
	go func() {
		err := other.Acquire(t.Context())
		other.Release()
		done <- err
	}()
	for !j.slot.Due() {
		runtime.Gosched()
	}
	if since := j.unshown(now.Add(time.Minute)); since != time.Minute+time.Hour {
		t.Errorf("while another waits it is %v", since)
	}
	if err := errors.Join(j.offer(), <-done); err != nil {
		t.Fatal(err)
	}
	if j.waited >= time.Hour || j.unshown(now.Add(time.Minute)) != time.Minute-j.waited {
		t.Errorf("after another had it for %v it is %v", j.waited, j.unshown(now.Add(time.Minute)))
	}
}
