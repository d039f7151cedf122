package transport

import "synchroscope/simulate/network"

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
