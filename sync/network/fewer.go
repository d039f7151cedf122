package network

import (
	"cmp"
	"slices"
)

// A shift has a turn at every instant beside a message that asked for it. Mostly one that goes straight over some of these instants
// does for all messages as well, and claims no more: that the messages hold is all that is known of what lies between them. So each host is
// moved as straight as its messages let it, the others being held. But where nothing asks for a shift it mostly stays none, for the
// maps as they were are the best guess there.

// unasked is of how many instants of a piece at most nothing may have asked for the shift that it makes there, in parts.
const unasked = 2.0 / 3

// A tip is the end of a statement at one host.
type tip struct {
	at int64 // reference time
	statement
}

// straighten lets the shift of each host go straight, from the first instant on, for as long as all messages stay right.
func (w *shift) straighten() {
	var own []tip // of one host: of all together it would be much of what there is
	for h, by := range w.by {
		if !w.moves(h) {
			continue
		}
		own = own[:0]
		for m := range w.list.of(int32(h)) {
			if m.from == int32(h) {
				own = append(own, tip{m.sent, m})
			}
			if m.to == int32(h) {
				own = append(own, tip{m.received, m})
			}
		}
		slices.SortFunc(own, func(p, q tip) int { return cmp.Compare(p.at, q.at) })
		asked := make([]bool, len(by))
		for i, ns := range by {
			asked[i] = ns != 0
		}
		w.turns[h] = w.straight(h, own, asked)
	}
}

// moves reports whether a host is moved at all.
func (w *shift) moves(host int) bool {
	return slices.ContainsFunc(w.by[host], func(ns float64) bool { return ns != 0 })
}

// straight makes each piece of the shift of a host as long as may be, and returns the instants at their ends.
func (w *shift) straight(host int, own []tip, asked []bool) (turns []int) {
	last := len(asked) - 1
	turns = []int{0}
	for i := 0; i < last; {
		j, step := i+1, 1
		for j+step <= last && w.join(host, i, j+step, own, asked) {
			j += step
			step *= 2
		}
		for ; step > 0; step /= 2 {
			for j+step <= last && w.join(host, i, j+step, own, asked) {
				j += step
			}
		}
		turns = append(turns, j)
		i = j
	}
	return turns
}

// join lets the shift of a host go straight from one instant to another if that may be, and reports whether it does.
func (w *shift) join(host, i, j int, own []tip, asked []bool) bool {
	by := w.by[host]
	before := slices.Clone(by[i+1 : j])
	more := 0
	for k := i + 1; k < j; k++ {
		part := float64(k-i) / float64(j-i)
		by[k] = float64(by[i]*(1-part)) + float64(by[j]*part)
		if by[k] != 0 && !asked[k] {
			more++
		}
	}
	if float64(more) <= float64(unasked*float64(j-i-1)) && w.right(w.instant(i), w.instant(j), own) {
		return true
	}
	copy(by[i+1:j], before)
	return false
}

// right reports whether all messages are that begin or end at a host between two times.
func (w *shift) right(from, to int64, own []tip) bool {
	first, _ := slices.BinarySearchFunc(own, from, func(e tip, at int64) int { return cmp.Compare(e.at, at) })
	for _, e := range own[first:] {
		if e.at >= to {
			break
		}
		if m := w.pushed(e.statement); w.delay(&m) <= enough {
			return false
		}
	}
	return true
}
