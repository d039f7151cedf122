package agenda

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

type notes struct {
	a    *Agenda
	done []uint64
	more func(now int64, arg uint64)
}

func (n *notes) Do(now int64, arg uint64) {
	n.done = append(n.done, arg)
	if n.more != nil {
		n.more(now, arg)
	}
}

// Things are done in order of time, then of insertion, also those that are put there
// while others are done, and where it is interrupted; held against a list that is sorted each time.
func TestOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type item struct {
			at  int64
			arg uint64
		}
		var model []item
		var a Agenda
		n := &notes{a: &a}
		next := uint64(0)
		add := func(now int64) {
			at := rapid.Int64Range(0, 20).Draw(t, "at")
			model = append(model, item{max(at, now), next})
			a.At(at, n, next)
			next++
		}
		n.more = func(now int64, arg uint64) {
			slices.SortStableFunc(model, func(x, y item) int { return int(x.at - y.at) })
			if model[0].arg != arg || model[0].at != now || a.Now() != now {
				t.Fatalf("%d is done at %d, not %+v", arg, now, model[0])
			}
			model = model[1:]
			if next < 60 {
				for range rapid.IntRange(0, 2).Draw(t, "more") {
					add(now)
				}
			}
		}
		for range rapid.IntRange(0, 20).Draw(t, "n") {
			add(0)
		}
		until := rapid.Int64Range(0, 25).Draw(t, "until")
		for most := rapid.SampledFrom([]int{1, 3, math.MaxInt}).Draw(t, "most"); ; {
			before := len(n.done)
			if a.Some(until, most) {
				break
			}
			if len(n.done)-before != most {
				t.Fatalf("%d things are done, and more are left; %d were asked for", len(n.done)-before, most)
			}
		}
		for _, m := range model {
			if m.at < until {
				t.Errorf("%d at %d is not done at %d", m.arg, m.at, until)
			}
		}
		if a.Now() != until || a.Len() != len(model) {
			t.Errorf("stands at %d with %d", a.Now(), a.Len())
		}
	})
}

// Advance goes on only where nothing is in between, and not to the end.
func TestAdvance(t *testing.T) {
	var a Agenda
	n := &notes{a: &a}
	n.more = func(now int64, arg uint64) {
		for _, c := range []struct {
			to int64
			ok bool
		}{{15, true}, {20, false}, {19, true}, {25, false}, {17, true}} {
			if arg == 0 && a.Advance(c.to) != c.ok {
				t.Errorf("to %d: %t", c.to, !c.ok)
			}
		}
		if arg == 0 && a.Now() != 19 {
			t.Errorf("stands at %d", a.Now())
		}
		if arg == 1 && (a.Advance(30) || !a.Advance(29)) {
			t.Error("the end is not the end")
		}
	}
	a.At(10, n, 0)
	a.At(20, n, 1)
	a.Run(30)
}

func BenchmarkAgenda(b *testing.B) {
	var a Agenda
	n := &again{a: &a}
	for i := range 1000 {
		a.At(int64(i), n, uint64(i))
	}
	n.left = b.N
	b.ReportAllocs()
	for b.Loop() {
		n.left = 1
		a.Run(a.heap[0].at + 1)
	}
}

type again struct {
	a    *Agenda
	left int
}

func (g *again) Do(now int64, arg uint64) {
	g.a.At(now+1000+int64(arg*7919%100), g, arg)
}
