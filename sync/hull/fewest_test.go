package hull

import (
	"slices"
	"testing"
)

// How few messages can pass at all. Each that does changes the set of lines that fit, and with it the bound somewhere. Who wants the steepest and the
// flattest line only, and with them the estimate, and knows beforehand which messages are to come, needs those that one of the two rests
// on at any time: all but one in a hundred of those that pass. So where messages are few more than one in a hundred pass any filter.
func TestFewestMessagesThatMustPass(t *testing.T) {
	const ms = 1_000_000
	for _, every := range []int64{2, 5, 10, 20, 50, 100} {
		var all, passed, moved, rested int
		for seed := range uint64(20) {
			var h Hull
			ever := make(map[message]bool)
			for _, m := range pair(seed, every*ms, 60_000) {
				steepest, flattest := h.steepest, h.flattest
				all++
				if !h.Add(m.side, m.p) {
					continue
				}
				passed++
				if h.steepest != steepest || h.flattest != flattest {
					moved++
				}
				for _, side := range []Side{Upper, Lower} {
					kept := h.Points(side)
					for _, p := range []Point{h.steepest.P, h.steepest.Q, h.flattest.P, h.flattest.Q} {
						if slices.Contains(kept, p) {
							ever[message{side, p}] = true
						}
					}
				}
			}
			rested += len(ever)
		}
		share := func(n int) float64 { return 100 * float64(n) / float64(all) }
		t.Logf("a message each %3d ms: of %6d in ten minutes %.3f %% pass, %.3f %% move one of the lines when they come, one rests on %.3f %% some time",
			every, all/20, share(passed), share(moved), share(rested))
		if rested > passed || 100*rested < 99*passed || 100*moved < 99*passed {
			t.Errorf("a message each %d ms: %d pass, %d move one of the lines, one rests on %d", every, passed, moved, rested)
		}
	}
}
