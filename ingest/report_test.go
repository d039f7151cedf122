package ingest

import (
	"slices"
	"testing"

	"synchroscope/trace"
)

// Who reads what is odd about a set reads first what is missing from it, however often something happened by which nothing is.
func TestHarmlessOdditiesAreLast(t *testing.T) {
	var all []HostAnomaly
	for kind, count := range map[string]int64{"packet-overlap": 849, "lost-events": 562, "copy": 1000, "truncated": 1, damagedArchive: 1} {
		all = append(all, HostAnomaly{Anomaly: trace.Anomaly{Kind: kind, Count: count}})
	}
	var kinds []string
	for _, o := range grouped(all) {
		kinds = append(kinds, o.Kind)
	}
	if want := []string{damagedArchive, "lost-events", "truncated", "copy", "packet-overlap"}; !slices.Equal(kinds, want) {
		t.Errorf("%v, want %v", kinds, want)
	}
}
