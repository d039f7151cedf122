package validate

import (
	"slices"

	"synchroscope/trace/ctf"
)

// A gap is a time in which events of a CPU are missing, both ends included. -1 is all CPUs.
type gap struct {
	cpu        int32
	begin, end int64
}

// gaps are those of a trace, in the order of their beginnings.
type gaps struct {
	list []gap
	next int
	open []gap // begun, and not ended before the last time asked for
}

func newGaps(losses []ctf.Loss) *gaps {
	g := &gaps{}
	for _, l := range losses {
		g.list = append(g.list, gap{l.CPU, l.Begin, l.End})
	}
	slices.SortFunc(g.list, func(a, b gap) int { return int(min(1, max(-1, a.begin-b.begin))) })
	return g
}

// at calls ended with the gaps that are over at a time, and tells whether some are open. Times
// do not decrease.
func (g *gaps) at(t int64, ended func(cpu int32)) bool {
	for g.next < len(g.list) && g.list[g.next].begin <= t {
		g.open = append(g.open, g.list[g.next])
		g.next++
	}
	if len(g.open) == 0 {
		return false
	}
	kept := g.open[:0]
	for _, o := range g.open {
		if o.end >= t {
			kept = append(kept, o)
		} else {
			ended(o.cpu)
		}
	}
	g.open = kept
	return len(kept) > 0
}

// covers tells whether a gap of the CPU is open.
func (g *gaps) covers(cpu int32) bool {
	return slices.ContainsFunc(g.open, func(o gap) bool { return o.cpu == cpu || o.cpu < 0 })
}
