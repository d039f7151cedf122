// Package agenda is what happens when in a simulation: things to do, in order of true
// time, and of insertion where times are equal.
package agenda

import "math"

// A Doer does what was put on the agenda; arg is what it was put there with.
type Doer interface {
	Do(now int64, arg uint64)
}

// An Agenda holds what is to be done. The zero value is empty and stands at time 0. It belongs to one
// goroutine.
//
// It is a heap of four children, whose entries lie in one slice: nothing is allocated
// for an entry once the slice has grown. What is not wanted any more is not taken out: its Doer
// finds out from arg.
type Agenda struct {
	now   int64
	until int64
	count uint64
	heap  []entry
}

type entry struct {
	at    int64
	order uint64
	doer  Doer
	arg   uint64
}

func (e *entry) before(o *entry) bool {
	return e.at < o.at || e.at == o.at && e.order < o.order
}

// Now is the time that the agenda stands at, true ns.
func (a *Agenda) Now() int64 { return a.now }

// Len is how many things are to be done.
func (a *Agenda) Len() int { return len(a.heap) }

// At puts something on the agenda. What is past is done now.
func (a *Agenda) At(t int64, d Doer, arg uint64) {
	e := entry{max(t, a.now), a.count, d, arg}
	a.count++
	a.heap = append(a.heap, e)
	h, i := a.heap, len(a.heap)-1
	for i > 0 {
		parent := (i - 1) / 4
		if !e.before(&h[parent]) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = e
}

// Advance goes on to time t by itself if nothing is to be done up to then. A Doer that
// would put something on the agenda at t and return can do it at once if so.
func (a *Agenda) Advance(t int64) bool {
	if t >= a.until || len(a.heap) > 0 && a.heap[0].at <= t {
		return false
	}
	a.now = max(a.now, t)
	return true
}

// Run does all that is to be done before a time, and stands there then.
func (a *Agenda) Run(until int64) {
	for !a.Some(until, math.MaxInt) {
	}
}

// Some does what is to be done before a time, but most things at most. It is true if nothing is left of
// that: then the agenda stands at that time, else at the last thing that was done.
func (a *Agenda) Some(until int64, most int) bool {
	a.until = until
	for ; len(a.heap) > 0 && a.heap[0].at < until; most-- {
		if most == 0 {
			return false
		}
		e := a.pop()
		a.now = e.at
		e.doer.Do(e.at, e.arg)
	}
	a.now = max(a.now, until)
	return true
}

func (a *Agenda) pop() entry {
	h := a.heap
	top, n := h[0], len(h)-1
	last := h[n]
	h[n] = entry{}
	a.heap = h[:n]
	if n == 0 {
		return top
	}
	h = h[:n]
	i := 0
	for {
		child := 4*i + 1
		if child >= n {
			break
		}
		least := child
		for c := child + 1; c < min(child+4, n); c++ {
			if h[c].before(&h[least]) {
				least = c
			}
		}
		if !h[least].before(&last) {
			break
		}
		h[i] = h[least]
		i = least
	}
	h[i] = last
	return top
}
