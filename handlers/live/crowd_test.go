package live

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"synchroscope/handlers/wire"
	"synchroscope/ingest"
	"synchroscope/internal/raced"
	"synchroscope/sync/match"
)

// manyMessages is a set of three hosts with final clocks, in which each message of a host is sent
// so many ns after the one before it, and some take very long or come before they left.
func manyMessages(n int) (*fakeSet, *session) {
	f := newFake("a", "b", "c")
	f.solve(3, 0, 1000, -500)
	end := int64(n) * 1000
	f.change(func() {
		f.status.State = ingest.Ready
		f.solution.Final = true
		for i := range f.solution.Hosts {
			f.solution.Hosts[i].Begin, f.solution.Hosts[i].End = 0, end
		}
	})
	chance := rand.New(rand.NewPCG(1, 2))
	all := make([]match.Message, n)
	for i := range all {
		from := int32(i % 3)
		delay := chance.Int64N(100_000)
		if i%1000 == 7 {
			delay = 3_000_000
		}
		if i%500 == 3 {
			delay = -5000
		}
		sent := 1000 + int64(i)*999
		all[i] = match.Message{From: from, To: (from + 1 + int32(i/3)%2) % 3, Sent: f.solution.Hosts[from].Map.Local(sent), Data: uint32(i % 1500)}
		all[i].Received = f.solution.Hosts[all[i].To].Map.Local(sent + delay)
	}
	f.ranged = func(ctx context.Context, begin, end int64, yield func(match.Message) bool) error {
		for _, m := range all {
			sent, received := f.solution.Hosts[m.From].Map.Reference(m.Sent), f.solution.Hosts[m.To].Map.Reference(m.Received)
			if min(sent, received) < end && max(sent, received) >= begin && !yield(m) {
				break
			}
		}
		return ctx.Err()
	}
	s := newSession(NewHub(Options{}), nil, f, new(table), nil)
	s.refreshRows(f.Status())
	return f, s
}

// Spans that reach over all times there are make no crowd of fewer than no columns, and what panics ends one crowd alone.
func TestCrowdOfStrangeClocks(t *testing.T) {
	f, s := manyMessages(1000)
	f.change(func() { f.solution.Hosts[1].Begin, f.solution.Hosts[2].End = math.MinInt64, math.MaxInt64 })
	made, err := gatherAll(t.Context(), s, s.lens(false), false)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(made.levels[0]); n == 0 || n > crowdLimit {
		t.Errorf("%d bundles", n)
	}
	f.ranged = func(context.Context, int64, int64, func(match.Message) bool) error { panic("no such host") }
	if made, err := gatherAll(t.Context(), s, s.lens(false), false); made != nil || err == nil || !strings.Contains(err.Error(), "no such host") {
		t.Errorf("it made %v, %v", made, err)
	}
}

// have makes a crowd that of a session's set; nil says that none can be had.
func have(s *session, c *crowd, flows bool) {
	slot := &crowdSlot{version: 3, ready: c, done: make(chan struct{}), stop: func() {}}
	close(slot.done)
	s.hub.crowds.slots[s.crowd(flows)] = slot
}

// What a crowd answers is to the last bit what the messages make one by one, in cells no finer than
// its own; and for each pair of hosts what they make in any: how many, how many bytes, when on average, and how
// many came before they left.
func TestCrowdTellsTheSame(t *testing.T) {
	raced.Alone(t)
	_, s := manyMessages(40_000)
	made, err := gatherAll(t.Context(), s, s.lens(false), false)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(made.levels[0]); n > crowdLimit || n < 1000 || len(made.levels) < 5 {
		t.Fatalf("a crowd of %d levels, %d bundles in the first", len(made.levels), n)
	}
	const last = 40_000_000
	ranges := [][2]int64{{0, last + 1}, {3_333_333, 39_999_999}, {12_345, 20_000_001}, {last / 2, last}, {20_000_000, 26_300_000}, {-wire.MaxTime, wire.MaxTime}}
	limits := []int{1, 300, 5000}
	if testing.Short() {
		limits, ranges = limits[1:2], ranges[1:3]
	}
	for _, limit := range limits {
		for _, r := range ranges {
			request := wire.Request{Op: wire.OpMessages, Begin: r[0], End: r[1], Columns: 2700, Limit: limit}
			have(s, nil, false)
			read := messagesOf(t, s, request)
			have(s, made, false)
			gathered := messagesOf(t, s, request)

			b := bundler{limit: limit, begin: r[0], end: r[1], columns: 2700, hostRow: s.rows.hostRow, hosts: true}
			b.begun(max(b.finest(), made.shift))
			x := reading{s: s, l: s.lens(false), r: request}
			if err := x.read(t.Context(), r[0], r[1], math.MinInt64, math.MaxInt64, b.add); err != nil {
				t.Fatal(err)
			}
			if want := b.drawn(r[0]); !slices.Equal(gathered.Arrows, want) {
				t.Errorf("in %v at most %d: %d bundles, one by one %d", r, limit, len(gathered.Arrows), len(want))
			}
			if read.Total != gathered.Total || read.Violations != gathered.Violations {
				t.Errorf("in %v: %d messages, %d wrong; read one by one: %d, %d", r, gathered.Total, gathered.Violations, read.Total, read.Violations)
			}
			if len(gathered.Arrows) > max(limit, 6) {
				t.Errorf("in %v: %d arrows, more than %d", r, len(gathered.Arrows), limit)
			}
			want, got := byPair(read), byPair(gathered)
			for pair, w := range want {
				g := got[pair]
				for i := range w {
					if math.Abs(w[i]-g[i]) > 1e-6*math.Abs(w[i])+1 {
						t.Errorf("in %v, pair %v: count, bytes, times are %v, want %v", r, pair, g, w)
						break
					}
				}
			}
		}
	}
}

// The first view of very many messages has the crowd made, which is read once for all who want it, and answers from it, as do all after.
func TestCrowdIsMadeOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, s := manyMessages(60_000)
		all, whole := f.ranged, 0
		f.ranged = func(ctx context.Context, begin, end int64, yield func(match.Message) bool) error {
			n := 0
			defer func() {
				if n > 2*crowdLeast {
					whole++
				}
			}()
			return all(ctx, begin, end, func(m match.Message) bool { n++; return yield(m) })
		}
		request := wire.Request{Op: wire.OpMessages, Begin: 0, End: 70_000_000, Columns: 900, Limit: 300}
		answers := make(chan *wire.Messages, 3)
		for range 2 {
			go func() { answers <- messagesOf(t, s, request) }()
		}
		first, second := <-answers, <-answers
		answers <- messagesOf(t, s, request)
		third := <-answers
		if whole != 1 || first.Total != 60_000 || !slices.Equal(first.Arrows, second.Arrows) || !slices.Equal(first.Arrows, third.Arrows) {
			t.Errorf("all messages are read %d times, want 1; %d, %d and %d are answered", whole, first.Total, second.Total, third.Total)
		}
		s.hub.Forget("s")
		if s.hub.crowds.get(s, s.lens(false), false) != nil {
			t.Error("a deleted set still has a crowd")
		}
	})
}

func messagesOf(t *testing.T, s *session, r wire.Request) *wire.Messages {
	t.Helper()
	out, err := messagesIn(t.Context(), s, r)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// byPair sums counts, bytes and times by the hosts of the ends.
func byPair(m *wire.Messages) map[[2]uint32][4]float64 {
	out := make(map[[2]uint32][4]float64)
	for _, a := range m.Arrows {
		v := out[[2]uint32{a.From, a.To}]
		n := float64(a.Count)
		bytes := float64(a.Bytes)
		for i, x := range []float64{n, bytes, a.Sent * n, a.Received * n} {
			v[i] += x
		}
		out[[2]uint32{a.From, a.To}] = v
	}
	return out
}

// A set that is deleted, and a hub that closes, are not read any more.
func TestCrowdStops(t *testing.T) {
	for name, stop := range map[string]func(*Hub){
		"deleted": func(h *Hub) { h.Forget("s") },
		"closed":  func(h *Hub) { h.crowds.cancel() },
	} {
		f, s := manyMessages(60_000)
		begun := make(chan struct{})
		f.ranged = func(ctx context.Context, begin, end int64, yield func(match.Message) bool) error {
			close(begun)
			<-ctx.Done()
			return ctx.Err()
		}
		s.hub.crowds.want(s, s.lens(false), false)
		<-begun
		stop(s.hub)
		if err := s.hub.Close(t.Context()); err != nil {
			t.Errorf("%s: the hub closed before its crowd was given up: %v", name, err)
		}
		if len(s.hub.crowds.slots) > 0 {
			t.Errorf("%s: a crowd that was given up is kept", name)
		}
	}
}

// Few crowds are kept; that a set can have none takes the place of no other.
func TestFewCrowdsAreKept(t *testing.T) {
	_, s := manyMessages(100)
	add := func(set string, ready *crowd) {
		s.hub.crowds.slots[crowdKey{set: set}] = &crowdSlot{ready: ready, stop: func() {}}
	}
	for i := range 20 {
		add(fmt.Sprint("none ", i), nil)
	}
	for i := range crowdsKept - 1 {
		add(fmt.Sprint("has ", i), new(crowd))
	}
	for range 2 {
		s.rows = newTable(s.set, s.rows)
		s.rows.refresh(s.set.Hosts(), nil)
		if made, err := s.hub.crowds.made(t.Context(), s, s.lens(false), false); err != nil || made == nil {
			t.Fatal(made, err)
		}
		kept := 0
		for _, slot := range s.hub.crowds.slots {
			if slot.ready != nil {
				kept++
			}
		}
		if kept != crowdsKept {
			t.Errorf("%d crowds are kept, want %d", kept, crowdsKept)
		}
	}
}

// A view is answered from a crowd by how many messages it has, and not by whether the crowd was there before.
func TestWhetherFromACrowd(t *testing.T) {
	for _, n := range []int{crowdLeast - 1, crowdLeast} {
		_, s := manyMessages(n)
		request := wire.Request{Op: wire.OpMessages, Begin: -wire.MaxTime / 2, End: wire.MaxTime / 2, Columns: 900, Limit: wire.MaxLimit}
		first := messagesOf(t, s, request)
		if _, err := s.hub.crowds.made(t.Context(), s, s.lens(false), false); err != nil {
			t.Fatal(err)
		}
		if then := messagesOf(t, s, request); first.Total != uint32(n) || !slices.Equal(first.Arrows, then.Arrows) {
			t.Errorf("%d messages: %d arrows at first, %d with a crowd", n, len(first.Arrows), len(then.Arrows))
		}
	}
}
