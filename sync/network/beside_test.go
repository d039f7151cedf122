package network

import (
	"math/rand/v2"
	"slices"
	"testing"

	"synchroscope/sync/clock"
)

// A link in use is known as well whichever host is the reference, while both hosts of it recorded: but for a little by which the two clocks run
// differently, and that is so of what the reference's neighbours have as their own bounds, too.
func TestLinksByAnyReference(t *testing.T) {
	for seed := range uint64(3) {
		var clocks [4]setClock
		base := fourApart(rand.New(rand.NewPCG(seed, 5)), &clocks)
		first := base.Solution()
		for _, pinned := range []string{"h0", "h1", "h2", "h3"} {
			s, err := base.Constraints().Solve(Config{Reference: pinned})
			if err != nil {
				t.Fatal(err)
			}
			for i := range s.Links {
				k, was := s.Links[i].Force, first.Links[i].Force
				if k == nil || was == nil {
					continue
				}
				for _, p := range [][2]int64{{k.ErrorMin, was.ErrorMin}, {k.ErrorMax, was.ErrorMax}, {k.First, was.First}, {k.Last, was.Last}} {
					if apart := p[0] - p[1]; max(apart, -apart) > p[1]/200+20 {
						t.Errorf("seed %d: by %s the link of %d and %d is known to %+v, by %s to %+v", seed, pinned, s.Links[i].A, s.Links[i].B, *k, first.Hosts[first.Reference].Name, *was)
						break
					}
				}
			}
		}
	}
}

// fourApart are four machines that begin and end to be recorded at other times.
func fourApart(r *rand.Rand, clocks *[4]setClock) *Network {
	n := New(Config{})
	const span = 40 * second
	for i := range clocks {
		c := &clocks[i]
		c.offset, c.ppm = r.Int64N(20*second)-10*second, r.Float64()*200-100
		n.AddHost(string([]byte{'h', byte('0' + i)}), string([]byte{'i', byte('0' + (i*3+1)%4)}))
		n.Span(int32(i), c.local(start-int64(i)*second), c.local(start+span+int64(3-i)*2*second))
	}
	var key uint64
	for a := range 4 {
		b := (a + 1) % 4
		delay := 60_000 + r.Int64N(60_000)
		for at := int64(start) + r.Int64N(second); at < start+span; at += second/4 + r.Int64N(3*second) {
			key++
			exchange(n, int32(a), int32(b), key, clocks[a].local(at), clocks[b].local(at+delay+int64(r.ExpFloat64()*20_000)), 0)
			key++
			exchange(n, int32(b), int32(a), key, clocks[b].local(at+second/10), clocks[a].local(at+second/10+delay+int64(r.ExpFloat64()*20_000)), 0)
		}
	}
	for i := range int32(4) {
		n.Done(i, nil)
	}
	return n
}

// Two hosts that exchanged messages are known against each other at least as well as these tell, also where the way between them is another: their clocks are
// in both bands. Where the two contradict each other the way alone counts.
func TestBesideTheWay(t *testing.T) {
	for _, wrong := range []int64{0, 5_000_000, -5_000_000} {
		n := New(Config{Reference: "b"})
		for _, name := range []string{"a", "b", "c"} {
			n.AddHost(name, name)
		}
		var key uint64
		talkAt(n, 0, 1, 0, second, 50_000, 40, &key)
		talkAt(n, 1, 2, second, 2*second, 50_000, 40, &key)
		talkAt(n, 0, 2, 0, 2*second+wrong, 60_000, 40, &key)
		for i := range int32(3) {
			n.Done(i, nil)
		}
		s := n.Solution()
		own, used := int64(0), 0
		for _, k := range s.Links {
			if k.InTree {
				used++
			}
			if k.A == 0 && k.B == 2 {
				own = k.ErrorMax
				if k.InTree {
					t.Fatal("the longest link is in use")
				}
			}
		}
		c := n.Constraints()
		with, err := c.Compare(Config{Reference: "b"}, [2]string{"a", "c"})
		if err != nil {
			t.Fatal(err)
		}
		without, err := c.Compare(Config{Reference: "b", Exclude: [][2]string{{"a", "c"}}}, [2]string{"a", "c"})
		if err != nil {
			t.Fatal(err)
		}
		for at := s.Hosts[0].Begin; at < s.Hosts[0].End; at += second / 2 {
			is, ok := with[0].Map.Error(at)
			was, both := without[0].Map.Error(at)
			if !ok || !both {
				t.Fatalf("no bound at %d", at)
			}
			off := with[0].Map.Reference(at) - (at + 2*second)
			if max(off, -off) > is {
				t.Errorf("off by %d, the bound is %d", off, is)
			}
			if wrong == 0 && (is > own+own/8 || is >= was) {
				t.Errorf("known to %d along %v, by their own messages to %d, without these to %d", is, with[0].Way, own, was)
			}
			if apart := is - was; wrong != 0 && max(apart, -apart) > was/500 {
				t.Errorf("a link that contradicts the way makes %d of %d", is, was)
			}
		}
		// Of any map, not of one in the middle of the band only.
		knots := slices.Clone(s.direct(0, 2).Knots())
		for i := range knots {
			knots[i].Reference += 30_000
		}
		m, err := clock.New(knots, nil)
		if err != nil {
			t.Fatal(err)
		}
		alone := s.bounder(m, []hop{n.hops[[2]int32{0, 1}], n.hops[[2]int32{1, 2}]}, 0, 2)
		both := alone.besides(n.hops[[2]int32{0, 2}], true)
		if same := slices.Equal(alone.bounds(s.Hosts[0].Begin, s.Hosts[0].End), both.bounds(s.Hosts[0].Begin, s.Hosts[0].End)); same != (wrong != 0) {
			t.Errorf("off by %d the link makes a difference: %v", wrong, !same)
		}
		// Where one of the two is the reference its bounds are the same.
		for _, pinned := range []string{"a", "c"} {
			by, err := c.Solve(Config{Reference: pinned})
			if err != nil {
				t.Fatal(err)
			}
			other := by.Hosts[map[string]int{"a": 2, "c": 0}[pinned]]
			if most, ok := other.Map.Worst(other.Begin, other.End); !ok || wrong == 0 && most > own+own/8 {
				t.Errorf("by %s %s is known to %d, by their own messages to %d", pinned, other.Name, most, own)
			}
		}
	}
}
