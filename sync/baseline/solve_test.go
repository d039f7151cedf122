package baseline

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"synchroscope/sync/match"
	"synchroscope/sync/network"
)

// set is hosts in a network, and their messages.
type set struct {
	net      *network.Network
	messages *Messages
	clocks   []func(int64) int64
	key      uint64
}

func newSet(clocks ...func(int64) int64) *set {
	s := &set{net: network.New(network.Config{}), messages: NewMessages(0), clocks: clocks}
	for i := range clocks {
		name := string(rune('a' + i))
		s.net.AddHost(name, name)
	}
	return s
}

func (s *set) send(from, to int32, sent, received int64) {
	s.key++
	k := match.Key{A: s.key}
	s.net.Endpoint(match.Endpoint{Time: s.clocks[from](sent), Host: from, Direction: match.Send, Key: k}, s.messages.Add)
	s.net.Endpoint(match.Endpoint{Time: s.clocks[to](received), Host: to, Direction: match.Receive, Key: k}, s.messages.Add)
}

func (s *set) done() *network.Solution {
	for i := range s.clocks {
		s.net.Done(int32(i), s.messages.Add)
	}
	return s.net.Solution()
}

// Eight hosts in a row with the rates of table 4.15 and clocks set by up to
// half a second: over seven hops less than 1 µs is lost, for lines are composed. Adding rates and
// offsets, as equations 4.1 and 4.2 do, loses more than 5 µs.
func TestChainIsComposed(t *testing.T) {
	ppm := []int64{0, -5, 14, 1, 167, 3, 6, -42}
	r := rand.New(rand.NewPCG(1, 1))
	var clocks []func(int64) int64
	for _, p := range ppm {
		clocks = append(clocks, linear(r.Int64N(second)-second/2, p))
	}
	s := newSet(clocks...)
	delay := func() int64 { return 45_000 + r.Int64N(2400) }
	for at := int64(0); at < 1800*second; at += second {
		for i := range int32(7) {
			there := at + delay()
			s.send(i, i+1, at, there)
			s.send(i+1, i, there+10_000, there+10_000+delay())
		}
	}
	own := s.done()
	for _, m := range []Method{RoundTrip, Regression} {
		solved := Solve(own, s.messages.Links(), m, Config{References: []int32{0}})
		h := solved.Hosts[7]
		for _, at := range []int64{10 * second, 900 * second, 1790 * second} {
			if off := h.Map.Reference(clocks[7](at)) - clocks[0](at); max(off, -off) > 1000 {
				t.Errorf("%v: off by %d ns over seven hops", m, off)
			}
		}
		// By addition: the offset of h to a is the sum of those of neighbours, each at the same reading.
		x := clocks[7](900 * second)
		sum := int64(0)
		for i := 6; i >= 0; i-- {
			e := m.Estimate(&s.messages.Links()[i], Config{})
			sum += e.Clock.Reference(x) - x
		}
		if off := x - sum - clocks[0](900*second); max(off, -off) < 5000 {
			t.Errorf("%v: adding up is off by %d ns only", m, off)
		}
	}
}

// No method bounds anything, no bound is made up; islands stay islands; what is known of the
// messages stays as it is.
func TestSolutionOfAMethod(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	s := newSet(linear(0, 10), linear(second, -20), linear(-second, 5), linear(0, 0), linear(7, 0))
	for at := int64(0); at < 60*second; at += second / 10 {
		for i := range int32(2) {
			there := at + 30_000 + r.Int64N(5000)
			s.send(i, i+1, at, there)
			s.send(i+1, i, there+5000, there+35_000+r.Int64N(5000))
		}
	}
	s.send(3, 4, 0, 1000) // one direction
	own := s.done()
	all := []Paths{Tree, Dijkstra, AllPairs}
	for _, m := range Methods() {
		for i := range all {
			solved := Solve(own, s.messages.Links(), m, Config{Paths: &all[i]})
			report := solved.Report()
			if report.Reference != "b" {
				t.Errorf("%v, %v: the reference is %q, want that in the middle", m, all[i], report.Reference)
			}
			for h, host := range report.Hosts {
				if host.Error != nil || len(host.Bounds) > 0 || host.Assumption != nil || host.RateCap != nil {
					t.Errorf("%v bounds host %d: %+v", m, h, host)
				}
			}
			for k, l := range report.Links {
				if l.Error != nil || l.AlphaMin != nil || l.Class != own.Links[k].Class.String() || l.Messages.AToB != own.Links[k].AToB {
					t.Errorf("%v says of link %d %+v", m, k, l)
				}
			}
			if c := solved.Hosts; c[0].Component != c[2].Component || c[3].Component == c[0].Component || c[3].Component == c[4].Component {
				t.Errorf("%v: components %d, %d, %d, %d", m, c[0].Component, c[2].Component, c[3].Component, c[4].Component)
			}
			text, err := json.Marshal(report)
			if err != nil || !strings.Contains(string(text), `"error_ns":null`) {
				t.Errorf("%v: %v, %s", m, err, text)
			}
			if score, ok := Compare(solved, s.readings()); !ok || score.Bounded != 0 || score.Worst > 100_000 {
				t.Errorf("%v is off by %+v", m, score)
			}
		}
		pinned := Solve(own, s.messages.Links(), m, Config{References: []int32{2}})
		if pinned.Reference != 2 || pinned.Hosts[0].Reference != 2 {
			t.Errorf("%v: the reference is %d although 2 is wanted", m, pinned.Reference)
		}
	}
}

// A pinned host is the reference of the solution, however small its component is; of several that of the largest is.
func TestPinnedOnAnIsland(t *testing.T) {
	s := newSet(linear(0, 0), linear(0, 0), linear(0, 0))
	for at := int64(0); at < 60*second; at += second / 10 {
		s.send(1, 2, at, at+30_000)
		s.send(2, 1, at+40_000, at+70_000)
	}
	own := s.done()
	for _, c := range []struct {
		pinned []int32
		want   int32
	}{{nil, 1}, {[]int32{0}, 0}, {[]int32{0, 2}, 2}} {
		if got := Solve(own, s.messages.Links(), RoundTrip, Config{References: c.pinned}).Reference; got != c.want {
			t.Errorf("pinned %v: the reference is %d, want %d", c.pinned, got, c.want)
		}
	}
}

// readings are those of true seconds.
func (s *set) readings() [][]Reading {
	all := make([][]Reading, len(s.clocks))
	for i, c := range s.clocks {
		for at := int64(second); at < 60*second; at += second {
			all[i] = append(all[i], Reading{at, c(at)})
		}
	}
	return all
}

// The score of our own solution: within its bounds, and outside of them for
// a truth that is not the truth.
func TestScore(t *testing.T) {
	s := newSet(linear(0, 0), linear(second, 0))
	for at := int64(0); at <= 60*second; at += second {
		s.send(0, 1, at, at+1000)
		s.send(1, 0, at+1000, at+2000)
	}
	own := s.done()
	score, ok := Compare(own, s.readings())
	if !ok || score.Instants != 59 || score.Bounded != 59 || score.Outside != 0 || score.Worst > 2 || score.Bound < 1000 || score.Bound > 2000 {
		t.Errorf("%+v, %v", score, ok)
	}
	wrong := s.readings()
	other := 1 - own.Reference
	wrong[other] = wrong[other][10:]
	wrong[other][0].Local += 5000
	score, ok = Compare(own, wrong)
	if !ok || score.Instants != 49 || score.Outside != 1 || score.Excess < 3000 || score.Worst < 4998 || score.WorstHost != other || score.Median > 2 {
		t.Errorf("%+v, %v", score, ok)
	}
	if _, ok := Compare(own, make([][]Reading, 2)); ok {
		t.Error("nothing to compare is compared")
	}
}
