package network

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/simulate/agenda"
)

// A card notes what arrives, and gives it back.
type card struct {
	net  *Network
	host int
	got  []Header
	at   []int64
}

func (c *card) Receive(now int64, p *Packet) {
	c.got, c.at = append(c.got, p.Header), append(c.at, now)
	c.net.Taken(p, c.host, now, true, false)
}

type ledger struct{ told []Message }

func (l *ledger) Message(m *Message) { l.told = append(l.told, *m) }

func address(i int) uint32 { return 10<<24 | uint32(i+1) }

// hosts is so many hosts, with their cards.
func hosts(n *Network, k int) (nodes []int, cards []*card) {
	for i := range k {
		c := &card{net: n, host: i}
		nodes = append(nodes, n.Host(fmt.Sprint("h", i), address(i), c))
		cards = append(cards, c)
	}
	return nodes, cards
}

func (n *Network) send(from, node int, h Header) {
	m := n.NewMessage(from, &h)
	m.Sent = n.agenda.Now()
	n.Send(n.NewPacket(m, &h), node, n.agenda.Now())
	n.Sent(m)
}

// On any link each packet arrives once, is lost or dropped, or twice; those that are not overtaken arrive
// in the order they were sent, no earlier than propagation and transmission allow; and each
// message is told of once, rightly.
func TestLink(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom([]float64{0, 0, 0.1, 0.5})
		s := LinkSpec{
			Propagation: rapid.Int64Range(0, 1e6).Draw(t, "propagation"),
			Rate:        rapid.SampledFrom([]int64{0, 1e6, 1e9}).Draw(t, "rate"),
			Queue:       rapid.SampledFrom([]int{0, 3000, 100_000}).Draw(t, "queue"),
			Jitter:      rapid.SampledFrom([]int64{0, 1000, 1e6}).Draw(t, "jitter"),
			Tail:        p.Draw(t, "tail"), TailLeast: 1000,
			Outliers: p.Draw(t, "outliers"), OutlierBy: 1e7,
			Loss: p.Draw(t, "loss"), LossBurst: rapid.SampledFrom([]float64{0, 3}).Draw(t, "burst"),
			Duplicate: p.Draw(t, "duplicate"), Reorder: p.Draw(t, "reorder"), ReorderBy: 1e6,
		}
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		var a agenda.Agenda
		var l ledger
		n := New(&a, rapid.Uint64().Draw(t, "seed"), &l)
		nodes, cards := hosts(n, 2)
		n.Link(nodes[0], nodes[1], s, LinkSpec{})
		n.Route()
		total := rapid.IntRange(0, 200).Draw(t, "packets")
		var sent []int64
		for i := range total {
			a.Run(a.Now() + rapid.Int64Range(0, 100_000).Draw(t, "later"))
			sent = append(sent, a.Now())
			n.send(0, nodes[0], Header{Source: address(0), Destination: address(1), Protocol: UDP, ID: uint16(i), Length: rapid.IntRange(28, 1500).Draw(t, "bytes")})
		}
		a.Run(a.Now() + 1e12)
		n.Close()
		k := n.Counts()
		if int(k.Carried+k.Dropped) != total || len(cards[1].got) != total-int(k.Lost+k.Dropped)+int(k.Duplicated) || len(l.told) != total {
			t.Fatalf("%d sent, %d received, %d told of, %+v", total, len(cards[1].got), len(l.told), k)
		}
		inOrder := s.Outliers+s.Reorder+s.Duplicate == 0
		for i, h := range cards[1].got {
			least := sent[h.ID] + s.Propagation
			if s.Rate > 0 {
				least += int64(h.Length+frame) * 8e9 / s.Rate
			}
			if cards[1].at[i] < least {
				t.Errorf("packet %d is there after %d ns, %d is the least", h.ID, cards[1].at[i]-sent[h.ID], least-sent[h.ID])
			}
			if inOrder && i > 0 && h.ID <= cards[1].got[i-1].ID {
				t.Errorf("packet %d overtakes", h.ID)
			}
		}
		received := 0
		for _, m := range l.told {
			if m.Received >= 0 {
				received++
			}
			if m.Received >= 0 && m.Received < m.Sent || m.From != 0 || m.To != 1 || m.Segments != 1 || m.Seen > 2 || m.Sent != sent[m.ID] {
				t.Errorf("%+v", m)
			}
		}
		if received != total-int(k.Lost+k.Dropped) {
			t.Errorf("%d messages are said to be received", received)
		}
	})
}

// Packets take the way of fewest links over switches, never through hosts, and go nowhere
// where there is none.
func TestRoutes(t *testing.T) {
	var a agenda.Agenda
	var l ledger
	n := New(&a, 1, &l)
	nodes, cards := hosts(n, 4)
	near, far, other := n.Switch("near", 0), n.Switch("far", 0), n.Switch("other", 0)
	link := func(a, b int, ns int64) { n.Link(a, b, LinkSpec{Propagation: ns}, LinkSpec{Propagation: ns}) }
	link(nodes[0], near, 1)
	link(near, far, 10)
	link(far, nodes[1], 100)
	link(near, other, 1)
	link(other, far, 1)
	link(nodes[1], nodes[2], 5) // behind a host
	n.Route()
	for to := 1; to < 4; to++ {
		n.send(0, nodes[0], Header{Destination: address(to), Protocol: UDP, Length: 28})
	}
	n.send(0, nodes[0], Header{Destination: 99, Protocol: UDP, Length: 28})
	n.send(1, nodes[1], Header{Destination: address(2), Protocol: UDP, Length: 28})
	a.Run(1e9)
	if len(cards[1].at) != 1 || cards[1].at[0] != 111 || len(cards[2].at) != 1 || len(cards[3].at) != 0 || n.Counts().Unroutable != 3 || len(l.told) != 5 {
		t.Errorf("%v %v %v, %+v", cards[1].at, cards[2].at, cards[3].at, n.Counts())
	}
	if n.Reaches(nodes[0], nodes[2]) || !n.Reaches(nodes[0], nodes[1]) {
		t.Error("what is reached is not known")
	}
}

// A host behind a switch with an address is seen with that address, its answers find it, and
// nobody else does; its neighbours see its own.
func TestHidden(t *testing.T) {
	for _, protocol := range []uint8{TCP, UDP, ICMP} {
		var a agenda.Agenda
		var l ledger
		n := New(&a, 1, &l)
		nodes, cards := hosts(n, 3)
		const public = 192<<24 | 7
		gate := n.Switch("gate", public)
		for _, d := range nodes {
			n.Link(d, gate, LinkSpec{}, LinkSpec{})
		}
		n.Hide(nodes[0], gate)
		n.Hide(nodes[1], gate)
		n.Route()
		ask := Header{Source: address(0), Destination: address(2), SourcePort: 40000, DestinationPort: 80, Protocol: protocol, Length: 60, TTL: 64, Words: 5}
		n.send(0, nodes[0], ask)
		a.Run(100)
		seen := cards[2].got[0]
		inner, given := ask.SourcePort, seen.SourcePort
		if protocol == ICMP { // the identifier
			inner, given = ask.DestinationPort, seen.DestinationPort
		}
		if seen.Source != public || given == inner || !l.told[0].Changed || seen.TTL != 63 {
			t.Errorf("%d: %+v is seen", protocol, seen)
		}
		answer := Header{Source: address(2), Destination: seen.Source, SourcePort: seen.DestinationPort, DestinationPort: seen.SourcePort, Protocol: protocol, Length: 60, TTL: 64, Words: 5}
		if protocol == ICMP {
			answer.SourcePort, answer.DestinationPort = 0, seen.DestinationPort
		}
		n.send(2, nodes[2], answer)
		stray := answer
		stray.DestinationPort++
		n.send(2, nodes[2], stray)
		a.Run(200)
		if len(cards[0].got) != 1 || cards[0].got[0].DestinationPort != inner || cards[0].got[0].Destination != address(0) || n.Counts().Unroutable != 1 {
			t.Errorf("%d: %+v comes back", protocol, cards[0].got)
		}
		if m := l.told[2]; m.To != 0 || m.From != 2 { // the stray one was over before
			t.Errorf("%d: the answer is %+v", protocol, m)
		}
		n.send(1, nodes[1], Header{Source: address(1), Destination: address(0), SourcePort: 5, DestinationPort: 6, Protocol: protocol, Length: 60, TTL: 64, Words: 5})
		a.Run(300)
		if h := cards[0].got[1]; h.Source != address(1) || h.TTL != 64 {
			t.Errorf("%d: a neighbour is seen as %+v", protocol, h)
		}
	}
}

// Where every link makes a copy of everything, there is one for each link on the way of a packet, up to eight however many
// links those are, and its message is told of once.
func TestCopies(t *testing.T) {
	for _, switches := range []int{0, 1, 6, 7, 8, 1000} {
		var a agenda.Agenda
		var l ledger
		n := New(&a, 1, &l)
		nodes, cards := hosts(n, 2)
		at, every := nodes[0], LinkSpec{Propagation: 1000, Duplicate: 1}
		for i := range switches {
			next := n.Switch(fmt.Sprint("s", i), 0)
			n.Link(at, next, every, every)
			at = next
		}
		n.Link(at, nodes[1], every, every)
		n.Route()
		links := switches + 1
		copies := min(links, 8)
		for range 3 {
			n.send(0, nodes[0], Header{Destination: address(1), Protocol: UDP, Length: 28})
		}
		if most := 3 * links * 9; !a.Some(1e9, most) {
			t.Fatalf("over %d links, three packets are not there after %d steps", links, most)
		}
		if len(cards[1].got) != 3*(copies+1) || n.Counts().Duplicated != int64(3*copies) || len(l.told) != 3 {
			t.Errorf("over %d links, %d are received, %d told of, %+v", links, len(cards[1].got), len(l.told), n.Counts())
		}
		for _, m := range l.told {
			if m.Seen != copies+1 || m.Segments != 1 || m.Received < m.Sent {
				t.Errorf("over %d links: %+v", links, m)
			}
		}
	}
}

// A message of several packets is received when the last of them is, and only if all are.
func TestParts(t *testing.T) {
	for lost := -1; lost < 3; lost++ {
		var a agenda.Agenda
		var l ledger
		n := New(&a, 1, &l)
		nodes, _ := hosts(n, 2)
		n.Link(nodes[0], nodes[1], LinkSpec{Propagation: 10, Rate: 1e9}, LinkSpec{})
		n.Route()
		h := Header{Source: address(0), Destination: address(1), Protocol: TCP, Length: 1500, Words: 8}
		m := n.NewMessage(0, &h)
		for i := range 3 {
			p := n.NewPacket(m, &h)
			if i == lost {
				n.Drop(p)
				continue
			}
			n.Send(p, nodes[0], 0)
		}
		n.Sent(m)
		a.Run(1e9)
		want := int64(3*(1538*8) + 10)
		if lost >= 0 {
			want = -1
		}
		if len(l.told) != 1 || l.told[0].Segments != 3 || l.told[0].Received != want || l.told[0].WasReceived != (lost < 0) {
			t.Errorf("without %d: %+v", lost, l.told)
		}
	}
}
