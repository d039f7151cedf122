package network

import (
	"math/rand/v2"
	"testing"

	"synchroscope/sync/hull"
	"synchroscope/sync/match"
)

// Two hosts, an honest link, one packet each way per ms: the cost per endpoint,
// extraction left out.
func BenchmarkEndpoint(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	n := New(Config{})
	n.AddHost("a", "a")
	n.AddHost("b", "b")
	at := int64(start)
	for i := 0; b.Loop(); i += 2 {
		at += 500_000
		from := int32(i / 2 % 2)
		delay := 60_000 + int64(r.ExpFloat64()*100_000)
		k := match.Key{A: uint64(i)}
		n.Endpoint(match.Endpoint{Time: at, Host: from, Direction: match.Send, Key: k}, nil)
		n.Endpoint(match.Endpoint{Time: at + delay, Host: 1 - from, Direction: match.Receive, Key: k}, nil)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(2*b.N), "ns/endpoint")
}

// Twenty hosts that all talk, 190 links: the cost of a solution.
func BenchmarkSolution(b *testing.B) {
	n := New(Config{})
	for i := range 20 {
		n.AddHost(string(rune('a'+i)), string(rune('a'+i)))
	}
	var key uint64
	for i := range int32(20) {
		for j := range i {
			talk(n, j, i, 0, 50_000+int64(i)*1000, 50, &key)
		}
	}
	for b.Loop() {
		n.changed = true
		n.Solution()
	}
}

// Two hosts for four hours, whose clocks are no line: the cost of a solution,
// and what the link keeps.
func BenchmarkSolutionInPieces(b *testing.B) {
	n := New(Config{})
	room(n, 60_000)
	for b.Loop() {
		n.changed = true
		n.Solution()
	}
	e := &n.order[0].live.series
	b.ReportMetric(float64(len(e.Points(hull.Upper))+len(e.Points(hull.Lower))), "points")
}
