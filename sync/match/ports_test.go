package match

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A call is one connection of a simulated set: its two ends, and messages back and forth.
type call struct {
	hosts, ports [2]uint64
	times        [][2]int64 // true times of sending and receiving; from end 0 first, then in turn
}

// endpoints of a call, all with keys that other calls have too. Clocks are offset by host, and host 2 runs fast.
func (c *call) endpoints() (list []Endpoint) {
	for i, at := range c.times {
		for d := range 2 {
			end := (i + d) % 2
			t := at[d] + int64(c.hosts[end])*1_000_000_007
			if c.hosts[end] == 2 {
				t += at[d] / 20_000
			}
			list = append(list, Endpoint{
				Time: t, Host: int32(c.hosts[end]), Direction: Direction(d), Port: c.ports[end],
				Key: Key{Form: declaredForm, A: uint64(i)},
			})
		}
	}
	return list
}

// Connections that use the same numbers are told apart by their ports, whatever the interleaving and whoever else
// uses them: no message is made of ends of two connections, and none is missing of connections that are long.
func TestPorts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var hosts [3][]Endpoint
		var truth []Message
		ports := rapid.Uint64Range(2, 3).Draw(t, "calls")
		for n := range ports {
			c := call{hosts: [2]uint64{0, 1 + n%2}, ports: [2]uint64{10 + n, 20 + n}}
			at := rapid.Int64Range(0, 1e6).Draw(t, "begin")
			for range 40 {
				at += rapid.Int64Range(1e5, 1e7).Draw(t, "think")
				sent := at
				at += rapid.Int64Range(1e4, 5e4).Draw(t, "way")
				c.times = append(c.times, [2]int64{sent, at})
			}
			list := c.endpoints()
			for i := 0; i < len(list); i += 2 {
				truth = append(truth, Message{From: list[i].Host, To: list[i+1].Host, Sent: list[i].Time, Received: list[i+1].Time})
			}
			for _, e := range list {
				hosts[e.Host] = append(hosts[e.Host], e)
			}
		}
		for i := range hosts {
			slices.SortStableFunc(hosts[i], func(p, q Endpoint) int { return int(p.Time - q.Time) })
		}
		var got []Message
		m := NewMatcher(0, func(m Message) { m.FromThread, m.ToThread = 0, 0; got = append(got, m) })
		for {
			left := hosts[:0:0]
			for _, h := range hosts {
				if len(h) > 0 {
					left = append(left, h)
				}
			}
			if len(left) == 0 {
				break
			}
			host := left[rapid.IntRange(0, len(left)-1).Draw(t, "next")][0].Host
			m.Add(hosts[host][0], nil)
			hosts[host] = hosts[host][1:]
		}
		m.Settle(nil)
		slices.SortFunc(got, compareTimes)
		slices.SortFunc(truth, compareTimes)
		if !slices.Equal(got, truth) {
			t.Fatalf("%d messages, want %d: %+v", len(got), len(truth), m.Counts())
		}
		if err := m.Counts().identity(); err != nil {
			t.Fatal(err)
		}
	})
}

func compareTimes(p, q Message) int {
	return slices.Compare([]int64{p.Sent, p.Received, int64(p.From), int64(p.To)}, []int64{q.Sent, q.Received, int64(q.From), int64(q.To)})
}

// Packets whose addresses were translated on the way are found by the rest of their keys. If the clocks that
// would follow contradict each other, or two streams may be the other end of one, none is.
func TestTranslated(t *testing.T) {
	const n = 12
	key := func(i int, addresses uint64, ports uint64) Key {
		return Key{Protocol: tcp, Form: ipv4Form, A: addresses, B: ports<<32 | 16<<16 | 52, C: uint64(1000+i)<<32 | uint64(2000+i)}
	}
	for name, c := range map[string]struct {
		received func(i int) int64 // since it was sent
		copies   int
		want     int64
	}{
		"plain":         {func(i int) int64 { return 5000 + int64(i%3)*100 }, 1, n},
		"contradiction": {func(i int) int64 { return int64(i%5-2) * 1_000_000 }, 1, 0},
		"two streams":   {func(i int) int64 { return 5000 }, 2, 0},
	} {
		m := NewMatcher(0, func(m Message) {
			if m.Content != Nothing || m.Opens {
				t.Errorf("%s: of an empty packet that opens nothing: %+v", name, m)
			}
		})
		for i := range n {
			from := int32(i % 2)
			sent := int64(i) * 1_000_000
			m.Add(Endpoint{Time: sent, Host: from, Key: key(i, uint64(10+from), 80), Empty: true}, nil)
			for k := range c.copies {
				m.Add(Endpoint{Time: sent + c.received(i), Host: 1 - from, Direction: Receive, Key: key(i, uint64(20+from), uint64(90+k)), Empty: true}, nil)
			}
		}
		m.Settle(nil)
		if got := m.Counts(); got.Matched != c.want {
			t.Errorf("%s: %+v", name, got)
		}
		if err := m.Counts().identity(); err != nil {
			t.Error(err)
		}
	}
}
