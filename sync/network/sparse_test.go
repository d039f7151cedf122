package network

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"synchroscope/sync/hull"
	"synchroscope/sync/match"
)

// Two messages there and two back of every pair of hosts tell each clock much nearer than those of one pair do.
func TestSparse(t *testing.T) {
	const hosts, span = 40, 600 * second
	r := rand.New(rand.NewPCG(3, 4))
	ahead := make([]float64, hosts)
	for h := 1; h < hosts; h++ {
		ahead[h] = 50_000 * r.NormFloat64()
	}
	var list []said
	var direct, all float64
	for a := range int32(hosts) {
		for b := a + 1; b < hosts; b++ {
			var ways pool
			by := ahead[b] - ahead[a]
			for side := range ways {
				for range 2 {
					ways[side] = append(ways[side], lag{start + r.Int64N(span), 20_000 + 20_000*r.ExpFloat64() + by, 100 + r.Uint32N(200)})
				}
				by = -by
			}
			s := sparse(said{a: a, b: b, round: ways.round()}, ways, &Link{})
			if len(s.votes) != 1 || !s.sparse {
				t.Fatalf("%d votes", len(s.votes))
			}
			if a == 0 {
				direct += (s.votes[0].ns - ahead[b]) * (s.votes[0].ns - ahead[b])
			}
			list = append(list, s)
		}
	}
	weighSparse(list)
	if g := stiffest(list, start, start+span, hull.Crystals); g.count != 2 {
		t.Errorf("a bend of %d instants, of links that say nothing of bends", g.count)
	}
	g := newBend(start, start+span, 1, hull.Crystals)
	moved, _ := g.balance(0, list, hosts)
	for h, found := range moved {
		if h > 0 {
			off := (found[0]+found[1])/2 - ahead[h]
			all += off * off
		}
	}
	if all > direct/9 {
		t.Errorf("off by %.0f ns, by the link to the reference alone %.0f", math.Sqrt(all/(hosts-1)), math.Sqrt(direct/(hosts-1)))
	}
}

// A vote counts the less the longer the way there and back took than the shortest of any link, and the more its two messages differ in length; nothing is said of a link with
// messages in one direction only.
func TestSparseWeights(t *testing.T) {
	one := func(there, back lag) said {
		ways := pool{{there}, {back}}
		return sparse(said{a: 0, b: 1, round: ways.round()}, ways, &Link{ErrorMedian: 80_000})
	}
	list := []said{
		one(lag{0, 20_000, 100}, lag{10, 22_000, 100}),
		one(lag{0, 60_000, 100}, lag{10, 22_000, 100}),
		one(lag{0, 20_000, 100}, lag{10, 22_000, 1100}),
		one(lag{0, 20_000, 0}, lag{10, 22_000, 0}),
		{votes: []vote{{difference{}, 7}}, round: 30_000}, // with many messages
	}
	weighSparse(list)
	const least = 3000 * 3000
	for i, want := range []float64{
		least + 6000*6000, // half of 42 µs there and back less 30
		least + 26_000*26_000,
		least + 6000*6000 + 8000*8000,     // 1000 bytes
		least + 6000*6000 + 20_000*20_000, // lengths are not recorded
		7,
	} {
		if got := list[i].votes[0].variance; got != want {
			t.Errorf("vote %d: a deviation of %.0f ns, want %.0f", i, math.Sqrt(got), math.Sqrt(want))
		}
	}
	if list[0].votes[0].ns != -1000 {
		t.Errorf("ahead by %g ns, want -1000", list[0].votes[0].ns)
	}
	if s := sparse(said{}, pool{{lag{0, 1, 1}}, nil}, &Link{}); len(s.votes) != 0 {
		t.Errorf("one direction votes: %v", s.votes)
	}
}

// Lengths of which few are equal are compared with those that are about equal, unless those of one direction are longer.
func TestAboutEqualLengths(t *testing.T) {
	for what, c := range map[string]struct {
		more  uint32
		equal bool
	}{"alike": {0, true}, "longer": {40, false}} {
		var ways pool
		for side := range ways {
			for i := range uint32(100) {
				m := lag{int64(i), 20_000, 300 + i*61%71}
				if side == 1 {
					m.bytes += c.more
				}
				ways[side] = append(ways[side], m)
			}
		}
		list, equal := kinds(ways)
		messages := 0
		for _, k := range list {
			if k.equal {
				messages += len(k.delays[0]) + len(k.delays[1])
			}
		}
		if equal != c.equal || c.equal && messages < 150 {
			t.Errorf("%s: equal %v with %d messages", what, equal, messages)
		}
	}
}

// A host with few messages goes with the only one that it talks to, which is moved far by what thousands say, and does not hold it back.
func TestSparseLeafFollows(t *testing.T) {
	var off [3]float64
	const runs = 10
	for seed := range uint64(runs) {
		r := rand.New(rand.NewPCG(seed, 9))
		n := New(Config{Reference: "a"})
		for i := range int32(3) {
			n.AddHost(string('a'+i), string('a'+i))
			n.Span(i, start, start+60*second)
		}
		var key uint64
		say := func(from, to int32, at, floor int64, bytes uint32) {
			key++
			k := match.Key{A: key}
			n.Endpoint(match.Endpoint{Time: at, Host: from, Direction: match.Send, Key: k, Bytes: bytes}, nil)
			at += floor + int64(r.ExpFloat64()*float64(floor)/4)
			n.Endpoint(match.Endpoint{Time: at, Host: to, Direction: match.Receive, Key: k, Bytes: bytes}, nil)
		}
		for i := range int64(1000) {
			at := start + i*60*second/1000
			say(0, 1, at, 100_000, 52)
			say(1, 0, at+20_000_000, 100_000, 52)
		}
		// Short messages that only one of the two sends are fast: the middle of what is possible is 40 µs from where the clocks are.
		for i := range int64(30) {
			say(0, 1, start+i*2*second+7, 20_000, 40)
		}
		for i := range int64(3) {
			at := start + 10*second + i*15*second
			say(1, 2, at, 20_000, 52)
			say(2, 1, at+30_000_000, 20_000, 52)
		}
		for i := range int32(3) {
			n.Done(i, nil)
		}
		s := n.Solution()
		const at = start + 30*int64(second)
		for i := range off {
			off[i] += math.Abs(float64(s.Hosts[i].Map.Reference(at)-at)) / runs
		}
	}
	if off[1] > 4000 || off[2] > 6000 {
		t.Errorf("off by %.0f ns in the mean, and the host with few messages by %.0f", off[1], off[2])
	}
}

// Whatever the order of messages, densities are the same to the last digit.
func TestKindsInAnyOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var ways pool
	for side := range ways {
		for range 4000 {
			ways[side] = append(ways[side], lag{start + r.Int64N(second), 20_000 + 10*r.ExpFloat64(), uint32(52 + r.IntN(3))})
		}
	}
	votes := func() []vote {
		list, _ := kinds(pool{slices.Clone(ways[0]), slices.Clone(ways[1])})
		d, _ := divide(ways)
		return d.course(list)
	}
	want := votes()
	for range 10 {
		for _, way := range ways {
			r.Shuffle(len(way), func(i, j int) { way[i], way[j] = way[j], way[i] })
		}
		if got := votes(); !slices.Equal(got, want) {
			t.Fatalf("%v in another order, want %v", got, want)
		}
	}
}
