package match

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/sync/hull"
)

// A pen writes what hosts 0 and 1 record of datagrams with few different ids. The clock of host 1 is
// days ahead and drifts.
type pen struct {
	tick   int64 // ns by which the clock of host 1 advances at once
	number int32 // of packets so far, which is the thread of each: a clock that ticks gives several the same times
	hosts  [2][]Endpoint
	truth  map[Message]bool
	times  map[Key][]int64 // true times of all ends, recorded or not
	found  map[Message]Key // messages of which both ends were recorded once
}

func (w *pen) local(host int32, at int64) int64 {
	if host == 0 {
		return at
	}
	at += 200_000*sec + at/10_000
	return at - at%w.tick
}

const sec = 1_000_000_000

func (w *pen) record(host int32, d Direction, k Key, at int64) {
	w.hosts[host] = append(w.hosts[host], Endpoint{Time: w.local(host, at), Host: host, Thread: w.number, Direction: d, Key: k})
}

// packet is sent at a time, and arrives so often after delay, each recorded or not.
func (w *pen) packet(t *rapid.T, from int32, k Key, at, delay int64, lossy, unrecorded bool) {
	w.number++
	copies, sent := 1, true
	if lossy {
		copies = rapid.SampledFrom([]int{1, 1, 1, 1, 1, 0, 2}).Draw(t, "copies")
	}
	if unrecorded {
		sent = rapid.IntRange(0, 9).Draw(t, "recorded") > 0
	}
	w.times[k] = append(w.times[k], at)
	if sent {
		w.record(from, Send, k, at)
	}
	for i := range copies {
		arrived := at + delay + int64(i)*1_000_000
		w.record(1-from, Receive, k, arrived)
		if !sent {
			continue
		}
		m := Message{From: from, To: 1 - from, Sent: w.local(from, at), Received: w.local(1-from, arrived), FromThread: w.number, ToThread: w.number, Protocol: k.Protocol}
		w.truth[m] = true
		if copies == 1 {
			w.found[m] = k
		}
	}
}

func datagram(from int32, id uint64) Key {
	return Key{Protocol: udp, Form: ipv4Form, A: uint64(from), B: 100<<16 | id}
}

// Ids of datagrams that come again are no reason to give messages up, and none to guess: whatever is lost, copied and not recorded, and whatever the
// interleaving, every message is one, each endpoint is in one counter, and of messages with the same key minutes apart none is
// missing. The counts are the same in every order.
func TestRepeatedKeys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &pen{tick: rapid.SampledFrom([]int64{1, 1_000_000, 16_000_000}).Draw(t, "tick"), truth: make(map[Message]bool), times: make(map[Key][]int64), found: make(map[Message]Key)}
		lossy := rapid.Bool().Draw(t, "lossy")
		unrecorded := rapid.Bool().Draw(t, "unrecorded") // then an id comes again after minutes only, or nobody could know
		at := int64(0)
		for i := range rapid.IntRange(1, 20).Draw(t, "segments") {
			// TCP in both directions says how the clocks are related.
			for from := range int32(2) {
				at += rapid.Int64Range(1_000, 1_000_000).Draw(t, "think")
				k := Key{Protocol: tcp, Form: ipv4Form, A: uint64(from), C: uint64(i)}
				w.packet(t, from, k, at, rapid.Int64Range(10_000, 50_000_000).Draw(t, "way"), false, false)
			}
			for range rapid.IntRange(0, 8).Draw(t, "datagrams") {
				at += rapid.Int64Range(1, 200).Draw(t, "think") * sec
				from := rapid.Int32Range(0, 1).Draw(t, "from")
				k := datagram(from, 1+rapid.Uint64Range(0, 3).Draw(t, "id"))
				if n := len(w.times[k]); unrecorded && n > 0 && at-w.times[k][n-1] < 200*sec {
					continue
				}
				w.packet(t, from, k, at, rapid.Int64Range(10_000, 50_000_000).Draw(t, "way"), lossy, unrecorded)
			}
		}
		var first Counts
		for round := range 3 {
			told := make(map[Message]bool)
			var settled []Message
			m := NewMatcher(0, func(m Message) { settled = append(settled, m) })
			hear := func(e Message) {
				retracted := e.Retracted
				e.Retracted = false
				if told[e] != retracted {
					t.Fatalf("told %+v, retracted: %v, out of turn", e, retracted)
				}
				told[e] = !retracted
			}
			left := w.hosts
			for i := range left {
				slices.SortStableFunc(left[i], func(p, q Endpoint) int { return int(p.Time/1000 - q.Time/1000) })
			}
			for len(left[0])+len(left[1]) > 0 {
				i := rapid.IntRange(0, 1).Draw(t, "next")
				if len(left[i]) == 0 {
					i = 1 - i
				}
				m.Add(left[i][0], hear)
				left[i] = left[i][1:]
				if err := m.Counts().identity(); err != nil {
					t.Fatal(err)
				}
			}
			held := 0
			m.Held(func(Message) { held++ })
			if int64(held) != m.Counts().Matched {
				t.Fatalf("%d messages are held, %d counted", held, m.Counts().Matched)
			}
			m.Settle(hear)
			for _, e := range settled {
				if !w.truth[e] {
					t.Fatalf("%+v is none", e)
				}
				if !told[e] {
					t.Fatalf("%+v was not told", e)
				}
				delete(told, e)
				delete(w.found, e)
			}
			for e, holds := range told {
				if holds {
					t.Fatalf("told %+v, which is not settled", e)
				}
			}
			for e, k := range w.found {
				if w.apart(k, e) {
					t.Fatalf("%+v is missing: %+v", e, m.Counts())
				}
			}
			if err := m.Counts().identity(); err != nil {
				t.Fatal(err)
			}
			if round == 0 {
				first = m.Counts()
			} else if m.Counts() != first {
				t.Fatalf("counts %+v and %+v", first, m.Counts())
			}
		}
	})
}

// apart reports whether no other packet with the key was sent within minutes of a message.
func (w *pen) apart(k Key, m Message) bool {
	near := 0
	for _, at := range w.times[k] {
		if d := w.local(m.From, at) - m.Sent; max(d, -d) < 200*sec {
			near++
		}
	}
	return near == 1 && len(w.times[k]) <= mostRepeats/2
}

// Ids that wrap every minutes for days, and nothing else: messages are found as long as the first of both directions
// show how the clocks are related, in a memory much smaller than all of it.
func TestIDsWrap(t *testing.T) {
	for keys, hours := range map[int]int64{1 << 9: 100, 1 << 20: 5} {
		t.Run(fmt.Sprint("keys=", keys), func(t *testing.T) {
			w := &pen{tick: 1, truth: make(map[Message]bool), times: make(map[Key][]int64), found: make(map[Message]Key)}
			for n := range hours * 360 {
				at := n*10*sec + n*n%9973*100_000
				for from := range int32(2) {
					k := datagram(from, uint64(n%60)+1) // ten minutes
					w.record(from, Send, k, at+int64(from)*5_000_000)
					w.record(1-from, Receive, k, at+int64(from)*5_000_000+200_000+n%7*10_000)
				}
			}
			m := NewMatcher(keys, func(m Message) {
				d := m.Received - w.local(1, m.Sent)
				if m.From == 1 {
					d = w.local(1, m.Received) - m.Sent
				}
				if d < 0 || d > sec {
					t.Fatalf("%+v took %d ns", m, d)
				}
			})
			for i := range w.hosts[0] {
				m.Add(w.hosts[0][i], nil)
				m.Add(w.hosts[1][i], nil)
			}
			m.Settle(nil)
			c := m.Counts()
			if err := c.identity(); err != nil {
				t.Fatal(err)
			}
			if all := int64(len(w.hosts[0])); c.Matched < all*99/100 {
				t.Errorf("%d messages of %d: %+v", c.Matched, all, c)
			}
			if m.Forgot() != (keys == 1<<9) {
				t.Errorf("forgot: %v", m.Forgot())
			}
		})
	}
}

// Where a clock was set by less than ten seconds once and by more another time, what is after the second step is one supposition, and what is before it
// is none: it is not taken for what other packets with the same keys make of it, and no message is lost.
func TestClockSetTwice(t *testing.T) {
	for _, steps := range [][2]int64{{3 * sec, 30 * sec}, {3 * sec, -3600 * sec}, {-2 * sec, -300 * sec}, {400_000_000, 15 * sec}} {
		w := &pen{tick: 1, truth: make(map[Message]bool), times: make(map[Key][]int64), found: make(map[Message]Key)}
		const n = 600 // so many of each direction, one in 200 ms
		for i := range int64(n) {
			at := i * sec / 5
			for from := range int32(2) {
				for host := range int32(2) {
					d, on := Send, at+int64(from)*50_000_000
					if host != from {
						d, on = Receive, on+100_000+i%7*10_000
					}
					by := int64(0)
					if host == 1 && at > 30*sec {
						by += steps[0]
					}
					if host == 1 && at > 60*sec {
						by += steps[1]
					}
					w.hosts[host] = append(w.hosts[host], Endpoint{Time: w.local(host, on) + by, Host: host, Thread: -1, Direction: d, Key: datagram(from, uint64(i))})
				}
			}
		}
		m := NewMatcher(1<<20, func(Message) {})
		for host := range w.hosts {
			slices.SortFunc(w.hosts[host], func(a, b Endpoint) int { return cmp.Compare(a.Time, b.Time) })
			for _, p := range w.hosts[host] {
				m.Add(p, nil)
			}
		}
		m.Settle(nil)
		if c := m.Counts(); c.Matched != 2*n {
			t.Errorf("set by %d and %d ns: of %d messages %d are found: %+v", steps[0], steps[1], 2*n, c.Matched, c)
		}
	}
}

// Of two suppositions that pass neither is believed; and what is refused, beside one that passes, leaves that alone where it contradicts itself all the
// time, or has ends that this has.
func TestElected(t *testing.T) {
	// Votes of both directions, one each 10 s, by a clock that is so far ahead, on the way for 1 ms.
	votes := func(from, n int, ahead func(i int) int64) (out []vote) {
		for i := from; i < from+n; i++ {
			x := int64(i) * 10 * sec
			out = append(out, vote{x: x, y: x + ahead(i) + 1_000_000, side: hull.Upper}, vote{x: x + sec, y: x + sec + ahead(i) - 1_000_000, side: hull.Lower})
		}
		return out
	}
	steady := func(ahead int64) func(int) int64 { return func(int) int64 { return ahead } }
	step := func(i int) int64 { return 1000*sec + int64(i/20%2)*3*sec }
	wild := func(i int) int64 { return 1000*sec + int64(i)*7919%100*sec }
	true40 := votes(0, 40, steady(50*sec))
	for _, c := range []struct {
		name   string
		beside []vote
		want   int
	}{
		{"nothing else", nil, 80},
		{"another that passes", votes(100, 40, steady(1000*sec)), 0},
		{"a clock that was set", votes(100, 40, step), 0},
		{"a clock that was set, of the same packets", votes(0, 40, step), 80},
		{"packets minutes apart", votes(100, 40, wild), 80},
		{"a few", votes(100, 3, step), 80},
	} {
		if got := elected(append(slices.Clone(true40), c.beside...)); len(got) != c.want {
			t.Errorf("beside %s %d votes are believed, want %d", c.name, len(got), c.want)
		}
	}
}

// Of two recordings that begin and end at different times, with ids that come again, what one sent before the other began and what that received after
// the end of the first are no reason to doubt the rest, however steadily packets come.
func TestIDsWrapInRecordingsApart(t *testing.T) {
	for _, c := range []struct{ every, jitter, ids, apart, long int64 }{
		{sec / 5, 20_000_000, 320, 70, 200},
		{sec / 5, 1_000_000, 320, 70, 200},
		{sec / 5, 90_000_000, 320, 40, 200},
		{sec, 20_000_000, 600, 700, 1600},
		{sec / 20, 40_000_000, 2048, 150, 400},
	} {
		w := &pen{tick: 1, truth: make(map[Message]bool), times: make(map[Key][]int64), found: make(map[Message]Key)}
		random := rand.New(rand.NewPCG(1, 2))
		records := func(host int32, at int64) bool {
			begin := int64(host) * c.apart * sec
			return begin <= at && at < begin+c.long*sec
		}
		var both int64
		for i := range (c.apart + c.long) * sec / c.every {
			for from := range int32(2) {
				at := i*c.every + int64(from)*5_000_000 + random.Int64N(c.jitter)
				arrived := at + 100_000 + random.Int64N(300_000)
				k := datagram(from, uint64(i%c.ids)+1)
				sent, received := records(from, at), records(1-from, arrived)
				if sent {
					w.record(from, Send, k, at)
				}
				if received {
					w.record(1-from, Receive, k, arrived)
				}
				if sent && received {
					both++
				}
			}
		}
		m := NewMatcher(1<<20, func(Message) {})
		for host := range w.hosts {
			for _, p := range w.hosts[host] {
				m.Add(p, nil)
			}
		}
		m.Settle(nil)
		if counts := m.Counts(); counts.Matched < both*99/100 {
			t.Errorf("%+v: %d of %d messages: %+v", c, counts.Matched, both, counts)
		}
	}
}
