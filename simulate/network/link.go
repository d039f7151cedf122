package network

import (
	"math/bits"

	"synchroscope/simulate/chance"
)

// A port is one direction of a link.
type port struct {
	net      *Network
	spec     LinkSpec
	from, to int32
	dice     *chance.Source

	free    int64 // when what waits has been sent
	arrived int64 // when what was not overtaken arrives last
	bad     bool  // packets are lost in a row
}

// frame is what a packet has around it on the wire: preamble, header, checksum, gap.
const frame = 8 + 14 + 4 + 12

// Send puts a packet on its way from a host at a time, which may be ahead of the agenda.
func (n *Network) Send(p *Packet, from int, t int64) {
	d, ok := n.address[p.Destination]
	if !ok {
		n.counts.Unroutable++
		n.Drop(p)
		return
	}
	p.to = d
	n.forward(p, from, t)
}

// forward sends a packet over the next link.
func (n *Network) forward(p *Packet, at int, t int64) {
	i := n.routes[at][p.to]
	if i < 0 {
		n.counts.Unroutable++
		n.Drop(p)
		return
	}
	n.ports[i].send(p, t)
}

// duration is how long so many bytes take at the link's rate, ns.
func (l *port) duration(bytes int) int64 {
	if l.spec.Rate == 0 {
		return 0
	}
	high, low := bits.Mul64(uint64(bytes)*8, 1e9)
	d, _ := bits.Div64(high, low, uint64(l.spec.Rate))
	return int64(d)
}

// maxCopies is how many copies there are of a packet at most, however many links repeat what they hear: copies that
// were copied again would double with each of them.
const maxCopies = 8

func (l *port) send(p *Packet, t int64) {
	s := &l.spec
	start := max(t, l.free)
	if s.Queue > 0 && start-t > l.duration(s.Queue) {
		l.net.counts.Dropped++
		l.net.Drop(p)
		return
	}
	sending := l.duration(p.Length + frame)
	l.free = start + sending
	l.net.counts.Carried++
	if l.loses() {
		l.net.counts.Lost++
		l.net.Drop(p)
		return
	}
	arrival := start + sending + s.Propagation
	if s.Jitter > 0 {
		arrival += l.dice.Exp(s.Jitter)
	}
	if s.Tail > 0 && l.dice.Bool(s.Tail) {
		arrival += l.tail()
	}
	switch {
	case s.Outliers > 0 && l.dice.Bool(s.Outliers):
		arrival += s.OutlierBy
	case s.Reorder > 0 && l.dice.Bool(s.Reorder):
		arrival += l.dice.Between(1, max(s.ReorderBy, 1))
	default:
		arrival = max(arrival, l.arrived+sending)
		l.arrived = arrival
	}
	if s.Duplicate > 0 && p.copies > 0 && l.dice.Bool(s.Duplicate) {
		l.net.counts.Duplicated++
		c := l.net.NewPacket(p.Message, &p.Header)
		c.Message.Segments--
		c.to, c.Note, c.copies = p.to, p.Note, 0
		p.copies--
		l.net.agenda.At(arrival+l.dice.Between(1, 10_000), l, uint64(c.id))
	}
	l.net.agenda.At(arrival, l, uint64(p.id))
}

func (l *port) tail() int64 {
	alpha, most := l.spec.TailAlpha, l.spec.TailMost
	if alpha == 0 {
		alpha = 1.5
	}
	if most == 0 {
		most = 1e9
	}
	return min(l.dice.Pareto(max(l.spec.TailLeast, 1), alpha), most)
}

// loses throws the dice. In runs, the link is good or bad: a bad one loses all, and gets
// good again after LossBurst packets on average.
func (l *port) loses() bool {
	s := &l.spec
	if s.Loss == 0 {
		return false
	}
	if s.LossBurst <= 1 {
		return l.dice.Bool(s.Loss)
	}
	if l.bad {
		l.bad = !l.dice.Bool(1 / s.LossBurst)
	} else {
		l.bad = l.dice.Bool(s.Loss / (s.LossBurst * (1 - s.Loss)))
	}
	return l.bad
}

// Do is a packet at the far end.
func (l *port) Do(now int64, arg uint64) {
	n := l.net
	p := n.packets[arg]
	d := &n.nodes[l.to]
	if d.receiver != nil {
		d.receiver.Receive(now, p)
		return
	}
	if d.nat != nil && !n.translate(d, l.to, p) {
		n.counts.Unroutable++
		n.Drop(p)
		return
	}
	n.forward(p, int(l.to), now)
}
