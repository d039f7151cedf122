package report

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"synchroscope/sync/clock"
	"synchroscope/sync/match"
	"synchroscope/sync/network"
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
		var config network.Config
		if rapid.Bool().Draw(rt, "windowed") {
			begin := rapid.Int64Range(0, 5).Draw(rt, "begin")
			config.Window = &network.Window{Begin: epoch + begin*1e9, End: epoch + (begin+rapid.Int64Range(3, 6).Draw(rt, "length"))*1e9}
		}
		for _, l := range links {
			if rapid.IntRange(0, 4).Draw(rt, "excluded") == 0 {
				config.Exclude = append(config.Exclude, [2]string{names(n)[l[0]], names(n)[l[1]]})
			}
		}
		c := synchronizedBy(t, config, names(n), links, 60)
		counts := counting(c.Solution)
		c.messages = slices.DeleteFunc(c.messages, func(m match.Message) bool { return !counts(m) })
		after := func(m match.Message) int64 { // the beginning of the sender's component
			begin := int64(math.MaxInt64)
			for _, h := range c.Solution.Hosts {
				if h.Component == c.Solution.Hosts[m.From].Component {
					begin = min(begin, h.Map.Reference(h.Begin))
				}
			}
			return c.Solution.Hosts[m.From].Map.Reference(m.Sent) - begin
		}
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
		// So does what comes too late to be taken in its turn.
		hurried := newWork(c.Solution, nil)
		hurried.mostAhead = 16
		for _, m := range slices.Backward(c.messages) {
			hurried.add(m)
			if len(hurried.ahead) > hurried.mostAhead {
				rt.Fatalf("%d messages wait", len(hurried.ahead))
			}
		}
		hurried.sheets()
		for i := 1; i <= growthRows; i++ {
			sent := 0
			for _, m := range c.messages {
				if i == growthRows || after(m) <= w.boundary(i) {
					sent++
				}
			}
			if row := w.until(i); row.messages != sent {
				rt.Fatalf("%d messages were sent in the first %d parts; counted is %+v", sent, i, row)
			}
			if row := hurried.until(i); row.messages != sent {
				rt.Fatalf("%d messages were sent in the first %d parts; counted is %+v of those that come late", sent, i, row)
			}
			if mixed.until(i) != w.until(i) {
				rt.Fatalf("the first %d parts: %+v of messages in another order, %+v", i, mixed.until(i), w.until(i))
			}
		}
	})
}

// A component whose clock is set to another year has a beginning of its own, and its messages are of the parts in which they were sent.
func TestGrowthOfIslands(t *testing.T) {
	c := newCluster(t, names(4), [][2]int{{0, 1}, {2, 3}}, 800)
	counted := func() (rows [growthRows]tally) {
		w := newWork(c.Solution, nil)
		for _, m := range c.messages {
			w.add(m)
		}
		w.sheets()
		for i := range rows {
			rows[i] = w.until(i + 1)
		}
		return rows
	}
	near := counted()
	const years = 100_000_000_000_000_000
	for i := 2; i < 4; i++ {
		knots := slices.Clone(c.Solution.Hosts[i].Map.Knots())
		for j := range knots {
			knots[j].Reference += years
		}
		far, err := clock.New(knots, c.Solution.Hosts[i].Map.Bounds())
		if err != nil {
			t.Fatal(err)
		}
		c.Solution.Hosts[i].Map = far
	}
	if far := counted(); far != near {
		t.Errorf("an island of another year grows otherwise:\n%+v\n%+v", far, near)
	}
}
