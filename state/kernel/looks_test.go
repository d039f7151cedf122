package kernel_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/kernel"
)

// instants is how many random ones are looked at: a tenth with -short.
const instants = 10_000

// gone stands for the status of a thread that is not there.
const gone = kernel.Status(255)

// Looks are instants of a history at which it is held against something else.
type looks struct {
	t       *testing.T
	h       *history.History
	begin   int64
	times   []int64 // in order
	columns [5][]history.Value
	wrong   int
}

// lookAt chooses instants at random.
func lookAt(t *testing.T, h *history.History) looks {
	begin, end := h.Bounds()
	return lookWithin(t, h, begin, end)
}

// lookWithin chooses instants from begin on to before end.
func lookWithin(t *testing.T, h *history.History, begin, end int64) looks {
	l := looks{t: t, h: h}
	dice := rand.New(rand.NewPCG(6, 6))
	n := instants
	if testing.Short() {
		n /= 10
	}
	l.begin, _ = h.Bounds()
	for range n {
		l.times = append(l.times, begin+dice.Int64N(end-begin))
	}
	slices.Sort(l.times)
	for i := range l.columns {
		l.columns[i] = make([]history.Value, n)
	}
	return l
}

// rows are the threads that the history knows, but for idle ones, with their attributes.
func (l *looks) rows() map[int32]attribute.Quark {
	rows := make(map[int32]attribute.Quark)
	tree := l.h.Attributes()
	for _, q := range tree.Match("Threads/*") {
		if tid, err := strconv.Atoi(tree.Name(q)); err == nil && tid != 0 {
			rows[int32(tid)] = q
		}
	}
	return rows
}

func (l *looks) fail(format string, args ...any) {
	if l.wrong++; l.wrong <= 10 {
		l.t.Errorf(format, args...)
	}
}

// column is what an attribute holds at the instants; the next that is asked for as the same one takes its place.
func (l *looks) column(which int, q attribute.Quark) []history.Value {
	out := l.columns[which]
	clear(out)
	if q == attribute.None {
		return out
	}
	i := 0
	intervals(l.t, l.h, func(iv history.Interval) {
		for i < len(l.times) && l.times[i] < iv.Start {
			i++
		}
		for ; i < len(l.times) && l.times[i] < iv.End; i++ {
			out[i] = iv.Value
		}
	}, q)
	return out
}
