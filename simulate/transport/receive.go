package transport

import (
	"slices"

	"synchroscope/simulate/network"
)

// A Listener takes connections at a port.
type Listener struct {
	Waiters Waiters // of the host
	stack   *Stack
	port    uint16
	queue   []*Conn
	users   int // who have it open
	pending int // connections that are not established yet
}

// backlog is how many connections a listener has that no program has taken.
const backlog = 4096

// Listen takes connections at a port. Who asks for one that is taken shares it, as with SO_REUSEPORT.
func (s *Stack) Listen(port uint16) *Listener {
	if l := s.listeners[port]; l != nil {
		l.users++
		return l
	}
	l := &Listener{users: 1, stack: s, port: port, Waiters: Waiters{One: true}}
	s.listeners[port] = l
	return l
}

// Close takes no more connections, and resets those that nobody has taken.
func (l *Listener) Close() {
	if l.users--; l.users > 0 {
		return
	}
	delete(l.stack.listeners, l.port)
	for _, c := range l.queue {
		c.emit(network.RST|network.ACK, c.next, 0)
		c.drop(nil)
	}
	l.queue = nil
}

// Port is where it listens.
func (l *Listener) Port() uint16 { return l.port }

// Accept is the next connection, nil if there is none.
func (l *Listener) Accept() *Conn {
	if len(l.queue) == 0 {
		return nil
	}
	c := l.queue[0]
	l.queue = l.queue[1:]
	if len(l.queue) == 0 {
		l.queue = nil
	}
	return c
}

// Remote is address and port of the other end.
func (c *Conn) Remote() (ip uint32, port uint16) { return c.key.remote, c.key.remotePort }

// Local is address and port of this end.
func (c *Conn) Local() (ip uint32, port uint16) { return c.key.local, c.key.localPort }

func (s *Stack) receiveTCP(h *network.Header, peer any) {
	c := s.conns[key{h.Destination, h.Source, h.DestinationPort, h.SourcePort}]
	if c != nil && c.state == timeWait && h.Flags&network.SYN != 0 && h.Flags&network.ACK == 0 {
		c.drop(nil) // the port is used again
		c = nil
	}
	switch {
	case c != nil:
		c.receive(h, peer)
	case h.Flags&network.RST != 0:
	case h.Flags&(network.SYN|network.ACK) == network.SYN && s.listeners[h.DestinationPort] != nil:
		s.accept(s.listeners[h.DestinationPort], h, peer)
	default:
		s.refuse(h)
	}
}

// accept answers a SYN.
func (s *Stack) accept(l *Listener, h *network.Header, peer any) {
	if len(l.queue)+l.pending >= backlog {
		return
	}
	c := s.newConn(key{h.Destination, h.Source, h.DestinationPort, h.SourcePort}, synReceived)
	c.parent = l
	l.pending++
	c.peer, _ = peer.(*Conn)
	c.irs, c.received, c.read = h.Seq, 1, 1
	c.next, c.highest = 1, 1
	c.window = 1 + int64(h.Window)
	c.emit(network.SYN|network.ACK, 0, 0)
	c.setResend()
}

// refuse resets what belongs to no connection.
func (s *Stack) refuse(h *network.Header) {
	s.counts.Resets++
	r := network.Header{
		Source: h.Destination, Destination: h.Source, SourcePort: h.DestinationPort, DestinationPort: h.SourcePort,
		Seq: h.Ack, Flags: network.RST, Length: 40, Protocol: network.TCP, TTL: 64, Words: 5, Fragment: dontFragment,
	}
	if h.Flags&network.ACK == 0 {
		r.Flags |= network.ACK
		r.Seq, r.Ack = 0, h.Seq+uint32(h.Payload())
		if h.Flags&network.SYN != 0 {
			r.Ack++
		}
	}
	s.host.Emit(&r, nil)
}

func (c *Conn) receive(h *network.Header, peer any) {
	if c.peer == nil {
		c.peer, _ = peer.(*Conn)
	}
	if h.Flags&network.RST != 0 {
		c.reset(h)
		return
	}
	if c.state == synSent {
		if h.Flags&(network.SYN|network.ACK) == network.SYN|network.ACK && h.Ack == c.isn+1 {
			c.irs, c.received, c.read = h.Seq, 1, 1
			c.window = 1 + int64(h.Window)
			c.una, c.resend, c.tries = 1, 0, 0
			c.state = established
			c.ack()
			c.stack.host.Ready(&c.Readers)
		}
		return
	}
	if h.Flags&network.SYN != 0 { // once more: the answer was lost
		if c.state == synReceived {
			c.emit(network.SYN|network.ACK, 0, 0)
		} else {
			c.ack()
		}
		return
	}
	if h.Flags&network.ACK != 0 && !c.acknowledge(h) {
		return
	}
	c.take(h)
}

func (c *Conn) reset(h *network.Header) {
	if c.state == synSent {
		if h.Ack == c.isn+1 {
			c.drop(ErrRefused)
		}
		return
	}
	if off := c.offset(h.Seq); off < c.received || off > c.edge {
		return
	}
	if c.state == synReceived {
		c.parent.pending--
	}
	c.drop(ErrReset)
}

// offset is that of the other side's sequence number: the one nearest to what is expected.
func (c *Conn) offset(seq uint32) int64 {
	return c.received + int64(int32(seq-(c.irs+uint32(c.received))))
}

// acknowledge takes what the other side says it has. It is false if the connection is gone.
func (c *Conn) acknowledge(h *network.Header) bool {
	ack := c.una + int64(int32(h.Ack-(c.isn+uint32(c.una))))
	if c.state == synReceived && (ack < 1 || ack > c.highest) { // of another connection
		c.stack.refuse(h)
		return false
	}
	if ack > c.highest || ack < 0 {
		return true
	}
	if c.state == synReceived && ack >= 1 {
		c.state = established
		c.resend, c.tries, c.una = 0, 0, 1
		c.parent.pending--
		c.parent.queue = append(c.parent.queue, c)
		c.stack.host.Ready(&c.parent.Waiters)
	}
	edge := ack + int64(h.Window)<<windowScale
	moved := edge > c.window
	c.window = max(c.window, edge)
	switch {
	case ack > c.una:
		c.advance(ack)
	case ack == c.una && c.highest > c.una && h.Payload() == 0 && h.Flags&network.FIN == 0 && !moved:
		c.duplicate()
	}
	if c.state == closed {
		return false
	}
	c.push()
	return true
}

// advance is more being acknowledged.
func (c *Conn) advance(ack int64) {
	got := ack - c.una
	c.una = ack
	c.next = max(c.next, ack)
	c.tries = 0
	if c.timed > 0 && ack >= c.timed {
		c.sample(c.stack.host.Now() - c.timedAt)
		c.timed = 0
	}
	if c.highest > ack {
		c.setResend()
	} else {
		c.resend = 0
	}
	if c.recover > 0 {
		if ack >= c.recover {
			c.recover, c.dupAcks = 0, 0
			c.cwnd = c.ssthresh
		} else { // the next hole
			c.cwnd = max(c.cwnd-got+int64(c.mss), int64(c.mss))
			c.repeat()
		}
	} else {
		c.dupAcks = 0
		if c.cwnd < c.ssthresh {
			c.cwnd += got
		} else {
			c.cwnd += max(int64(c.mss)*min(got, int64(2*c.mss))/c.cwnd, 1)
		}
		c.cwnd = min(c.cwnd, cwndMost)
	}
	if c.fin && ack == c.queued+1 {
		c.finished()
	} else if len(c.Writers.List) > 0 && c.Room() >= c.stack.opt.SendBuffer/3 {
		c.stack.host.Ready(&c.Writers)
	}
}

// duplicate is an acknowledgement that says nothing new: something came ahead of its turn.
func (c *Conn) duplicate() {
	if c.recover > 0 {
		c.cwnd += int64(c.mss)
		return
	}
	if c.una < c.doubted {
		return
	}
	limit := 3
	if flight := (c.highest - c.una + int64(c.mss) - 1) / int64(c.mss); flight > 1 && flight < 4 && c.queued <= c.next {
		limit = int(flight) - 1 // more than these cannot come
	}
	if c.dupAcks++; c.dupAcks == limit {
		c.stack.counts.Fast++
		c.recover = c.highest
		c.ssthresh = max((c.highest-c.una)/2, int64(2*c.mss))
		c.cwnd = c.ssthresh + 3*int64(c.mss)
		c.repeat()
	}
}

// finished is the end of what this side sends being acknowledged.
func (c *Conn) finished() {
	c.resend = 0
	switch c.state {
	case finWait1:
		c.state = finWait2
		c.endBy()
	case closing:
		c.state = timeWait
		c.endBy()
	case lastAck:
		c.drop(nil)
	}
}

func (c *Conn) endBy() {
	c.endAt = c.stack.host.Now() + finTimeout
	c.wakeBy(c.endAt, false)
}

// take takes data and the end of the stream.
func (c *Conn) take(h *network.Header) {
	data := int64(h.Payload())
	from := c.offset(h.Seq)
	to := from + data
	fin := h.Flags&network.FIN != 0
	if data == 0 && !fin {
		if from < c.received { // it asks whether the window is still closed
			c.ack()
		}
		return
	}
	if data > 0 && (c.state >= finWait1 && c.state <= timeWait || c.state == lastAck) && to > c.received {
		c.emit(network.RST|network.ACK, c.next, 0) // nobody reads it
		c.drop(ErrReset)
		return
	}
	if fin {
		c.end = to
		to++
	}
	before := c.received
	switch {
	case to <= c.received: // known
		c.quick = max(c.quick, 1)
		c.ack()
		return
	case from > c.received || to > c.rightEdge()+1:
		if from > c.received && to <= c.rightEdge()+1 {
			c.keep(span{from, to})
		}
		c.ack()
		return
	}
	c.received = to
	for len(c.ahead) > 0 && c.ahead[0].from <= c.received {
		c.received = max(c.received, c.ahead[0].to)
		c.ahead = c.ahead[1:]
	}
	if len(c.ahead) == 0 {
		c.ahead = nil
	}
	gap := len(c.ahead) > 0
	if c.end > 0 && c.received > c.end {
		c.ended()
		if c.state != closed {
			c.ack()
		}
	} else {
		c.schedule(gap, c.received-before)
	}
	c.stack.host.Ready(&c.Readers)
}

// schedule acknowledges data at once or a little later.
func (c *Conn) schedule(gap bool, n int64) {
	answered := c.answered
	c.answered = false
	switch {
	case gap || c.received-c.acked >= int64(2*c.mss) || n > int64(2*c.mss):
		c.ack()
	case c.quick > 0 && !answered:
		c.quick--
		c.ack()
	case c.ackBy == 0:
		c.ackBy = c.stack.host.Now() + delayedAck
		c.wakeBy(c.ackBy, true)
	}
}

// keep puts a span among those that came ahead.
func (c *Conn) keep(s span) {
	i, _ := slices.BinarySearchFunc(c.ahead, s, func(a, b span) int { return int(min(max(a.from-b.from, -1), 1)) })
	if i > 0 && c.ahead[i-1].to >= s.from {
		i--
		s.from, s.to = c.ahead[i].from, max(s.to, c.ahead[i].to)
	}
	j := i
	for j < len(c.ahead) && c.ahead[j].from <= s.to {
		s.to = max(s.to, c.ahead[j].to)
		s.from = min(s.from, c.ahead[j].from)
		j++
	}
	c.ahead = slices.Replace(c.ahead, i, j, s)
}

// ended is the other side's FIN in its turn.
func (c *Conn) ended() {
	switch c.state {
	case established, synReceived:
		c.state = closeWait
	case finWait1:
		if c.una == c.queued+1 {
			c.state = timeWait
			c.endBy()
		} else {
			c.state = closing
		}
	case finWait2:
		c.state = timeWait
		c.endBy()
	}
}
