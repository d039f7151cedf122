package ingest

import (
	"testing"
	"time"

	"synchroscope/sync/network"
)

// However many solutions there are, the way to the last is told by a bounded number of them, evenly, the first and the last among them.
func TestMilestonesAreBounded(t *testing.T) {
	begun := time.Now()
	m := &milestones{begun: begun}
	for i := range int64(10_000) {
		m.add(&network.Solution{Version: i + 1, Reference: -1}, begun.Add(time.Duration(i)*time.Millisecond))
		list := m.all()
		if last := list[len(list)-1]; last.Version != i+1 || len(list) > mostMilestones || list[0].Version != 1 {
			t.Fatalf("after %d: %d milestones, from %d to %d", i+1, len(list), list[0].Version, last.Version)
		}
	}
	list := m.all()
	for i := 1; i < len(list)-1; i++ {
		if step := list[i].Version - list[i-1].Version; step != 64 {
			t.Fatalf("%d solutions between milestone %d and the one before", step, i)
		}
	}
	if len(list) < mostMilestones/2 {
		t.Errorf("%d milestones are left", len(list))
	}
}
