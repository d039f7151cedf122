package network_test

import (
	"math/big"
	"syscall"
	"testing"

	"synchroscope/sync/clock"
	"synchroscope/sync/graph"
	"synchroscope/sync/hull"
	"synchroscope/sync/match"
	"synchroscope/sync/network"
)

// An update is what the forest is told when a message narrowed a link.
type update struct {
	edge         graph.Edge
	there, hence factors // from a's clock to b's, and back
}

// factors are a line as the thesis keeps it: to = rate·from + offset.
type factors struct{ rate, offset float64 }

func (f factors) then(g factors) factors {
	return factors{f.rate * g.rate, f.offset*g.rate + g.offset}
}

func factorsOf(l clock.Line) factors {
	rate, _ := l.Alpha.Float64()
	offset, _ := l.Beta.Float64()
	return factors{rate, offset}
}

// updates goes through the messages of a recording as they become certain. A link weighs the
// range of slopes that its messages leave, in parts per 10^15, as in M. Jabbarifar's thesis (2013, section 5.6.2).
func updates(r *recording) (list []update, messages int) {
	hulls := make(map[[2]int32]*hull.Hull)
	r.network(network.Config{Settled: func(m match.Message) {
		messages++
		key := [2]int32{min(m.From, m.To), max(m.From, m.To)}
		h := hulls[key]
		if h == nil {
			h = new(hull.Hull)
			hulls[key] = h
		}
		side, at := hull.Upper, hull.Point{X: m.Sent, Y: m.Received}
		if m.From != key[0] {
			side, at = hull.Lower, hull.Point{X: m.Received, Y: m.Sent}
		}
		if !h.Add(side, at) || h.Class() != hull.Accurate {
			return
		}
		high, low := h.AlphaMax(), h.AlphaMin()
		width, _ := new(big.Rat).Sub(high, low).Float64()
		choice, _ := h.Choose()
		line := clock.Line{Alpha: choice.Alpha, Beta: choice.Beta}
		list = append(list, update{
			graph.Edge{A: int(key[0]), B: int(key[1]), Weight: 1 + int64(min(width, 1e3)*1e15)},
			factorsOf(line), factorsOf(line.Inverse()),
		})
	}}, nil)
	return list, messages
}

// All updates of forest, reference and conversions over 25 minutes of 20 hosts, as in the
// thesis's table 5.6: one for each message that narrows its link; where the ways of hosts changed, or a link on them was narrowed,
// their factors are composed anew, in floats, as there. By processor time. And the same once, with exact maps: what a solution takes.
func BenchmarkCluster20(b *testing.B) {
	r := simulated(b, "cluster-20", 1, 0)
	b.Run("updates", func(b *testing.B) {
		list, messages := updates(r)
		hosts := len(r.names)
		links := make([]factors, hosts*hosts)
		toReference := make([]factors, hosts)
		var changes, references, conversions int
		begin := processor(b)
		for b.Loop() {
			changes, references, conversions = 0, 0, 0
			var f graph.Forest
			f.Grow(hosts)
			for _, u := range list {
				links[u.edge.A*hosts+u.edge.B], links[u.edge.B*hosts+u.edge.A] = u.there, u.hence
				c := f.Set(u.edge)
				if c.Edges || c.Reference {
					changes++
				}
				if c.Reference {
					references++
				}
				for h, next := range f.Affected(c) {
					conversions++
					if next < 0 {
						toReference[h] = factors{1, 0}
						continue
					}
					toReference[h] = links[h*hosts+next].then(toReference[next])
				}
			}
		}
		b.ReportMetric(float64(processor(b)-begin)/float64(b.N)/1e6, "ms/run")
		b.ReportMetric(float64(messages), "messages")
		b.ReportMetric(float64(len(list)), "accurate")
		b.ReportMetric(float64(changes), "changes")
		b.ReportMetric(float64(references), "references")
		b.ReportMetric(float64(conversions), "conversions")
	})
	b.Run("solution", func(b *testing.B) {
		relate := r.network(network.Config{}, nil).Relater()
		begin := processor(b)
		for b.Loop() {
			relate()
		}
		b.ReportMetric(float64(processor(b)-begin)/float64(b.N)/1e6, "ms/run")
	})
}

// processor is the processor time of the process so far, in ns.
func processor(b *testing.B) int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return u.Utime.Nano() + u.Stime.Nano()
}
