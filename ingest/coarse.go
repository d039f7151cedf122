package ingest

import (
	"fmt"
	"strconv"

	"synchroscope/sync/clock"
	"synchroscope/trace"
)

// coarse tells of a clock that shows time in steps; ok is false for one that shows it finely.
func coarse(t *clock.Ticks) (a trace.Anomaly, ok bool) {
	tick := t.Tick()
	a = trace.Anomaly{Kind: "coarse-clock", Count: 1, Message: fmt.Sprintf("the clock advances by %s at once: all times are that far apart, or a multiple of it", inUnits(tick))}
	if !t.Regular() {
		a.Message = fmt.Sprintf("the clock advances by up to %s at once: many events have the same time, and no two times are less than 1 µs apart", inUnits(tick))
	}
	return a, tick > 0
}

// inUnits writes ns as µs or ms, exactly.
func inUnits(ns int64) string {
	if ns < 1_000_000 {
		return strconv.FormatFloat(float64(ns)/1e3, 'f', -1, 64) + " µs"
	}
	return strconv.FormatFloat(float64(ns)/1e6, 'f', -1, 64) + " ms"
}
