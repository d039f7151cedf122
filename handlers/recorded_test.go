package handlers

import (
	"strconv"
	"testing"

	"synchroscope/handlers/wire"
	"synchroscope/internal/raced"
)

// Where a clock was set back events stand in the order of before, and tell what the clock showed: on pages beside the time that they stand at, in the table
// as the host's time.
func TestEventsTellWhatWasRecorded(t *testing.T) {
	raced.Elsewhere(t, "TestTables")
	s := newSite(t, Options{})
	set := s.simulated("stepping", stepping, 1)
	q := "host=a&name=net_*"
	list := s.pages("/api/sets/" + set.ID() + "/events?limit=1000&" + q)
	rows := rowsOfCSV(t, s.want(200, "GET", "/api/sets/"+set.ID()+"/events.csv?"+q, ""))
	if len(rows) != len(list)+1 {
		t.Fatalf("%d rows of %d events", len(rows)-1, len(list))
	}
	var last, most wire.Time
	back := 0
	for i, e := range list {
		shown := e.LocalTime
		if e.Recorded != nil {
			shown = *e.Recorded
			back++
			if most = max(most, e.LocalTime-shown); shown >= e.LocalTime {
				t.Errorf("event %d was recorded at %d and stands at %d", i, shown, e.LocalTime)
			}
		}
		if e.LocalTime < last {
			t.Errorf("event %d stands at %d, the one before at %d", i, e.LocalTime, last)
		}
		last = e.LocalTime
		if got := rows[i+1][1]; got != strconv.FormatInt(int64(shown), 10) {
			t.Fatalf("row %d has the host's time %s, and %d was recorded", i, got, shown)
		}
	}
	if back == 0 || most > 300_000_000 || most < 250_000_000 {
		t.Errorf("%d events are told to have been recorded earlier, by up to %d ns; the clock was set back by 300 ms", back, most)
	}
}
