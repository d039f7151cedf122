package network

import (
	"encoding/json"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/sync/clock"
	"synchroscope/sync/hull"
	"synchroscope/sync/match"
)

const (
	second = 1_000_000_000
	start  = 1_795_229_350 * second
)

// A cluster is hosts with known linear clocks and what they recorded.
type cluster struct {
	names     []string
	clocks    []clock.Line // true to local time
	endpoints [][]match.Endpoint
	begin     []int64
	end       []int64
}

// clusters draws a cluster. With copies some packets are recorded twice.
func clusters(copies bool) *rapid.Generator[*cluster] {
	return rapid.Custom(func(t *rapid.T) *cluster {
		c := &cluster{}
		hosts := rapid.IntRange(1, 5).Draw(t, "hosts")
		for i := range hosts {
			c.names = append(c.names, string(rune('p'+i)))
			rate := big.NewRat(1_000_000+rapid.Int64Range(-300, 300).Draw(t, "ppm"), 1_000_000)
			offset := rapid.Int64Range(-3600, 3600).Draw(t, "offset") * second
			beta := new(big.Rat).SetInt64(start + offset)
			origin := new(big.Rat).Mul(rate, new(big.Rat).SetInt64(start))
			c.clocks = append(c.clocks, clock.Line{Alpha: rate, Beta: beta.Sub(beta, origin)})
		}
		c.endpoints = make([][]match.Endpoint, hosts)
		seed := rapid.Uint64().Draw(t, "seed")
		r := rand.New(rand.NewPCG(seed, 2))
		span := int64(rapid.SampledFrom([]int64{1, 60, 3600}).Draw(t, "seconds") * second)
		for key := range rapid.IntRange(0, 150).Draw(t, "messages") {
			from, to := r.IntN(hosts), r.IntN(hosts)
			at := start + r.Int64N(span)
			delay := 20_000 + int64(r.ExpFloat64()*100_000)
			if r.IntN(20) == 0 {
				delay += 200_000_000
			}
			k := match.Key{A: uint64(key)}
			if r.IntN(20) > 0 {
				c.record(from, match.Send, k, at)
			}
			if r.IntN(20) > 0 {
				c.record(to, match.Receive, k, at+delay)
			}
			if copies && r.IntN(6) == 0 {
				c.record(from, match.Send, k, at+delay*3)
				if r.IntN(2) == 0 {
					c.record(to, match.Receive, k, at+delay*4)
				}
			}
		}
		for i := range hosts {
			slices.SortStableFunc(c.endpoints[i], func(a, b match.Endpoint) int { return int(a.Time - b.Time) })
			c.begin = append(c.begin, c.local(i, start-second))
			c.end = append(c.end, c.local(i, start+span+10*second))
		}
		return c
	})
}

func (c *cluster) local(host int, at int64) int64 {
	y := c.clocks[host].At(new(big.Rat).SetInt64(at))
	return new(big.Int).Quo(y.Num(), y.Denom()).Int64()
}

func (c *cluster) record(host int, d match.Direction, k match.Key, at int64) {
	c.endpoints[host] = append(c.endpoints[host], match.Endpoint{
		Time: c.local(host, at), Host: int32(host), Thread: -1, Direction: d, Bytes: uint32(52 + 64*(k.A%3)), Key: k,
	})
}

// feed runs the cluster through a network, its hosts interleaved at random,
// looking at live solutions on the way.
func (c *cluster) feed(config Config, r *rand.Rand, look func(*Solution)) *Solution {
	n := New(config)
	for i, name := range c.names {
		n.AddHost(name, "clock-"+string(rune('z'-i))) // ids in the other order than the numbers
	}
	next := make([]int, len(c.names))
	left := make([]int, len(c.names))
	for i := range left {
		left[i] = i
	}
	var told []match.Message
	tell := func(m match.Message) {
		if !m.Retracted {
			told = append(told, m)
			return
		}
		m.Retracted = false
		at := slices.Index(told, m)
		told = slices.Delete(told, at, at+1) // panics if it was not told
	}
	for len(left) > 0 {
		at := r.IntN(len(left))
		i := left[at]
		for range 1 + r.IntN(20) {
			if next[i] == len(c.endpoints[i]) {
				n.Span(int32(i), c.begin[i], c.end[i])
				n.Done(int32(i), tell)
				left = slices.Delete(left, at, at+1)
				break
			}
			n.Endpoint(c.endpoints[i][next[i]], tell)
			next[i]++
		}
		if r.IntN(4) == 0 && look != nil {
			look(n.Solution())
		}
	}
	s := n.Solution()
	if n.Solution() != s {
		panic("a second solution without a change")
	}
	messages := 0
	for _, k := range s.Links {
		messages += k.AToB + k.BToA
	}
	if messages != len(told) || int64(messages) != s.Counts.Matched {
		panic("the messages told are not those of the links")
	}
	return s
}

// text is a solution without its version.
func text(s *Solution) string {
	r := s.Report()
	r.Version = 0
	b, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		panic(err)
	}
	return string(b)
}

func TestOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := clusters(true).Draw(t, "cluster")
		seed := rapid.Uint64().Draw(t, "order")
		want := text(c.feed(Config{}, rand.New(rand.NewPCG(seed, 0)), nil))
		for i := range uint64(3) {
			got := text(c.feed(Config{}, rand.New(rand.NewPCG(seed, i+1)), func(*Solution) {}))
			if got != want {
				t.Fatalf("two interleavings of the same endpoints give\n%s\nand\n%s", want, got)
			}
		}
	})
}

// Every bound that is given holds, live and final: the true reference time of
// every local time is within it.
func TestBoundsHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := clusters(false).Draw(t, "cluster")
		verify := func(s *Solution) {
			for i := range s.Hosts {
				h := &s.Hosts[i]
				truth := c.clocks[i].Inverse().Then(c.clocks[h.Reference])
				for step := range int64(21) {
					x := h.Begin + (h.End-h.Begin)/20*step
					bound, ok := h.Map.Error(x)
					if !ok {
						continue
					}
					off := truth.At(new(big.Rat).SetInt64(x))
					off.Sub(off, new(big.Rat).SetInt64(h.Map.Reference(x)))
					// 1: the clocks were read in whole ns.
					if off.Abs(off).Cmp(new(big.Rat).SetInt64(bound+1)) > 0 {
						t.Fatalf("host %d at %d is wrong by %s ns, the bound is %d", i, x, off.FloatString(1), bound)
					}
				}
			}
		}
		s := c.feed(Config{}, rand.New(rand.NewPCG(1, 1)), verify)
		verify(s)
		for _, k := range s.Links {
			if k.Class == hull.Fail {
				t.Fatalf("linear clocks, and link %d-%d fails", k.A, k.B)
			}
			if k.Class == hull.Accurate && k.InTree && k.Violations != 0 {
				t.Fatalf("%d violations on an accurate link", k.Violations)
			}
			_, ok := s.Hosts[k.A].Map.Error(s.Hosts[k.A].Begin)
			if k.Class == hull.Accurate && s.Reference == k.B && k.InTree && !ok {
				t.Fatalf("host %d has an accurate link to the reference and no bound", k.A)
			}
		}
	})
}

// With a table too small for the trace messages are lost, but each endpoint is
// accounted for and bounds still hold by what is left.
func TestSmallTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := clusters(true).Draw(t, "cluster")
		s := c.feed(Config{MaxPending: 8}, rand.New(rand.NewPCG(3, 4)), func(*Solution) {})
		k := s.Counts
		if k.Sent+k.Received != 2*k.Matched+k.Retransmitted+k.Ambiguous+k.Loopback+k.UnmatchedSent+k.UnmatchedReceived+k.Evicted {
			t.Fatalf("endpoints are not each in one counter: %+v", k)
		}
	})
}

func TestPinnedReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := clusters(false).Draw(t, "cluster")
		pin := rapid.SampledFrom(c.names).Draw(t, "pin")
		s := c.feed(Config{Reference: pin}, rand.New(rand.NewPCG(1, 1)), nil)
		if got := s.Hosts[s.Reference].Name; got != pin {
			t.Fatalf("reference %s, pinned %s", got, pin)
		}
		for i, h := range s.Hosts {
			if h.Component == s.Hosts[s.Reference].Component && h.Reference != s.Reference {
				t.Fatalf("host %d is mapped to host %d, pinned is %s", i, h.Reference, pin)
			}
		}
	})
}

// talk exchanges n packets each way between two hosts, a fixed delay apart.
func talk(n *Network, a, b int32, offset, delay int64, count int, key *uint64) {
	talkAt(n, a, b, 0, offset, delay, count, key)
}

// talkAt does so between two clocks that are both off.
func talkAt(n *Network, a, b int32, offsetA, offsetB, delay int64, count int, key *uint64) {
	for i := range int64(count) {
		at := start + i*second/10
		for _, way := range [][2]int32{{a, b}, {b, a}} {
			*key++
			sent, received := at+offsetA, at+delay+offsetB
			if way[0] == b {
				sent, received = at+offsetB, at+delay+offsetA
			}
			n.Endpoint(match.Endpoint{Time: sent, Host: way[0], Direction: match.Send, Key: match.Key{A: *key}}, nil)
			n.Endpoint(match.Endpoint{Time: received, Host: way[1], Direction: match.Receive, Key: match.Key{A: *key}}, nil)
		}
	}
}

// A host that talks to nobody is an island: its map is its own clock, and no
// bound is claimed. Two islands of two have a reference each.
func TestIslands(t *testing.T) {
	n := New(Config{})
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		n.AddHost(name, name)
	}
	var key uint64
	talk(n, 0, 1, 5*second, 50_000, 20, &key)
	talk(n, 2, 3, -7*second, 50_000, 20, &key)
	for i := range int32(5) {
		n.Span(i, start-10*second, start+20*second)
		n.Done(i, nil)
	}
	s := n.Solution()
	if !s.Final || s.Reference != 0 {
		t.Fatalf("final %v, reference %d", s.Final, s.Reference)
	}
	for i, want := range []struct {
		component int
		reference int32
		bounded   bool
	}{{0, 0, true}, {0, 0, true}, {1, 2, false}, {1, 2, true}, {2, 4, false}} {
		h := s.Hosts[i]
		if _, bounded := h.Map.Error(start); h.Component != want.component || h.Reference != want.reference || bounded != want.bounded {
			t.Errorf("host %d: component %d, reference %d, bound known: %v, want %+v", i, h.Component, h.Reference, bounded, want)
		}
	}
	if got := s.Hosts[1].Map.Reference(start + 5*second); got < start-60_000 || got > start+60_000 {
		t.Errorf("5 s of offset are mapped to %d ns", got-start)
	}
	if got := s.Hosts[4].Map.Reference(start); got != start {
		t.Errorf("an island's clock is moved by %d ns", got-start)
	}
}

// A path over two good links beats a bad direct one.
func TestIndirectPath(t *testing.T) {
	n := New(Config{})
	for _, name := range []string{"a", "b", "c"} {
		n.AddHost(name, name)
	}
	var key uint64
	talk(n, 0, 1, 5*second, 50_000, 20, &key)
	talk(n, 1, 2, 5*second, 50_000, 20, &key)
	talk(n, 0, 2, 10*second, 10_000_000, 20, &key)
	for i := range int32(3) {
		n.Done(i, nil)
	}
	s := n.Solution()
	for _, k := range s.Links {
		if direct := k.A == 0 && k.B == 2; k.Class != hull.Accurate || k.InTree == direct {
			t.Errorf("link %d-%d: %v, in the tree: %v", k.A, k.B, k.Class, k.InTree)
		}
	}
	if s.Reference != 1 {
		t.Errorf("reference %d, the middle is 1", s.Reference)
	}
}

// ping exchanges messages each way, 50 µs each, between two hosts; b's clock is
// off by what offset says at a true time.
func ping(n *Network, a, b int32, seconds int64, offset func(at int64) int64, key *uint64) {
	for i := range 10 * seconds {
		at := start + i*second/10
		for _, way := range [][2]int32{{a, b}, {b, a}} {
			*key++
			times := [2]int64{at, at + 50_000}
			for j, host := range way {
				if host == b {
					times[j] += offset(times[j])
				}
			}
			n.Endpoint(match.Endpoint{Time: times[0], Host: way[0], Direction: match.Send, Key: match.Key{A: *key}}, nil)
			n.Endpoint(match.Endpoint{Time: times[1], Host: way[1], Direction: match.Receive, Key: match.Key{A: *key}}, nil)
		}
	}
}

// Clocks that are no line get pieces, a bound that rests on a cap, and no
// violation; the true clock is within the bound.
func TestDriftGetsPieces(t *testing.T) {
	n := New(Config{})
	n.AddHost("a", "a")
	n.AddHost("b", "b")
	var key uint64
	bow := func(at int64) int64 { // up to 2.5 ms off the line
		d := (at - start) / 1_000_000
		return (d - 50_000) * (d - 50_000) / 1000
	}
	ping(n, 0, 1, 100, bow, &key)
	n.Done(0, nil)
	n.Done(1, nil)
	s := n.Solution()
	k := s.Links[0]
	if k.Class != hull.Accurate || k.Shape != Pieces || k.Alpha != nil || k.Violations != 0 || k.Pieces < 2 {
		t.Errorf("class %v, %v, alpha %v, %d violations, %d pieces", k.Class, k.Shape, k.Alpha, k.Violations, k.Pieces)
	}
	if k.ErrorMax < 25_000 || k.ErrorMax > 100_000 {
		t.Errorf("bound %d ns at a delay of 50 µs", k.ErrorMax)
	}
	for i := range int64(100) {
		at := start + i*second
		local := at + bow(at)
		bound, ok := s.Hosts[1].Map.Error(local)
		if off := s.Hosts[1].Map.Reference(local) - at; !ok || max(off, -off) > bound+1 {
			t.Errorf("after %d s the map is off by %d ns, bound %d", i, off, bound)
		}
	}
	r := s.Report()
	if h := r.Hosts[1]; h.Assumption == nil || *h.Assumption != "rate cap" || h.RateCap == nil || float64(*h.RateCap) < 2e-6/4 {
		t.Errorf("assumption %v, cap %v for a rate that changes by 2e-6 per second", h.Assumption, h.RateCap)
	}
	if len(r.Hosts[1].Map) < 2 || r.Links[0].Segments != k.Pieces {
		t.Errorf("%d pieces are reported, %d of the link", len(r.Hosts[1].Map), r.Links[0].Segments)
	}
}

// The cap belongs to the crystals: where two hosts talk too seldom to notice
// that rates change, the bound is as wide as others show it must be.
func TestCapIsTheComponents(t *testing.T) {
	n := New(Config{})
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		n.AddHost(name, name)
	}
	var key uint64
	ping(n, 0, 1, 100, func(at int64) int64 { d := (at - start) / 1_000_000; return d * d / 1000 }, &key)
	talk(n, 1, 2, 0, 50_000, 3, &key)
	talk(n, 3, 4, 0, 50_000, 3, &key)
	for i := range int32(5) {
		n.Done(i, nil)
	}
	s := n.Solution()
	caps := make(map[[2]int32]float64)
	for _, k := range s.Links {
		caps[[2]int32{k.A, k.B}] = k.RateCap
	}
	if caps[[2]int32{0, 1}] < 5e-7 || caps[[2]int32{1, 2}] != caps[[2]int32{0, 1}] {
		t.Errorf("caps %v: the links of a component differ", caps)
	}
	if caps[[2]int32{3, 4}] != hull.Crystals.PerSecond() {
		t.Errorf("caps %v: another component's clocks are suspected", caps)
	}
}

// A clock that is set is one before and one after; in between, nobody knows.
func TestStep(t *testing.T) {
	n := New(Config{})
	n.AddHost("a", "a")
	n.AddHost("b", "b")
	var key uint64
	offset := func(at int64) int64 {
		if at > start+40*second {
			return 3 * second
		}
		return 0
	}
	ping(n, 0, 1, 100, offset, &key)
	n.Done(0, nil)
	n.Done(1, nil)
	s := n.Solution()
	k := s.Links[0]
	if k.Class != hull.Accurate || k.Shape != Steps || len(k.Cuts) != 1 {
		t.Fatalf("class %v, %v, %d cuts", k.Class, k.Shape, len(k.Cuts))
	}
	if k.ErrorMax < second || k.ErrorMedian > 100_000 {
		t.Errorf("a step of 3 s within errors from %d to %d ns, mostly %d", k.ErrorMin, k.ErrorMax, k.ErrorMedian)
	}
	if k.Violations != 0 {
		t.Errorf("%d violations", k.Violations)
	}
	for i := range int64(100) {
		at := start + i*second
		local := at + offset(at)
		bound, ok := s.Hosts[1].Map.Error(local)
		if off := s.Hosts[1].Map.Reference(local) - at; !ok || max(off, -off) > bound+1 {
			t.Errorf("after %d s the map is off by %d ns, bound %d", i, off, bound)
		}
		if ok && i != 40 && bound > 100_000 {
			t.Errorf("%d s from the step the bound is %d ns", i-40, bound)
		}
	}
}

// Messages that no clock explains: the class says so, no bound is claimed, the
// relaxation and the violations are counted, and some messages are named.
func TestNonsenseFails(t *testing.T) {
	n := New(Config{})
	n.AddHost("a", "a")
	n.AddHost("b", "b")
	var key uint64
	ping(n, 0, 1, 20, func(at int64) int64 { return at / (second / 10) % 2 * 5_000_000 }, &key)
	n.Done(0, nil)
	n.Done(1, nil)
	s := n.Solution()
	k := s.Links[0]
	if k.Class != hull.Fail || k.Shape != Unknown || k.ErrorMax != -1 || k.Alpha != nil || k.Violations == 0 || k.Relaxed == 0 {
		t.Errorf("class %v, %v, error %d, alpha %v, violations %d, relaxed by %d", k.Class, k.Shape, k.ErrorMax, k.Alpha, k.Violations, k.Relaxed)
	}
	if len(k.Cuts) == 0 || len(k.Cuts[0].Upper) == 0 || len(k.Cuts[0].Lower) == 0 {
		t.Errorf("what contradicts is not said: %v", k.Cuts)
	}
	if _, ok := s.Hosts[1].Map.Error(start + 10*second); ok {
		t.Errorf("a bound is claimed on a failed link")
	}
}

// The line between two hosts is the same whichever was added first.
func TestMidlineFollowsTheIDs(t *testing.T) {
	lines := make(map[string]*big.Rat)
	for _, order := range [][]string{{"a", "b"}, {"b", "a"}} {
		n := New(Config{})
		number := make(map[string]int32)
		for _, name := range order {
			number[name] = n.AddHost(name, name)
		}
		var key uint64
		talk(n, number["a"], number["b"], 5*second, 1_000_000, 7, &key)
		n.Endpoint(match.Endpoint{Time: start, Host: number["a"], Direction: match.Send, Key: match.Key{B: 1}}, nil)
		n.Endpoint(match.Endpoint{Time: start + 5*second + 300_000, Host: number["b"], Direction: match.Receive, Key: match.Key{B: 1}}, nil)
		n.Done(0, nil)
		n.Done(1, nil)
		k := n.Solution().Links[0]
		lines[order[0]] = k.Alpha
		// The line given must be the mean of the extremes with a as X.
		low, high := k.AlphaMin, k.AlphaMax
		alpha := k.Alpha
		if order[0] == "b" {
			low, high, alpha = new(big.Rat).Inv(high), new(big.Rat).Inv(low), new(big.Rat).Inv(alpha)
		}
		mean := new(big.Rat).Add(low, high)
		if mean.Quo(mean, big.NewRat(2, 1)).Cmp(alpha) != 0 {
			t.Errorf("hosts in the order %v: alpha %v is not the mean of %v and %v", order, alpha, low, high)
		}
	}
	if new(big.Rat).Mul(lines["a"], lines["b"]).Cmp(big.NewRat(1, 1)) != 0 {
		t.Errorf("slopes %v and %v are not reciprocal", lines["a"], lines["b"])
	}
}

func TestSampleDependsOnTheSetAlone(t *testing.T) {
	messages := make([]sampled, 20_000)
	for i := range messages {
		messages[i] = sampled{hull.Point{X: start + int64(i)*1000, Y: start + int64(i)*1001}, uint32(i % 1500)}
	}
	var first []sampled
	for seed := range uint64(3) {
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(messages), func(i, j int) { messages[i], messages[j] = messages[j], messages[i] })
		var s sample
		for _, m := range messages {
			s.add(m.Point, m.bytes)
		}
		kept := slices.SortedFunc(s.all(), compareSampled)
		if len(kept) != s.messages.count || len(kept) > sampleLen || len(kept) < sampleLen/4 {
			t.Fatalf("%d messages are kept, %d are counted", len(kept), s.messages.count)
		}
		if first == nil {
			first = kept
		} else if !slices.Equal(first, kept) {
			t.Fatalf("two orders keep different messages")
		}
	}
}

func TestDecimal(t *testing.T) {
	for _, c := range []struct {
		num, den int64
		want     string
	}{
		{0, 1, "0"},
		{1, 3, "0.3333333333333333333333333333333333"},
		{2, 3, "0.6666666666666666666666666666666667"},
		{1, 30, "0.03333333333333333333333333333333333"},
		{-20, 3, "-6.666666666666666666666666666666667"},
		{math.MaxInt64, 1, "9223372036854775807.000000000000000"},
	} {
		if got := decimal(big.NewRat(c.num, c.den)); got != c.want {
			t.Errorf("%d/%d is printed %s, want %s", c.num, c.den, got, c.want)
		}
	}
	huge := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(7), big.NewInt(60), nil))
	if got := decimal(huge); len(got) != len(huge.FloatString(0)) || !strings.HasSuffix(got, "00") || got[:33] != huge.FloatString(0)[:33] {
		t.Errorf("7^60 is printed %s", got)
	}
}
