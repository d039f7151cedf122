package network

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"synchroscope/sync/hull"
	"synchroscope/sync/match"
)

// An odd recording is one that nobody would make, but somebody will have.
type odd struct {
	name   string
	clocks []func(int64) int64 // true to local
	sent   [][4]int64          // from, to, sent and received, true
	honest bool                // no message is a false statement
}

// solve feeds the hosts one after the other, or interleaved by a seed, and solves what is stored once more.
func (o *odd) solve(t *testing.T, order uint64) *Solution {
	n := New(Config{})
	lists := make([][]match.Endpoint, len(o.clocks))
	for i, m := range o.sent {
		for side, host := range m[:2] {
			lists[host] = append(lists[host], match.Endpoint{
				Time: o.clocks[host](m[2+side]), Host: int32(host), Thread: -1,
				Direction: match.Direction(side), Key: match.Key{A: uint64(i)},
			})
		}
	}
	var left []int
	for i := range lists {
		n.AddHost(fmt.Sprint("h", i), fmt.Sprint("id", (i*7)%len(lists), i))
		slices.SortStableFunc(lists[i], func(a, b match.Endpoint) int { return cmp.Compare(a.Time, b.Time) })
		left = append(left, i)
	}
	r := rand.New(rand.NewPCG(order, 7))
	for len(left) > 0 {
		at := 0
		if order > 0 {
			at = r.IntN(len(left))
		}
		i := left[at]
		if len(lists[i]) == 0 {
			n.Done(int32(i), nil)
			left = slices.Delete(left, at, at+1)
			continue
		}
		n.Endpoint(lists[i][0], nil)
		lists[i] = lists[i][1:]
	}
	s := n.Solution()
	stored, err := ParseConstraints(n.Constraints().AppendBinary(nil))
	if err != nil {
		t.Fatalf("%s: %v", o.name, err)
	}
	if again, err := stored.Solve(Config{}); err != nil || text(again) != text(s) {
		t.Errorf("%s: what is stored is solved in another way (%v)", o.name, err)
	}
	return s
}

// One message or none, clocks that are a century apart, ten years between two bursts, no delay at all, times that no
// clock shows: nothing of that is more than a class and a bound that holds, and none of it depends on the order of reading.
func TestOddRecordings(t *testing.T) {
	const year = 31_557_600 * int64(second)
	r := rand.New(rand.NewPCG(1, 2))
	ahead := func(by, ppm int64) func(int64) int64 {
		return func(x int64) int64 {
			d := x - start
			return x + by + d/1_000_000*ppm + d%1_000_000*ppm/1_000_000
		}
	}
	talk := func(n int, begin, span, delay int64, hosts int64) (m [][4]int64) {
		for range n {
			from := r.Int64N(hosts)
			at := begin + r.Int64N(span)
			m = append(m, [4]int64{from, (from + 1 + r.Int64N(hosts-1)) % hosts, at, at + delay + int64(r.ExpFloat64()*2*float64(delay))})
		}
		return m
	}
	two := func(by, ppm int64) []func(int64) int64 { return []func(int64) int64{ahead(0, 0), ahead(by, ppm)} }
	three := append(two(-50*year, 0), ahead(50*year, 0))
	var anything [][4]int64
	for range 200 {
		anything = append(anything, [4]int64{0, 1, int64(r.Uint64()), int64(r.Uint64())}, [4]int64{1, 0, int64(r.Uint64()), int64(r.Uint64())})
	}
	same := [][4]int64{{0, 1, start, start + 5}, {1, 0, start, start + 5}}
	for _, o := range []odd{
		{"no messages", two(0, 0), nil, true},
		{"one message", two(7, 0), [][4]int64{{0, 1, start, start}}, true},
		{"one instant", two(9, 0), slices.Repeat(same, 100), true},
		{"no delay", two(77, 100), talk(500, start, 60*second, 0, 2), false}, // clocks round down
		{"one way", two(1e18, 0), slices.DeleteFunc(talk(600, start, 60*second, 20_000, 2), func(m [4]int64) bool { return m[0] > 0 }), true},
		{"a century", three, talk(500, start, 60*second, 20_000, 3), true},
		{"ten years", two(5e12, 500), talk(500, start, 10*year, 20_000, 2), true},
		{"two bursts", two(5e12, -500), append(talk(200, start, second, 20_000, 2), talk(200, start+10*year, second, 20_000, 2)...), true},
		{"anything", two(0, 0), anything, false},
	} {
		s := o.solve(t, 0)
		for order := range uint64(2) {
			if text(o.solve(t, order+1)) != text(s) {
				t.Errorf("%s: another order gives another solution", o.name)
			}
		}
		if !o.honest {
			continue
		}
		for _, k := range s.Links {
			if k.Class == hull.Fail || k.Violations > 0 {
				t.Errorf("%s: %s, %d violations", o.name, k.Class, k.Violations)
			}
		}
		for i := range s.Hosts {
			h := &s.Hosts[i]
			for _, m := range o.sent {
				local := o.clocks[i](m[2])
				bound, ok := h.Map.Error(local)
				if off := h.Map.Reference(local) - o.clocks[h.Reference](m[2]); ok && local >= h.Begin && local <= h.End && max(off, -off) > bound+2 {
					t.Errorf("%s: host %d is off by %d ns, the bound is %d", o.name, i, off, bound)
					break
				}
			}
		}
	}
}
