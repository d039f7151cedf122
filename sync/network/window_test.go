package network

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"synchroscope/sync/hull"
	"synchroscope/sync/match"
)

// A heard message has when it was truly sent.
type heard struct {
	from, to       int32
	sent, received int64 // local
	at             int64
}

// fourInARing is what four machines say of their clocks, each talking to the next and the last to the first, and their messages.
// Sparse, about every second link has a message in seconds.
func fourInARing(r *rand.Rand, clocks *[4]setClock, span int64, sparse bool) (*Constraints, []heard) {
	n := New(Config{})
	for i := range clocks {
		c := &clocks[i]
		c.offset, c.ppm = r.Int64N(20*second)-10*second, r.Float64()*200-100
		n.AddHost(fmt.Sprint("h", i), fmt.Sprint("id", (i*3+1)%4))
	}
	var messages []heard
	say := func(from, to int32, sent, delay int64) {
		received := sent + delay + int64(r.ExpFloat64()*float64(delay)/3)
		m := heard{from, to, clocks[from].local(sent), clocks[to].local(received), sent}
		messages = append(messages, m)
		k := match.Key{A: uint64(len(messages))}
		n.Endpoint(match.Endpoint{Time: m.sent, Host: from, Direction: match.Send, Key: k}, nil)
		n.Endpoint(match.Endpoint{Time: m.received, Host: to, Direction: match.Receive, Key: k}, nil)
	}
	for a := range int32(4) {
		every := 40_000_000 + r.Int64N(160_000_000)
		if sparse && r.IntN(2) == 0 {
			every *= 20
		}
		there, back := 20_000+r.Int64N(380_000), 20_000+r.Int64N(380_000)
		for at := start + r.Int64N(every); at < start+span; at += every/2 + r.Int64N(every) {
			say(a, (a+1)%4, at, there)
			say((a+1)%4, a, at+r.Int64N(every/2), back)
		}
	}
	for h := range clocks {
		n.Span(int32(h), clocks[h].local(start), clocks[h].local(start+span))
		for _, s := range clocks[h].sets {
			n.Span(int32(h), clocks[h].local(s[0]-1), clocks[h].local(s[0]-1))
			n.Span(int32(h), clocks[h].local(s[0]), clocks[h].local(s[0]))
		}
		n.Done(int32(h), nil)
	}
	n.Solution()
	return n.Constraints(), messages
}

// A window is the same stretch by every clock: its messages were truly sent in it, though clocks were set beside it. Within it all stated bounds hold, and
// nine tenths of it have one. Outside of it they hold, too: where all messages show that a clock was set, none is stated, and where a clock that was set back, the reference's or another, shows a time
// of the window again it is bounded as by all messages.
func TestWindowsBesideSteps(t *testing.T) {
	var all judged
	for _, seed := range []uint64{0, 1, 2, 3, 4, 7, 10, 14, 20, 28, 33} {
		r := rand.New(rand.NewPCG(seed, 79))
		var clocks [4]setClock
		for range 1 + r.IntN(2) {
			set := r.IntN(4) // h0 is the reference
			clocks[set].sets = append(clocks[set].sets, [2]int64{start + 10*second + r.Int64N(100*second), (r.Int64N(40) - 45) * second / 10})
		}
		all.judge(t, fmt.Sprint("seed ", seed), r, &clocks, false)
	}
	if all.stated*100 < all.within*90 || all.cut == 0 {
		t.Errorf("of %d instants of windows %d have a bound, of others %d have none", all.within, all.stated, all.cut)
	}
}

// Small steps, which links that are silent for seconds do not show in a window, though they do by all messages.
func TestWindowsWithSmallSteps(t *testing.T) {
	var all judged
	for _, seed := range []uint64{44} {
		r := rand.New(rand.NewPCG(seed, 78))
		var clocks [4]setClock
		set := 1 + r.IntN(3)
		clocks[set].sets = [][2]int64{{start + 30*second + r.Int64N(60*second), (r.Int64N(8) - 9) * 100_000}}
		all.judge(t, fmt.Sprint("seed ", seed), r, &clocks, true)
	}
	if all.stated == 0 {
		t.Error("nothing is stated")
	}
}

// judged are how many of windows were looked at and have a bound, and how many of others have none.
type judged struct{ within, stated, cut int }

// judge compares some windows of a ring with the truth.
func (n *judged) judge(t *testing.T, what string, r *rand.Rand, clocks *[4]setClock, sparse bool) {
	const span = 120 * second
	c, messages := fourInARing(r, clocks, span, sparse)
	for i := range clocks {
		for _, s := range clocks[i].sets {
			what += fmt.Sprintf(", h%d set at %.3f s by %d µs", i, float64(s[0]-start)/1e9, s[1]/1e3)
		}
	}
	for range 3 {
		from := start + 5*second + r.Int64N(80*second)
		to := from + 5*second + r.Int64N(30*second)
		net := c.network(Config{Reference: "h0", Window: &Window{clocks[0].local(from), clocks[0].local(to)}})
		what := fmt.Sprintf("%s, from %.3f to %.3f s", what, float64(from-start)/1e9, float64(to-start)/1e9)
		net.holdsMessages(t, what, messages, from, to)
		for i, h := range net.solution.Hosts {
			for at := int64(start); at <= start+span; at += span / 400 {
				local := clocks[i].local(at)
				off := h.Map.Reference(local) - clocks[0].local(at)
				bound, ok := h.Map.Error(local)
				in := at >= from && at < to
				if in {
					n.within++
					if ok {
						n.stated++
					}
				} else if !ok {
					n.cut++
				}
				if ok && max(off, -off) > bound+2 {
					t.Errorf("%s: host %d is off by %d ns after %.3f s, bound %d", what, i, off, float64(at-start)/1e9, bound)
					break
				}
			}
		}
	}
}

// holdsMessages tests that what counts was truly sent in the window, but for as much as clocks are known to.
func (n *Network) holdsMessages(t *testing.T, what string, messages []heard, from, to int64) {
	type ends struct {
		side hull.Side
		at   hull.Point
	}
	truly := make(map[*link]map[ends]int64)
	for _, m := range messages {
		l := n.links[[2]int32{min(m.from, m.to), max(m.from, m.to)}]
		if truly[l] == nil {
			truly[l] = make(map[ends]int64)
		}
		k := l.constraint(match.Message{From: m.from, To: m.to, Sent: m.sent, Received: m.received})
		truly[l][ends{k.side, k.at}] = m.at
	}
	for _, l := range n.order {
		count := 0
		for _, side := range []hull.Side{hull.Upper, hull.Lower} {
			for _, p := range append(l.live.series.Points(side), l.live.sample[side].points()...) {
				count++
				const spare = 2_000_000
				if at := truly[l][ends{side, p}]; at < from-spare || at > to+spare {
					t.Errorf("%s: a message between %d and %d counts that was sent after %.3f s", what, l.a, l.b, float64(at-start)/1e9)
					return
				}
			}
		}
		if count == 0 && len(truly[l]) > 400 {
			t.Errorf("%s: no message between %d and %d counts", what, l.a, l.b)
		}
	}
}

// A clock is set forward within a window, and that is shown by messages after the window alone: those of the window went on in one direction, which allows both. What
// is stated of the window knows of the step nevertheless.
func TestWindowWhoseStepIsShownBeyond(t *testing.T) {
	clocks := [2]setClock{{}, {offset: second, ppm: 20, sets: [][2]int64{{start + 30*second, 500_000_000}}}}
	n := New(Config{})
	n.AddHost("a", "a")
	n.AddHost("b", "b")
	var key uint64
	say := func(from, to int32, at int64) {
		key++
		k := match.Key{A: key}
		n.Endpoint(match.Endpoint{Time: clocks[from].local(at), Host: from, Direction: match.Send, Key: k}, nil)
		n.Endpoint(match.Endpoint{Time: clocks[to].local(at + 50_000), Host: to, Direction: match.Receive, Key: k}, nil)
	}
	for at := int64(start + second/10); at < start+60*second; at += second / 4 {
		say(0, 1, at)
		if at < start+30*second || at > start+40*second {
			say(1, 0, at+second/8)
		}
	}
	for h := range clocks {
		n.Span(int32(h), clocks[h].local(start), clocks[h].local(start+60*second))
		n.Done(int32(h), nil)
	}
	n.Solution()
	from, to := int64(start+15*second), int64(start+38*second)
	s, err := n.Constraints().Solve(Config{Reference: "a", Window: &Window{from, to}})
	if err != nil {
		t.Fatal(err)
	}
	for at := from; at < to; at += second / 10 {
		local := clocks[1].local(at)
		off := s.Hosts[1].Map.Reference(local) - at
		bound, ok := s.Hosts[1].Map.Error(local)
		if !ok && at < start+29*second || ok && max(off, -off) > bound+2 {
			t.Fatalf("b is off by %d ns after %.1f s, bound %d, %v", off, float64(at-start)/1e9, bound, ok)
		}
	}
	before, err := n.Constraints().Solve(Config{Reference: "a", Window: &Window{from, start + 29*second}})
	if err != nil {
		t.Fatal(err)
	}
	if bound, ok := before.Hosts[1].Map.Error(clocks[1].local(start + 28*second)); !ok || bound > 100_000 {
		t.Errorf("by a window before the step b is known to %d ns, %v", bound, ok)
	}
}
