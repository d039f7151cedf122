// Package losses keeps what is missing of a host, loss by loss, in a file: when, on which CPU, and how much.
// docs/format/losses.md describes it.
//
// Losses come nearly in order of time, and a question goes over stretches of it. So the file is not sorted: of each block
// it is known from when to when its losses are and what they add up to, and a block is read only where that does not
// answer the question.
package losses

import "math"

// CPUs of a [Sum] and of a [Loss] that are none.
const (
	Untold  = -1 // the trace does not tell
	Several = -2
)

// Endless is the End of a [Loss] that is over nobody knows when: as of a packet that was cut, so that it does not say when it was closed. It is answered as the end of the
// recording.
const Endless = math.MaxInt64

// A Loss is what is missing on a CPU from Begin to End, local ns, both included: nobody knows when between them.
type Loss struct {
	CPU        int32 // Untold where the trace does not tell
	Begin, End int64
	At         int64 // it is told behind the events of this time
	Events     int64 // that the tracer counted
	Packets    int64 // whole ones, of an unknown number of events
}

// A Sum is of losses: how many there are and what they come to. That of none is zero.
type Sum struct {
	Times   int64
	Events  int64 // at most Most, as Packets
	Packets int64
	Begin   int64 // of the one that begins first, local ns
	Last    int64 // of the one that begins last
	End     int64 // of the one that ends last
	First   int64 // the earliest place
	Final   int64 // the latest place
	CPU     int32 // of all of them, or Several
}

// Most is the greatest number that a sum tells. All of JSON has it exactly.
const Most = 1 << 53

// SumOf is that of one loss.
func SumOf(l Loss) Sum {
	return Sum{Times: 1, Events: min(l.Events, Most), Packets: min(l.Packets, Most), Begin: l.Begin, Last: l.Begin, End: l.End, First: l.At, Final: l.At, CPU: l.CPU}
}

// With is the sum of what two sums are of.
func (s Sum) With(o Sum) Sum {
	switch {
	case o.Times == 0:
		return s
	case s.Times == 0:
		return o
	}
	if s.CPU != o.CPU {
		s.CPU = Several
	}
	return Sum{
		Times: s.Times + o.Times, Events: min(s.Events, Most-o.Events) + o.Events, Packets: min(s.Packets, Most-o.Packets) + o.Packets,
		Begin: min(s.Begin, o.Begin), Last: max(s.Last, o.Last), End: max(s.End, o.End),
		First: min(s.First, o.First), Final: max(s.Final, o.Final), CPU: s.CPU,
	}
}

// A Query asks for the losses that touch [Begin, End), by the clock that Time reads.
type Query struct {
	Begin, End int64
	// Time maps local time; nil leaves it as it is. It must not fall where local time rises.
	Time func(local int64) int64
	// Placed has the range be one of places: it asks for the losses that are told in it, wherever they reach.
	Placed bool
	// Final is the last time, local ns, of what has been read of the host. Losses without end go on to there.
	Final int64
	// Edges ascend and part the losses by when they begin, or by their places: those of a part are from its edge on to before the next one, the
	// first part is before all edges. None leaves them together.
	Edges []int64
}

func (q *Query) time(local int64) int64 {
	if q.Time == nil {
		return local
	}
	return q.Time(local)
}

// A span is from when to when losses begin and end, or where they are told.
type span struct{ firstBegin, lastBegin, firstEnd, lastEnd int64 }

func (q *Query) span(x Loss) span {
	if q.Placed {
		return span{x.At, x.At, x.At, x.At}
	}
	return span{x.Begin, x.Begin, x.End, x.End}
}

// A Part is a part of an answer.
type Part struct {
	Sum
	Beyond Sum // those of them that reach out of the range
}

func (p *Part) add(s Sum, beyond bool) {
	p.Sum = p.With(s)
	if beyond {
		p.Beyond = p.Beyond.With(s)
	}
}

// lies tells how losses of a span lie to the range, as far as all of them do the same: outside of it, or
// in it, or reaching out of it.
func (q *Query) lies(s span) (out, in, beyond bool) {
	fb, lb, fe, le := q.time(s.firstBegin), q.time(s.lastBegin), q.time(s.firstEnd), q.time(s.lastEnd)
	out = !q.before(fb) || le < q.Begin
	in = fb >= q.Begin && q.before(le)
	beyond = q.before(lb) && fe >= q.Begin && (lb < q.Begin || !q.before(fe))
	return out, in, beyond
}

// before tells whether a time is before the end of the range, which is none if it is the last time there is.
func (q *Query) before(t int64) bool { return t < q.End || q.End == math.MaxInt64 }
