package match

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"pgregory.net/rapid"
)

// identity is the law of Counts.
func (c Counts) identity() error {
	if c.Sent+c.Received != 2*c.Matched+c.Retransmitted+c.Ambiguous+c.Loopback+c.Pieces+c.UnmatchedSent+c.UnmatchedReceived+c.Evicted {
		return fmt.Errorf("endpoints are not each in one counter: %+v", c)
	}
	return nil
}

// Lines of "HOST send|receive KEY at TIME"; the answer is what was emitted,
// and at the end what was settled and the counts.
func TestMatcher(t *testing.T) {
	datadriven.RunTest(t, "testdata/matcher", func(t *testing.T, d *datadriven.TestData) string {
		limit := 0
		d.MaybeScanArgs(t, "keys", &limit)
		var out strings.Builder
		say := func(what string) func(Message) {
			return func(m Message) {
				verb := what
				if m.Retracted {
					verb = "retracted"
				}
				fmt.Fprintf(&out, "%s: %d at %d -> %d at %d\n", verb, m.From, m.Sent, m.To, m.Received)
			}
		}
		m := NewMatcher(limit, say("settled"))
		for line := range strings.Lines(d.Input) {
			var p Endpoint
			var side string
			if _, err := fmt.Sscanf(line, "%d %s %d at %d", &p.Host, &side, &p.Key.A, &p.Time); err != nil {
				d.Fatalf(t, "%q: %v", line, err)
			}
			if side == "receive" {
				p.Direction = Receive
			}
			m.Add(p, say("matched"))
			if err := m.Counts().identity(); err != nil {
				d.Fatalf(t, "%v", err)
			}
		}
		m.Settle(say("found"))
		fmt.Fprintf(&out, "%+v\n", m.Counts())
		return out.String()
	})
}

// A message says of its packet what either end knows, also where it is taken back.
func TestMessagesSayWhatTheyCarry(t *testing.T) {
	for _, c := range []struct {
		send, receive Endpoint // Payload and Empty
		flags         uint64
		content       Content
		opens         bool
	}{
		{Endpoint{Empty: true}, Endpoint{Empty: true}, syn, Nothing, true},
		{Endpoint{Empty: true}, Endpoint{Empty: true}, syn | ack, Nothing, false},
		{Endpoint{Payload: 8}, Endpoint{}, ack, Something, false},
		{Endpoint{}, Endpoint{Payload: 8}, ack, Something, false},
		{Endpoint{}, Endpoint{}, ack, Unrecorded, false},
	} {
		key := Key{Protocol: tcp, Form: ipv4Form, A: 1<<32 | 2, B: 80<<48 | 90<<32 | c.flags<<16 | 60}
		send, receive := c.send, c.receive
		send.Key, receive.Key, receive.Direction, receive.Host = key, key, Receive, 1
		for _, ends := range [][]Endpoint{{send, receive, receive}, {receive, send, receive}} {
			var told []Message
			m := NewMatcher(0, nil)
			for _, e := range ends {
				m.Add(e, func(m Message) { told = append(told, m) })
			}
			if len(told) != 2 || told[0].Content != c.content || told[0].Opens != c.opens || told[0].Retracted || !told[1].Retracted {
				t.Fatalf("%+v: told of %+v", c, told)
			}
			if told[1].Retracted = false; told[0] != told[1] {
				t.Errorf("%+v is taken back as %+v", told[0], told[1])
			}
		}
	}
}

// Whatever the interleaving of the hosts, the messages and counts are those
// that a look at all endpoints at once gives.
func TestInterleavingDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		endpoints := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Endpoint {
			return Endpoint{
				Host:      rapid.Int32Range(0, 2).Draw(t, "host"),
				Direction: rapid.SampledFrom([]Direction{Send, Receive}).Draw(t, "direction"),
				Key:       Key{A: rapid.Uint64Range(0, 12).Draw(t, "key")},
			}
		}), 0, 40).Draw(t, "endpoints")
		var hosts [3][]Endpoint
		for i := range endpoints {
			endpoints[i].Time = int64(i)
			hosts[endpoints[i].Host] = append(hosts[endpoints[i].Host], endpoints[i])
		}

		want := make(map[Message]bool)
		byKey := make(map[Key][2][]Endpoint)
		for _, p := range endpoints {
			k := byKey[p.Key]
			k[p.Direction] = append(k[p.Direction], p)
			byKey[p.Key] = k
		}
		for _, k := range byKey {
			if len(k[Send]) == 1 && len(k[Receive]) == 1 && k[Send][0].Host != k[Receive][0].Host {
				s, r := k[Send][0], k[Receive][0]
				want[Message{From: s.Host, To: r.Host, Sent: s.Time, Received: r.Time}] = true
			}
		}

		var first Counts
		for round := range 3 {
			told, settled := make(map[Message]bool), make(map[Message]bool)
			m := NewMatcher(0, func(m Message) { settled[m] = true })
			var at [3]int
			for range endpoints {
				h := rapid.IntRange(0, 2).Draw(t, "next")
				for at[h] == len(hosts[h]) {
					h = (h + 1) % 3
				}
				m.Add(hosts[h][at[h]], func(e Message) {
					retracted := e.Retracted
					e.Retracted = false
					if told[e] != retracted {
						t.Fatalf("told %+v, retracted: %v, out of turn", e, retracted)
					}
					told[e] = !retracted
				})
				at[h]++
			}
			maps.DeleteFunc(told, func(_ Message, holds bool) bool { return !holds })
			m.Settle(func(m Message) { t.Fatalf("a second look found %+v", m) })
			if !maps.Equal(told, want) || !maps.Equal(settled, want) {
				t.Fatalf("told %v, settled %v, want %v", told, settled, want)
			}
			if err := m.Counts().identity(); err != nil {
				t.Fatal(err)
			}
			if round == 0 {
				first = m.Counts()
			} else if first != m.Counts() {
				t.Fatalf("counts %+v and %+v", first, m.Counts())
			}
		}
	})
}

// The table never holds more keys than it may.
func TestMemoryIsBounded(t *testing.T) {
	m := NewMatcher(10, nil)
	for i := range 1000 {
		m.Add(Endpoint{Key: Key{A: uint64(i)}}, nil)
		if n := m.young.entries.len() + m.old.entries.len(); n > 10 {
			t.Fatalf("%d keys are held, 10 are allowed", n)
		}
		if n := len(m.second.items); n > 2 {
			t.Fatalf("%d endpoints are kept for a second look, 2 are allowed", n)
		}
	}
	if c := m.Counts(); c.Evicted+c.UnmatchedSent != 1000 || c.UnmatchedSent > 12 {
		t.Errorf("%+v", c)
	}
	if held := slices.Collect(func(yield func(Message) bool) { m.Held(func(m Message) { yield(m) }) }); len(held) != 0 {
		t.Errorf("sends alone made messages: %v", held)
	}
}
