package kernel_test

import (
	"cmp"
	"context"
	"slices"
	"testing"

	"synchroscope/simulate/machine"
	"synchroscope/simulate/scenario"
	"synchroscope/state/history"
)

// Nobody is said to have woken another while its program ran, though timers do that then which are not recorded.
func TestTruthOfWakers(t *testing.T) {
	really := make(lives)
	omit := func(s *scenario.Scenario) {
		spared(s)
		for i := range s.Hosts {
			s.Hosts[i].Tracing.Omit = append(s.Hosts[i].Tracing.Omit, "timer_hrtimer_expire_*")
		}
	}
	for _, traces := range seeded(t, "web", 3, omit, really) {
		h := build(t, traces, 0).Writer.History()
		tree := h.Attributes()
		inside, either := 0, 0
		for _, q := range tree.Match("Threads/*/Waker") {
			how := tree.Child(tree.Parent(q), "Wakeup")
			intervals(t, h, func(iv history.Interval) {
				waker, ok := iv.Value.Int()
				if !ok {
					return
				}
				said, err := h.Point(context.Background(), how, iv.Start)
				if err != nil {
					t.Fatal(err)
				}
				if h.String(said.Value) != "thread" {
					either++
					return
				}
				moments := really[traces.Name][int32(waker)]
				n, met := slices.BinarySearchFunc(moments, iv.Start, func(m moment, at int64) int { return cmp.Compare(m.at, at) })
				for met && n+1 < len(moments) && moments[n+1].at == iv.Start {
					n++
				}
				if !met {
					n--
				}
				if n < 0 || moments[n].state != machine.InKernel && moments[max(n-1, 0)].state != machine.InKernel {
					t.Errorf("%s: %s at %d is %d, which is not in the kernel", traces.Name, tree.Full(q), iv.Start, waker)
					return
				}
				inside++
			}, q)
		}
		t.Logf("%s: %d wakers in the kernel, %d that may be", traces.Name, inside, either)
		if inside == 0 {
			t.Errorf("%s: nobody wakes anybody", traces.Name)
		}
	}
}
