package network

import (
	"cmp"
	"iter"
	"slices"

	"synchroscope/sync/hull"
)

// Statements are kept in order, packed: there are as many as messages are remembered, of all links at a time.
type statements struct {
	lots  []lot
	count int
}

// A lot is what follows each other from one host to another.
type lot struct {
	from, to int32
	list     packed // when each was sent, and when received
}

// inWays are the statements of a list, in its order.
func inWays(list []statement) (all statements) {
	for _, m := range list {
		if n := len(all.lots); n == 0 || all.lots[n-1].from != m.from || all.lots[n-1].to != m.to {
			all.lots = append(all.lots, lot{from: m.from, to: m.to})
		}
		all.lots[len(all.lots)-1].list.add(hull.Point{X: m.sent, Y: m.received}, 0)
	}
	all.count = len(list)
	return all
}

// packed are the statements of some links, each once, in order.
func (s *Solution) packed(links []*link, courses []course) (all statements) {
	var some []statement
	for _, l := range links {
		some = some[:0]
		s.eachStatement(l, courses, func(m statement) bool {
			some = append(some, m)
			return true
		})
		slices.SortFunc(some, statement.compare)
		own := inWays(slices.Compact(some))
		all.lots, all.count = append(all.lots, own.lots...), all.count+own.count
	}
	slices.SortFunc(all.lots, func(a, b lot) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	return all
}

// all yields the statements, and their number.
func (l *statements) all() iter.Seq2[int, statement] {
	return func(yield func(int, statement) bool) {
		i := 0
		for k := range l.lots {
			w := &l.lots[k]
			for p := range w.list.all() {
				if !yield(i, statement{w.from, w.to, p.X, p.Y}) {
					return
				}
				i++
			}
		}
	}
}

// of yields those that one host sends or receives.
func (l *statements) of(host int32) iter.Seq[statement] {
	return func(yield func(statement) bool) {
		for k := range l.lots {
			w := &l.lots[k]
			if w.from != host && w.to != host {
				continue
			}
			for p := range w.list.all() {
				if !yield(statement{w.from, w.to, p.X, p.Y}) {
					return
				}
			}
		}
	}
}
