package network

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/sync/hull"
	"synchroscope/sync/match"
)

// An office is two hosts with two links of 100 Mbit/s between them, so that a byte takes 160 ns.
const perByte = 160

// asking are the messages of a host that asks every 50 ms and confirms every second answer by itself, in an office: questions
// and answers have the lengths given, confirmations 52 bytes. Questions wait for 6 µs in the mean, answers for as many ns as given. What is recorded as the length is
// what tell makes of it.
func asking(question, answer uint32, wait float64, tell func(uint32) uint32) *Network {
	n := New(Config{Reference: "a"})
	n.AddHost("a", "a")
	n.AddHost("b", "b")
	r := rand.New(rand.NewPCG(5, 5))
	var key uint64
	send := func(from int32, at int64, bytes uint32, wait float64) int64 {
		received := at + 40_000 + int64(bytes)*perByte + int64(r.ExpFloat64()*wait)
		times := [2]int64{at, received}
		times[1-from] += 7 * second // b is ahead
		key++
		k := match.Key{A: key}
		n.Endpoint(match.Endpoint{Time: times[0], Host: from, Direction: match.Send, Bytes: tell(bytes), Key: k}, nil)
		n.Endpoint(match.Endpoint{Time: times[1], Host: 1 - from, Direction: match.Receive, Bytes: tell(bytes), Key: k}, nil)
		return received
	}
	for i := range int64(1200) {
		at := send(0, start+i*50_000_000, question, 6000)
		at = send(1, at+100_000, answer, wait)
		if i%2 == 0 {
			send(0, at+5_000_000, 52, 6000)
		}
	}
	n.Done(0, nil)
	n.Done(1, nil)
	return n
}

// off is by how much b's clock is off in the middle, by the map.
func off(n *Network) int64 {
	const middle = start + 30*second
	d := n.Solution().Hosts[1].Map.Reference(middle+7*second) - middle
	return max(d, -d)
}

// The shortest messages there and back differ by 64 bytes, which take 10 µs. Those of equal length
// say to a µs how far the clocks are apart, though their delays do not spread alike; where lengths are not recorded nothing does.
func TestEqualLengthsAreCompared(t *testing.T) {
	told := asking(116, 116, 9000, func(bytes uint32) uint32 { return bytes })
	untold := asking(116, 116, 9000, func(uint32) uint32 { return 0 })
	t.Logf("off by %d ns, without lengths by %d", off(told), off(untold))
	if off(told) > 1000 || off(untold) < 3000 {
		t.Errorf("off by %d ns, without lengths by %d", off(told), off(untold))
	}
	for _, n := range []*Network{told, untold} {
		k := n.Solution().Links[0]
		bound, ok := n.Solution().Hosts[1].Map.Error(start + 37*second)
		if k.Class != hull.Accurate || k.Violations != 0 || !ok || off(n) > bound {
			t.Errorf("%v, %d violations, off by %d ns, bound %d", k.Class, k.Violations, off(n), bound)
		}
	}
}

// Where no length is common to both directions the link votes for what it is, however alike its delays are.
func TestLengthsThatCannotBeCompared(t *testing.T) {
	for _, answer := range []uint32{1252, 452} {
		n := asking(452, answer, 9000, func(bytes uint32) uint32 { return bytes })
		s := n.Solution()
		if u := s.tie(n.order[0], []course{{up: -1}, {up: 0, path: []hop{{}}}}); len(u.list) < leastOf || u.still != (answer == 1252) {
			t.Errorf("answers of %d bytes: %d differences, still %v", answer, len(u.list), u.still)
		}
	}
}

// Where no length is common to both directions, but one has several, these say what a byte takes, and the directions are compared by that: 800 bytes are
// 128 µs. Where delays do not spread alike it is not known what else they have not in common.
func TestBytesAreTakenOff(t *testing.T) {
	tell := func(bytes uint32) uint32 { return bytes }
	for _, longer := range []bool{false, true} {
		question, answer := uint32(452), uint32(1252)
		if longer {
			question, answer = answer, question
		}
		if alike := off(asking(question, answer, 6000, tell)); alike > 1000 {
			t.Errorf("questions of %d bytes: off by %d ns", question, alike)
		}
		if unlike := off(asking(question, answer, 9000, tell)); unlike < 30_000 {
			t.Errorf("questions of %d bytes, delays that do not spread alike: off by %d ns", question, unlike)
		}
	}
}

// What is compared is decided by the set of messages: all of a length that has enough in both directions, whose shortest
// delays there and back are on one level, and whose directions are as far apart as they were.
func TestEqual(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var ways, again pool
		var count [2][5]int
		var least [2][5]float64
		for side := range ways {
			for i := range rapid.IntRange(0, 400).Draw(t, "messages") {
				m := lag{start + int64(i)*second, float64(40_000 + i*i%997), uint32(rapid.IntRange(0, 4).Draw(t, "length"))}
				if count[side][m.bytes]++; count[side][m.bytes] == 1 || m.ns < least[side][m.bytes] {
					least[side][m.bytes] = m.ns
				}
				ways[side] = append(ways[side], m)
			}
			again[side] = slices.Clone(ways[side])
			slices.Reverse(again[side])
		}
		level := equal(ways)
		for length := range 5 {
			enough := min(count[0][length], count[1][length]) >= inPool
			var found [2][]float64
			for side, way := range level {
				for _, m := range way {
					if int(m.bytes) == length {
						found[side] = append(found[side], m.ns)
					}
				}
				if want := count[side][length]; enough && len(found[side]) != want || !enough && len(found[side]) > 0 {
					t.Fatalf("%d of %d messages of %d bytes", len(found[side]), want, length)
				}
			}
			if !enough {
				continue
			}
			there, back := slices.Min(found[0]), slices.Min(found[1])
			if there+back != 0 || there-back != least[0][length]-least[1][length] {
				t.Fatalf("%d bytes: the shortest are %v and %v, were %v and %v", length, there, back, least[0][length], least[1][length])
			}
		}
		if a, b := differences(level), differences(equal(again)); !slices.Equal(a, b) {
			t.Fatalf("one order gives %v, another %v", a, b)
		}
	})
}

// The shortest of ten times as many messages is shorter. That is no matter of clocks.
func TestShortestIsFair(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	var sum, plain float64
	const times = 2000
	for range times {
		var delays [2][]float64
		for side, n := range []int{20, 200} {
			for range n {
				delays[side] = append(delays[side], r.ExpFloat64()*10_000)
			}
		}
		there, back, ok := shortest(delays)
		if !ok {
			t.Fatal("20 messages are too few")
		}
		sum += (there - back) / times
		plain += (slices.Min(delays[0]) - slices.Min(delays[1])) / times
	}
	if math.Abs(sum) > 250 || plain < 400 {
		t.Errorf("they differ by %.0f ns in the mean, the shortest by %.0f", sum, plain)
	}
	if _, _, ok := shortest([2][]float64{make([]float64, inStretch-1), make([]float64, 100)}); ok {
		t.Error("nine messages are enough")
	}
}

// Lengths are stored: what is read solves the same.
func TestLengthsAreStored(t *testing.T) {
	n := asking(116, 116, 9000, func(bytes uint32) uint32 { return bytes })
	stored, err := ParseConstraints(n.Constraints().AppendBinary(nil))
	if err != nil {
		t.Fatal(err)
	}
	got, err := stored.Solve(Config{Reference: "a"})
	if err != nil || text(got) != text(n.Solution()) {
		t.Errorf("%v: by what is stored\n%s\nby the endpoints\n%s", err, text(got), text(n.Solution()))
	}
}
