package ingest

import (
	"slices"
	"testing"

	"synchroscope/trace/ctf"
)

// Losses add up by CPU; a list that somebody has does not change, and it does not grow without end.
func TestLossesByCPU(t *testing.T) {
	var list []CPULoss
	for _, l := range []ctf.Loss{{CPU: 3, Count: 5}, {CPU: 0, Count: 2}, {CPU: 3, Count: 4}, {CPU: 1, Packets: 7}, {CPU: -1, Count: 1}} {
		before := slices.Clone(list)
		kept := list
		list = lostOn(list, l)
		if !slices.Equal(kept, before) {
			t.Fatalf("the list before changed to %v", kept)
		}
	}
	if want := []CPULoss{{-1, 1}, {0, 2}, {3, 9}}; !slices.Equal(list, want) {
		t.Errorf("lost on %v, want %v", list, want)
	}
	for cpu := range int32(2 * mostLossy) {
		list = lostOn(list, ctf.Loss{CPU: cpu, Count: 1})
	}
	if len(list) != mostLossy || list[len(list)-1].CPU >= mostLossy {
		t.Errorf("%d CPUs, the last %d", len(list), list[len(list)-1].CPU)
	}
}
