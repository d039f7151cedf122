package ingest

import (
	"fmt"
	"time"

	"synchroscope/sync/clock"
	"synchroscope/trace"
)

// coarse tells of a clock that shows time in steps; ok is false for one that shows it finely.
func coarse(t *clock.Ticks) (a trace.Anomaly, ok bool) {
	tick := time.Duration(t.Tick())
	a = trace.Anomaly{Kind: "coarse-clock", Count: 1, Message: fmt.Sprintf("the clock advances by %v at once: all times are that far apart, or a multiple of it", tick)}
	if !t.Regular() {
		a.Message = fmt.Sprintf("the clock advances by up to %v at once: many events have the same time, and no two times are less than a µs apart", tick)
	}
	return a, tick > 0
}
