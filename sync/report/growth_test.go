package report

import (
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// Every accurate message does one thing to the forest, and what joins trees is as much as it takes.
func TestGrowthAddsUp(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(2, 9).Draw(rt, "hosts")
		var links [][2]int
		for i := range n {
			for j := range i {
				if rapid.IntRange(0, 2).Draw(rt, "linked") == 0 {
					links = append(links, [2]int{j, i})
				}
			}
		}
		c := newCluster(t, names(n), links, 60)
		var ticks time.Duration
		w := newWork(c.Solution, func() time.Duration { ticks++; return ticks })
		for _, m := range c.messages {
			w.add(m)
		}
		growth, work := w.sheets()
		if len(growth.Rows) != growthRows || len(work.Rows) != 3 {
			rt.Fatalf("%d rows of growth, %d of work", len(growth.Rows), len(work.Rows))
		}
		last := w.until(growthRows)
		joins := n - w.left
		pairs := joins - last.inserted - last.joined
		if last.messages != len(c.messages) || pairs < 0 || last.accurate != joins+last.changed+last.kept {
			rt.Fatalf("%d of %d messages, %d joins, %+v", last.messages, len(c.messages), joins, last)
		}
		if w.left != w.components {
			rt.Fatalf("%d trees at the end, %d components", w.left, w.components)
		}
		// Whatever the order in which they become certain, each counts where it was sent.
		mixed := newWork(c.Solution, func() time.Duration { ticks++; return ticks })
		for _, i := range rand.New(rand.NewPCG(1, uint64(len(c.messages)))).Perm(len(c.messages)) {
			mixed.add(c.messages[i])
		}
		mixed.sheets()
		for i := 1; i <= growthRows; i++ {
			sent := 0
			for _, m := range c.messages {
				if i == growthRows || c.Solution.Hosts[m.From].Map.Reference(m.Sent) <= w.boundary(i) {
					sent++
				}
			}
			if row := w.until(i); row.messages != sent || row.accurate < w.until(i-1).accurate || w.boundary(i) <= w.boundary(i-1) {
				rt.Fatalf("%d messages were sent in the first %d parts; counted is %+v", sent, i, row)
			}
			if mixed.until(i) != w.until(i) {
				rt.Fatalf("the first %d parts: %+v of messages in another order, %+v", i, mixed.until(i), w.until(i))
			}
		}
	})
}
