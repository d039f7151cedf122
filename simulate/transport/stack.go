// Package transport is what the hosts of a simulated cluster speak: TCP with its handshake,
// windows, acknowledgements and repetitions; UDP, and the echo of ICMP.
//
// A [Stack] is that of one host. It is told of packets and of time, and answers through its
// [Host]. Data has no content: a stream is a count of bytes, and marks in it where a
// message ends. Offsets in a stream are 64-bit numbers from 0, the SYN; what stands in headers is their
// low 32 bits and a random beginning.
package transport

import (
	"synchroscope/simulate/chance"
	"synchroscope/simulate/network"
)

// A Host is what a stack needs of the machine it is on.
type Host interface {
	// Now is the time, true ns.
	Now() int64
	// Emit hands a packet to the device that leads to its destination. The host has it cut where it is
	// longer than the device takes. The peer is what the other end is given with it.
	Emit(h *network.Header, peer any)
	// Alarm has Due called at a time or a little later. It is fresh if a timer was set, not if one that
	// was set goes on.
	Alarm(c *Conn, at int64, fresh bool)
	// Ready tells that something waited for may have come: data, room, an end, a connection.
	Ready(w *Waiters)
}

// Waiters are those who wait for something of a connection, listener or socket, as the host knows them.
type Waiters struct {
	List []any
	One  bool  // one of them is enough
	At   int64 // when it was ready last, true ns
}

// Options are how a stack behaves.
type Options struct {
	Segment    int // bytes of data that the card takes at once, to cut them; less than two segments: it does not
	SendBuffer int // bytes that a program can send without their being acknowledged, 2.5 MB if 0
	Buffer     int // bytes that can have been received and not read, 3 MB if 0
}

// A Stack is the transport of a host. It belongs to one goroutine.
type Stack struct {
	host      Host
	opt       Options
	dice      *chance.Source
	conns     map[key]*Conn
	listeners map[uint16]*Listener
	sockets   map[uint16]*Socket
	echoes    map[uint16]*Echo
	port      uint16 // that was given last
	id        uint16 // of what has no connection
	local     uint32
	counts    Counts
}

// Counts are what a stack has done.
type Counts struct {
	Segments      int64 // sent with data
	Retransmitted int64
	Timeouts      int64
	Fast          int64 // repetitions because of acknowledgements that repeat
	Resets        int64
}

type key struct {
	local, remote         uint32
	localPort, remotePort uint16
}

// The sizes of headers, and the data of a packet that holds 1500 bytes, or on the loopback device 65536.
const (
	ipBytes       = 20
	tcpWords      = 8  // with time stamps
	synWords      = 10 // and what else is agreed on
	mss           = 1500 - ipBytes - 4*tcpWords
	loopMSS       = 65536 - ipBytes - 4*tcpWords - 13
	dontFragment  = 0x4000
	windowScale   = 7
	defaultBuffer = 3 << 20
	firstPort     = 32768
	lastPort      = 60999
)

// New is the stack of a host with an address.
func New(h Host, ip uint32, dice *chance.Source, o Options) *Stack {
	if o.SendBuffer == 0 {
		o.SendBuffer = 2_621_440
	}
	if o.Buffer == 0 {
		o.Buffer = defaultBuffer
	}
	return &Stack{
		host: h, opt: o, dice: dice, local: ip, conns: make(map[key]*Conn), listeners: make(map[uint16]*Listener),
		sockets: make(map[uint16]*Socket), echoes: make(map[uint16]*Echo), port: uint16(dice.Between(firstPort, lastPort)),
		id: uint16(dice.Uint64()), // so that what is sent after a reboot is not taken for what was sent before
	}
}

// Address is the host's.
func (s *Stack) Address() uint32 { return s.local }

// SetAddress gives the host another one. Connections that there are keep theirs, which
// nobody reaches any more.
func (s *Stack) SetAddress(ip uint32) { s.local = ip }

// Counts is what has been done so far.
func (s *Stack) Counts() Counts { return s.counts }

// Open is how many connections there are, those that are closing included.
func (s *Stack) Open() int { return len(s.conns) }

// loop tells whether an address is the host's own.
func (s *Stack) loop(ip uint32) bool { return ip == s.local || ip>>24 == 127 }

// Receive takes a packet that came in; the peer is what its sender gave with it.
func (s *Stack) Receive(h *network.Header, peer any) {
	switch h.Protocol {
	case network.TCP:
		s.receiveTCP(h, peer)
	case network.UDP:
		s.receiveUDP(h)
	case network.ICMP:
		s.receiveICMP(h)
	}
}

// ephemeral is a port that is free towards a remote one.
func (s *Stack) ephemeral(taken func(port uint16) bool) (uint16, bool) {
	for range lastPort - firstPort + 1 {
		if s.port++; s.port > lastPort || s.port < firstPort {
			s.port = firstPort
		}
		if !taken(s.port) {
			return s.port, true
		}
	}
	return 0, false
}
