package transport

import "synchroscope/simulate/network"

// A Socket takes and sends datagrams.
type Socket struct {
	Waiters Waiters // of the host
	stack   *Stack
	port    uint16
	users   int // who have it open
	queue   []Datagram
}

// A Datagram is one that came.
type Datagram struct {
	Source uint32
	Port   uint16
	Bytes  int
	At     int64 // when
}

// socketQueue is how many datagrams wait for the program at most; more are lost.
const socketQueue = 512

// Bind is a socket at a port, or at any free one if it is 0; nil if there is none. Who asks for one that is
// taken shares it.
func (s *Stack) Bind(port uint16) *Socket {
	if port == 0 {
		var ok bool
		if port, ok = s.ephemeral(func(p uint16) bool { return s.sockets[p] != nil }); !ok {
			return nil
		}
	}
	if k := s.sockets[port]; k != nil {
		k.users++
		return k
	}
	k := &Socket{stack: s, port: port, users: 1, Waiters: Waiters{One: true}}
	s.sockets[port] = k
	return k
}

// Close forgets the socket.
func (k *Socket) Close() {
	if k.users--; k.users <= 0 {
		delete(k.stack.sockets, k.port)
	}
}

// Port is where the socket is.
func (k *Socket) Port() uint16 { return k.port }

// Send sends n bytes, cut to what fits a packet.
func (k *Socket) Send(ip uint32, port uint16, n int) {
	k.stack.id = max(k.stack.id+1, 1)
	source := k.stack.local
	if k.stack.loop(ip) {
		source = ip
	}
	k.stack.host.Emit(&network.Header{
		Source: source, Destination: ip, SourcePort: k.port, DestinationPort: port, Length: 28 + min(max(n, 0), mostDatagram),
		ID: k.stack.id, Protocol: network.UDP, TTL: 64,
	}, nil)
}

// mostDatagram is what a packet of 1500 bytes holds.
const mostDatagram = 1500 - 28

// Receive is the next datagram.
func (k *Socket) Receive() (Datagram, bool) {
	if len(k.queue) == 0 {
		return Datagram{}, false
	}
	d := k.queue[0]
	k.queue = k.queue[1:]
	if len(k.queue) == 0 {
		k.queue = nil
	}
	return d, true
}

func (s *Stack) receiveUDP(h *network.Header) {
	k := s.sockets[h.DestinationPort]
	if k == nil || len(k.queue) >= socketQueue {
		return
	}
	k.queue = append(k.queue, Datagram{h.Source, h.SourcePort, h.Payload(), s.host.Now()})
	s.host.Ready(&k.Waiters)
}

// An Echo waits for the answers of ICMP.
type Echo struct {
	Waiters  Waiters // of the host
	stack    *Stack
	id       uint16
	seq      uint16
	answered bool
}

// The kinds of ICMP messages, with their codes.
const (
	echoRequest = 8 << 8
	echoReply   = 0
)

// Ping is for sending echo requests.
func (s *Stack) Ping() *Echo {
	id, ok := s.ephemeral(func(p uint16) bool { return s.echoes[p] != nil })
	if !ok {
		return nil
	}
	e := &Echo{stack: s, id: id}
	s.echoes[id] = e
	return e
}

// Close forgets it.
func (e *Echo) Close() { delete(e.stack.echoes, e.id) }

// Send sends a request with n bytes.
func (e *Echo) Send(ip uint32, n int) {
	e.seq++
	e.answered = false
	e.stack.icmp(ip, echoRequest, e.id, uint32(e.seq), n)
}

// Answered tells whether the answer to the last request has come.
func (e *Echo) Answered() bool { return e.answered }

func (s *Stack) icmp(ip uint32, kind, id uint16, seq uint32, n int) {
	s.id = max(s.id+1, 1)
	source := s.local
	if s.loop(ip) {
		source = ip
	}
	s.host.Emit(&network.Header{
		Source: source, Destination: ip, SourcePort: kind, DestinationPort: id, Seq: seq, Length: 28 + min(max(n, 0), mostDatagram),
		ID: s.id, Protocol: network.ICMP, TTL: 64,
	}, nil)
}

func (s *Stack) receiveICMP(h *network.Header) {
	switch h.SourcePort {
	case echoRequest:
		s.icmp(h.Source, echoReply, h.DestinationPort, h.Seq, h.Payload())
	case echoReply:
		if e := s.echoes[h.DestinationPort]; e != nil && uint32(e.seq) == h.Seq {
			e.answered = true
			s.host.Ready(&e.Waiters)
		}
	}
}
