package machine

import (
	"synchroscope/simulate/network"
	"synchroscope/simulate/record"
	"synchroscope/simulate/transport"
)

// The network card. It has a queue for each CPU; the packets of a connection come to one of them.

// An arrival is a packet in a queue: from the card, or from the machine itself.
type arrival struct {
	packet *network.Packet // nil from the loopback device
	header network.Header
	note   any
	skb    uint64
}

// ringSize is how many packets a queue of the card holds.
const ringSize = 1024

// mss is the data of a packet that is 1500 bytes long.
const mss = 1500 - 52

// Now is the time of what the machine does now; for its transport.
func (m *Machine) Now() int64 { return m.on.now }

// Emit hands a packet to a device; for its transport. Two CPUs do not send from one connection at a time.
func (m *Machine) Emit(h *network.Header, peer any) {
	c := m.on
	if conn, ok := peer.(*transport.Conn); ok {
		c.lift(conn.Busy)
		defer func() { conn.Busy = c.now }()
	}
	skb := m.newBuffer()
	if h.Destination == m.stack.Address() || h.Destination>>24 == 127 {
		at := c.mark()
		if c.rec != nil {
			c.rec.NetQueue(at, skb, record.Loopback, h)
		}
		if at = c.mark(); c.rec != nil {
			c.rec.NetXmit(at, skb, record.Loopback, h.Length)
		}
		c.ring = append(c.ring, arrival{header: *h, note: peer, skb: skb})
		if c.soft&(1<<record.SoftNetRX) == 0 {
			c.raise(record.SoftNetRX)
		}
		return
	}
	msg := m.net.NewMessage(m.host, h)
	msg.Sent = c.mark()
	msg.WasSent = c.rec != nil && c.rec.NetQueue(msg.Sent, skb, "eth0", h)
	c.spend(500)
	at := c.mark()
	if c.rec != nil {
		c.rec.NetXmit(at, skb, "eth0", h.Length)
	}
	m.cut(msg, h, peer, at)
	m.net.Sent(msg)
	c.spend(200)
}

// cut sends a packet in as many as it needs.
func (m *Machine) cut(msg *network.Message, h *network.Header, peer any, at int64) {
	data := 0
	if h.Protocol == network.TCP {
		data = h.Payload()
	}
	if data <= mss {
		p := m.net.NewPacket(msg, h)
		p.Note = peer
		m.net.Send(p, m.node, at)
		return
	}
	head := *h
	for from := 0; from < data; from += mss {
		n := min(mss, data-from)
		head.Seq = h.Seq + uint32(from)
		head.Length = h.Length - data + n
		head.ID = h.ID + uint16(from/mss)
		if head.Flags = h.Flags; from+n < data {
			head.Flags &^= network.PSH | network.FIN
		}
		p := m.net.NewPacket(msg, &head)
		p.Note = peer
		m.net.Send(p, m.node, at)
	}
}

// Receive is a packet at the card.
func (m *Machine) Receive(now int64, p *network.Packet) {
	if !m.up {
		m.net.Drop(p)
		return
	}
	c := m.cpus[m.queueOf(&p.Header)]
	if len(c.ring)-c.ringAt >= ringSize {
		m.stats.Overruns++
		m.net.Drop(p)
		return
	}
	c.ring = append(c.ring, arrival{packet: p, header: p.Header, note: p.Note})
	if !c.polling {
		c.polling = true
		m.agenda.At(now+900+int64(c.dice.Uint64()&4095), (*card)(c), uint64(m.boot))
	}
}

// queueOf is the queue of the card that a packet comes to.
func (m *Machine) queueOf(h *network.Header) int {
	x := uint64(h.Source^h.Destination)<<32 | uint64(h.SourcePort^h.DestinationPort)
	if h.Protocol == network.ICMP {
		x = uint64(h.Source ^ h.Destination)
	}
	x *= 0x9e3779b97f4a7c15
	return int(x >> 33 % uint64(len(m.cpus)))
}

// card is the interrupt of a queue.
type card cpu

// Do interrupts the CPU of the queue.
func (x *card) Do(now int64, boot uint64) {
	if c := (*cpu)(x); int(boot) == c.m.boot {
		c.interrupt(irq{kind: irqNet})
	}
}

var netNames = func() (names [64]string) {
	for i := range names {
		names[i] = "eth0-TxRx-" + itoa(i)
	}
	return names
}()

func (c *cpu) netName() string { return netNames[c.id%len(netNames)] }

// poll takes the next packet of the queue, with those that the card joins with it.
func (c *cpu) poll() (int64, bool) {
	if c.ringAt == len(c.ring) {
		c.ring, c.ringAt, c.polling = c.ring[:0], 0, false
		return 300, false
	}
	m := c.m
	first := c.ring[c.ringAt]
	h, note := first.header, first.note
	n := 1
	for c.ringAt+n < len(c.ring) && m.joins(&h, &c.ring[c.ringAt+n]) {
		n++
	}
	if first.packet == nil {
		if at := c.mark(); c.rec != nil {
			c.rec.NetReceive(at, first.skb, record.Loopback, &h)
		}
	} else {
		at := c.mark()
		recorded := c.rec != nil && c.rec.NetReceive(at, m.newBuffer(), "eth0", &h)
		for i := range n {
			m.net.Taken(c.ring[c.ringAt+i].packet, m.host, at, recorded, n > 1)
		}
	}
	for i := range n {
		c.ring[c.ringAt+i] = arrival{}
	}
	c.ringAt += n
	c.spend(400 + 100*int64(n))
	if h.Destination == m.stack.Address() || h.Destination>>24 == 127 {
		m.stack.Receive(&h, note)
	}
	if c.polled += n; c.polled >= 300 && c.ringAt < len(c.ring) {
		c.raise(record.SoftNetRX)
		return 300, false
	}
	return 500, true
}

// joins joins a packet with those before it, if the card would: the next of the same
// connection with nothing but data.
func (m *Machine) joins(h *network.Header, a *arrival) bool {
	g := &a.header
	if a.packet == nil || h.Protocol != network.TCP || g.Protocol != network.TCP || m.opt.Kernel.Coalesce <= 1 {
		return false
	}
	data, more := h.Payload(), g.Payload()
	if data == 0 || more == 0 || data%mss != 0 || h.Flags != network.ACK || g.Flags&^network.PSH != network.ACK ||
		h.Length+more > min(m.opt.Kernel.Coalesce, 65535) {
		return false
	}
	if h.Source != g.Source || h.Destination != g.Destination || h.SourcePort != g.SourcePort || h.DestinationPort != g.DestinationPort ||
		h.Ack != g.Ack || h.Seq+uint32(data) != g.Seq {
		return false
	}
	h.Length += more
	h.Flags |= g.Flags
	return true
}

// Alarm has a connection wait; for its transport. Timers of connections go off at ticks.
func (m *Machine) Alarm(tc *transport.Conn, at int64, fresh bool) {
	x := m.conn(tc)
	if fresh {
		m.on.arm(x, at)
	}
	m.agenda.At(m.onTick(at), x, uint64(m.boot))
}

// arm records that the timer of a connection is set.
func (c *cpu) arm(x *Conn, at int64) {
	x.armed = true
	if mark := c.mark(); c.rec != nil {
		now := c.m.jiffies(mark)
		c.rec.TimerStart(mark, x.address(), record.RetransTimer, max(c.m.jiffies(at), now)+1, now, uint32(c.id))
	}
}

// Do is the time having come.
func (x *Conn) Do(now int64, boot uint64) {
	if int(boot) != x.m.boot {
		return
	}
	c := x.m.cpus[x.cpu]
	if !x.due && x.tcp.Due(now) {
		x.due = true
		c.timers = append(c.timers, x)
		c.interrupt(irq{kind: irqTick})
	}
}

// Ready wakes those who wait; for its transport.
func (m *Machine) Ready(w *transport.Waiters) {
	w.At = m.on.now
	if w.One {
		for len(w.List) > 0 {
			t := w.List[0].(*Thread)
			w.List = append(w.List[:0], w.List[1:]...)
			if t.state == blocked {
				m.wake(t)
				return
			}
		}
		return
	}
	for _, x := range w.List {
		m.wake(x.(*Thread))
	}
	w.List = w.List[:0]
}
