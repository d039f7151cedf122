package ingest

import (
	"testing"
	"testing/synctest"
	"time"
)

// What is left of a stage is told by a rate that was watched while something was done: not by its slow begin.
func TestTimeLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const total = 100_000
		var s Set
		done := int64(0)
		pass := func(seconds int, rate int64) *float64 {
			var left *float64
			for range seconds * 10 {
				time.Sleep(100 * time.Millisecond)
				done += rate / 10
				left = s.stageStatus(stageRead, "read", done, total).Left
			}
			return left
		}
		if left := pass(4, 0); left != nil {
			t.Errorf("%g s are left before anything is done", *left)
		}
		if left := pass(5, 100); left != nil {
			t.Errorf("%g s are left at a hundredth, which was slow", *left)
		}
		if left := pass(4, 10_000); left == nil || *left < 5.5 || *left > 6.5 {
			t.Errorf("%v s are left of about 6", left)
		}
		// A stage that goes on for long tells it all the same.
		done = 0
		s = Set{}
		if left := pass(16, 10); left == nil || *left < 9_900 || *left > 10_100 {
			t.Errorf("%v s are left of about 10 000", left)
		}
		// Hosts that are read in turn, each at a pace of its own, do not make it swing: what it was short of the truth stays within a quarter, for as long as it goes on.
		done = 0
		s = Set{}
		pass(60, 100)
		for turn := range 100 {
			rate := int64(50)
			if turn%2 == 1 {
				rate = 150
			}
			left, truth := -1.0, 0.0
			if l := pass(5, rate); l != nil {
				left, truth = *l, float64(total-done)/100
			}
			if left < truth*3/4 || left > truth*5/4 {
				t.Fatalf("after %d s %.0f s are left of about %.0f", 60+5*(turn+1), left, truth)
			}
		}
	})
}
