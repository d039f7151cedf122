package ingest

import (
	"testing"
	"time"

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
