package report

import (
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
		last := w.rows[growthRows-1]
		joins := n - w.left
		pairs := joins - last.inserted - last.joined
		if last.messages != len(c.messages) || pairs < 0 || last.accurate != joins+last.changed+last.kept {
			rt.Fatalf("%d of %d messages, %d joins, %+v", last.messages, len(c.messages), joins, last)
		}
		if w.left != w.components {
			rt.Fatalf("%d trees at the end, %d components", w.left, w.components)
		}
		for i, row := range w.rows[1:] {
			if row.messages < w.rows[i].messages || row.accurate < w.rows[i].accurate || row.until <= w.rows[i].until {
				rt.Fatalf("row %d is %+v after %+v", i+1, row, w.rows[i])
			}
		}
	})
}
