package network

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/sync/clock"
	"synchroscope/sync/hull"
	"synchroscope/sync/match"
)

// A ticker is a clock that shows what a crystal said at its last tick.
type ticker struct {
	crystal *crystal
	ticks   []int64 // true times, rising; nil where it ticks at whole multiples of every
	every   int64   // ns of the crystal
}

// A kind of ticker.
const (
	whole  = "whole"  // time is written in units of a tick
	uneven = "uneven" // an interrupt tells it the time, up to four tenths of a tick early or late
	missed = "missed" // the same, a tenth early or late, and one in fifty does not come
)

func newTicker(kind string, every, span int64, r *rand.Rand) *ticker {
	c := &crystal{offset: r.Int64N(7200*second) - 3600*second, rate: float64(r.IntN(401)-200) * 1e-6}
	c.waves[0].period, c.waves[1].period = 1, 1
	k := &ticker{crystal: c, every: every}
	if kind == whole {
		return k
	}
	came := true
	for at := int64(start - 2*second); at < start+span+2*second; at += every {
		early := (r.Int64N(8*every) - 4*every) / 10
		if kind == missed {
			early /= 4
			if came = !came || r.IntN(50) > 0; !came { // never two, one after the other
				continue
			}
		}
		k.ticks = append(k.ticks, at+early)
	}
	return k
}

// at is what the clock shows at a true time.
func (k *ticker) at(true int64) int64 {
	if k.ticks == nil {
		local := k.crystal.at(true)
		return local - (local%k.every+k.every)%k.every
	}
	i := sort.Search(len(k.ticks), func(i int) bool { return k.ticks[i] > true })
	return k.crystal.at(k.ticks[i-1])
}

// A strike is a recording of clocks that tick.
type strike struct {
	kind     string
	every    int64
	hosts    int
	all      bool // all clocks tick, or only that of the first host
	messages int
	rate     int64 // events per second
	seed     uint64
}

func (k strike) String() string {
	return fmt.Sprintf("%s ticks of %d ns, %d hosts, all %v, %d messages, %d events per second, seed %d", k.kind, k.every, k.hosts, k.all, k.messages, k.rate, k.seed)
}

// A finding is what is wrong with the solution of a strike.
type finding struct {
	instants, outside, failed, violations int
	excess, bound                         int64 // ns, the largest
}

// Recorded is what its hosts recorded, by true time.
type recorded struct {
	clocks []*ticker
	events []recordedEvent
	ticks  []int64 // by host, as found
	r      *rand.Rand
}

type recordedEvent struct {
	true int64
	match.Endpoint
}

const (
	strikeSpan = 20 * second
	nothing    = match.Receive + 1 // the direction of an event that is no end of a message
)

func (k strike) record() *recorded {
	r := rand.New(rand.NewPCG(k.seed, 1))
	rec := &recorded{clocks: make([]*ticker, k.hosts), r: r}
	for i := range rec.clocks {
		kind, every := k.kind, k.every
		if i > 0 && !k.all {
			kind, every = whole, 1
		}
		rec.clocks[i] = newTicker(kind, every, strikeSpan, r)
	}
	add := func(host int, at int64, e match.Endpoint) {
		e.Host, e.Time = int32(host), rec.clocks[host].at(at)
		rec.events = append(rec.events, recordedEvent{at, e})
	}
	for key := range uint64(k.messages) {
		a := r.IntN(k.hosts)
		b := (a + 1 + r.IntN(k.hosts-1)) % k.hosts
		at := start + r.Int64N(strikeSpan)
		add(a, at, match.Endpoint{Direction: match.Send, Key: match.Key{A: key}})
		add(b, at+20_000+int64(r.ExpFloat64()*100_000), match.Endpoint{Direction: match.Receive, Key: match.Key{A: key}})
	}
	for h := range rec.clocks {
		for at := int64(start); at < start+strikeSpan; at += int64(r.ExpFloat64() * float64(second) / float64(k.rate)) {
			add(h, at, match.Endpoint{Direction: nothing})
		}
	}
	slices.SortFunc(rec.events, func(p, q recordedEvent) int { return cmp.Compare(p.true, q.true) })
	ticks := make([]clock.Ticks, k.hosts)
	for _, e := range rec.events {
		ticks[e.Host].Add(e.Time)
	}
	for i := range ticks {
		rec.ticks = append(rec.ticks, ticks[i].Tick())
	}
	return rec
}

// network is told everything, host by host or as it was recorded.
func (rec *recorded) network(told, byHost bool) *Network {
	n := New(Config{})
	for i := range rec.clocks {
		n.AddHost(string(rune('a'+i)), string(rune('z'-i)))
	}
	finish := func(i int) {
		if told {
			n.Tick(int32(i), rec.ticks[i])
		}
		n.Span(int32(i), rec.clocks[i].at(start), rec.clocks[i].at(start+strikeSpan))
		n.Done(int32(i), nil)
	}
	if !byHost {
		for k, e := range rec.events {
			if e.Direction != nothing {
				n.Endpoint(e.Endpoint, nil)
			}
			if told && k == len(rec.events)/2 {
				n.Tick(0, rec.ticks[0])
				n.Solution() // on the way
			}
		}
	}
	for i := range rec.clocks {
		for _, e := range rec.events {
			if byHost && e.Direction != nothing && e.Host == int32(i) {
				n.Endpoint(e.Endpoint, nil)
			}
		}
		if byHost {
			finish(i)
		}
	}
	if !byHost {
		for i := range rec.clocks {
			finish(i)
		}
	}
	return n
}

// judge holds a solution against the truth.
func (rec *recorded) judge(s *Solution) (f finding) {
	for i := range s.Hosts {
		h, k := &s.Hosts[i], rec.clocks[i]
		for range 500 {
			at := start + rec.r.Int64N(strikeSpan)
			bound, ok := h.Map.Error(k.at(at))
			if !ok {
				continue
			}
			f.instants++
			f.bound = max(f.bound, bound)
			off := h.Map.Reference(k.at(at)) - rec.clocks[h.Reference].at(at)
			if off = max(off, -off); off > bound+2 { // 2: clocks show whole ns
				f.outside++
				f.excess = max(f.excess, off-bound)
			}
		}
	}
	for i := range s.Links {
		f.violations += s.Links[i].Violations
		if s.Links[i].Class == hull.Fail {
			f.failed++
		}
	}
	return f
}

// Clocks that show the time of their last tick, be it that of a tracer which writes ms or one that an interrupt tells the time to: no link
// fails, no message is received, at the latest, before it was sent, and the truth is within the bound at every instant.
// Nothing of it depends on the order in which hosts were read, nor on when it was known how the clocks tick; and what
// is kept of the set says the same.
func TestClocksThatTick(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := strike{
			kind:     rapid.SampledFrom([]string{whole, uneven, missed}).Draw(t, "kind"),
			every:    rapid.SampledFrom([]int64{1000, 100_000, 976_563, 1_000_000, 4_000_000, 10_000_000}).Draw(t, "every"),
			hosts:    rapid.IntRange(2, 4).Draw(t, "hosts"),
			all:      rapid.Bool().Draw(t, "all"),
			messages: rapid.SampledFrom([]int{20, 200, 2000}).Draw(t, "messages"),
			rate:     rapid.SampledFrom([]int64{300, 2000}).Draw(t, "rate"),
			seed:     rapid.Uint64().Draw(t, "seed"),
		}
		if k.kind != whole && k.every < 4_000_000 {
			k.rate = 2000 // few events would not show the ticks
			k.every = max(k.every, 100_000)
		}
		rec := k.record()
		n := rec.network(true, false)
		s := n.Solution()
		f := rec.judge(s)
		if f.outside > 0 || f.failed > 0 || f.violations > 0 || f.instants == 0 {
			t.Fatalf("%v, found to tick by %d: %d of %d instants are outside of the bound, by up to %d ns; %d links fail, %d violations", k, rec.ticks, f.outside, f.instants, f.excess, f.failed, f.violations)
		}
		want := text(s)
		if got := text(rec.network(true, true).Solution()); got != want {
			t.Fatalf("%v: read as recorded and host by host gives\n%s\nand\n%s", k, want, got)
		}
		kept, err := ParseConstraints(n.Constraints().AppendBinary(nil))
		if err != nil {
			t.Fatal(err)
		}
		again, err := kept.Solve(Config{})
		if err != nil {
			t.Fatal(err)
		}
		if again.Version = s.Version; text(again) != want {
			t.Fatalf("%v: made again of what is kept it is\n%s\nnot\n%s", k, text(again), want)
		}
	})
}

// What the bound would be worth if nothing were known of ticks: it is wrong, a link fails, or there is none.
func TestUnknownTicksBreakBounds(t *testing.T) {
	for _, seed := range []uint64{0, 1, 2, 6} {
		rec := strike{whole, 1_000_000, 2, false, 30, 300, seed}.record()
		f := rec.judge(rec.network(false, false).Solution())
		switch {
		case seed < 2 && f.bound != 0: // their messages contradict each other so much that there is none
			t.Errorf("seed %d: there is a bound of %d", seed, f.bound)
		case seed >= 2 && f.outside == 0 && f.failed == 0:
			t.Errorf("seed %d: the bound holds all the same", seed)
		}
		if f := rec.judge(rec.network(true, false).Solution()); f.outside > 0 || f.bound < 1_000_000 {
			t.Errorf("seed %d: %+v", seed, f)
		}
	}
}
