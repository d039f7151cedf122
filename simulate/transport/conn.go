package transport

import (
	"errors"

	"synchroscope/simulate/network"
)

// What can be wrong with a connection.
var (
	ErrRefused = errors.New("connection refused")
	ErrTimeout = errors.New("connection timed out")
	ErrReset   = errors.New("connection reset by peer")
	ErrNoPort  = errors.New("cannot assign requested address")
)

type state uint8

const (
	closed state = iota
	synSent
	synReceived
	established
	finWait1
	finWait2
	closing
	timeWait
	closeWait
	lastAck
)

// A Conn is one end of a TCP connection.
type Conn struct {
	Busy int64 // until when a CPU of the host is at work on it; the host's, true ns

	Readers Waiters // for data, the end of the stream, or the connection being there
	Writers Waiters // for room
	Data    any     // of the host

	stack   *Stack
	key     key
	state   state
	err     error
	peer    *Conn // the other end; nil until it is known
	parent  *Listener
	mss     int
	segment int // bytes of data at once
	id      uint16

	// Sending.
	isn       uint32
	una, next int64 // acknowledged up to, sent up to
	highest   int64 // ever sent up to
	queued    int64 // end of what the program has sent
	fin       bool  // an end follows
	window    int64 // end of what the other side takes
	cwnd      int64
	ssthresh  int64
	dupAcks   int
	recover   int64 // in fast recovery until this is acknowledged, 0: not in it
	doubted   int64 // acknowledgements that repeat mean nothing up to here: it was sent again after a time
	marks     []mark
	first     int // of them that the other side has not read

	// Time.
	srtt, rttvar, rto int64
	timed             int64 // offset whose acknowledgement is a sample, 0: none
	timedAt           int64
	resend            int64 // when to send again, 0: never
	ackBy             int64 // when to acknowledge at the latest, 0: nothing to be
	endAt             int64 // when the state of a closed connection goes away
	tries             int
	alarm             int64 // the earliest that was asked for and has not come, 0: none

	// Receiving.
	irs      uint32
	received int64 // up to, without gaps
	read     int64 // by the program, up to
	edge     int64 // end of the window that the other side knows
	acked    int64 // of received, that the other side was told
	ahead    []span
	end      int64 // offset of the other side's FIN, 0 if it has not been seen
	quick    int   // acknowledgements that are not delayed
	answered bool  // data was sent since data came
}

// A mark is the end of a message.
type mark struct {
	end int64
	tag uint32
}

// A span is data that came ahead of its turn.
type span struct{ from, to int64 }

const (
	ms          = int64(1_000_000)
	rtoLeast    = 200 * ms
	rtoMost     = 120_000 * ms
	rtoFirst    = 1000 * ms
	delayedAck  = 40 * ms
	finTimeout  = 60_000 * ms
	synTries    = 6
	resendTries = 15
	cwndFirst   = 10
	cwndMost    = 4 << 20
)

func (s *Stack) newConn(k key, st state) *Conn {
	c := &Conn{stack: s, key: k, state: st, mss: mss, isn: uint32(s.dice.Uint64()), id: uint16(s.dice.Uint64()), rto: rtoFirst, ssthresh: cwndMost, quick: 16}
	if s.dice.Bool(1.0 / 8) {
		c.isn |= 0xffff_0000 // its sequence numbers pass zero soon: of so many, one would in a day
	}
	if s.loop(k.remote) {
		c.mss = loopMSS
	}
	c.segment = c.mss
	if s.opt.Segment > 2*c.mss {
		c.segment = s.opt.Segment / c.mss * c.mss
	}
	c.cwnd = cwndFirst * int64(c.mss)
	c.queued = 1
	s.conns[k] = c
	return c
}

// Connect begins a connection. It is there when [Conn.Established]; until then [Conn.Err] may come.
// Data is what the host has for it.
func (s *Stack) Connect(ip uint32, port uint16, data any) (*Conn, error) {
	k := key{local: s.local, remote: ip, remotePort: port}
	if s.loop(ip) {
		k.local = ip
	}
	var ok bool
	k.localPort, ok = s.ephemeral(func(port uint16) bool { k.localPort = port; return s.conns[k] != nil })
	if !ok {
		return nil, ErrNoPort
	}
	c := s.newConn(k, synSent)
	c.Data = data
	c.next, c.highest = 1, 1
	c.emit(network.SYN, 0, 0)
	c.setResend()
	return c, nil
}

// Established tells whether data can be sent, or could be.
func (c *Conn) Established() bool { return c.state >= established }

// Err is why the connection broke.
func (c *Conn) Err() error { return c.err }

// Readable is how many bytes can be read.
func (c *Conn) Readable() int { return int(c.dataEnd() - c.read) }

// dataEnd is the end of data that has come without gaps.
func (c *Conn) dataEnd() int64 {
	if c.end > 0 && c.received > c.end {
		return c.end
	}
	return max(c.received, c.read)
}

// Ended tells whether the other side sends no more and all has been read, or the connection is broken.
func (c *Conn) Ended() bool {
	return c.err != nil || c.state == closed || c.end > 0 && c.read >= c.end
}

// Take reads n bytes at most.
func (c *Conn) Take(n int) int {
	n = min(n, c.Readable())
	c.read += int64(n)
	for m := c.mark(); m != nil && m.end <= c.read; m = c.mark() {
		c.peer.unmark()
	}
	if c.state == established && c.edge-c.received < int64(2*c.mss) && c.rightEdge() >= c.edge+int64(2*c.mss) {
		c.ack() // the window opens again
	}
	return n
}

// mark is the end of the message that is read.
func (c *Conn) mark() *mark {
	if c.peer == nil || len(c.peer.marks) == 0 {
		return nil
	}
	return &c.peer.marks[c.peer.first]
}

func (c *Conn) unmark() {
	if c.first++; c.first == len(c.marks) {
		c.marks, c.first = c.marks[:0], 0
	}
}

// Message is how many bytes are left of the message that is read, and its tag. It is false if
// the other side sends no messages, or none for now.
func (c *Conn) Message() (left int, tag uint32, ok bool) {
	m := c.mark()
	if m == nil {
		return 0, 0, false
	}
	return int(m.end - c.read), m.tag, true
}

// Room is how many bytes the program can send now.
func (c *Conn) Room() int {
	if c.err != nil || c.fin || c.state != established && c.state != closeWait {
		return 0
	}
	return max(c.stack.opt.SendBuffer-int(c.queued-c.una), 0)
}

// Broken tells whether what is sent goes nowhere.
func (c *Conn) Broken() bool {
	return c.err != nil || c.fin || c.state != established && c.state != closeWait
}

// Put sends n bytes, which must not be more than [Conn.Room].
func (c *Conn) Put(n int) {
	c.queued += int64(n)
	c.answered = true
	c.push()
}

// Mark makes what the program sends up to n bytes from now a message.
func (c *Conn) Mark(n int, tag uint32) {
	if c.first > 16 && c.first > len(c.marks)/2 {
		c.marks = c.marks[:copy(c.marks, c.marks[c.first:])]
		c.first = 0
	}
	c.marks = append(c.marks, mark{c.queued + int64(n), tag})
}

// Close ends the stream. Data that nobody reads any more resets the connection.
func (c *Conn) Close() {
	switch c.state {
	case synSent, closed:
		c.drop(nil)
	case established, synReceived, closeWait:
		if c.Readable() > 0 {
			c.emit(network.RST|network.ACK, c.next, 0)
			c.drop(nil)
			return
		}
		c.fin = true
		if c.state == closeWait {
			c.state = lastAck
		} else {
			c.state = finWait1
		}
		c.push()
	}
}

// drop forgets the connection.
func (c *Conn) drop(err error) {
	if c.state == closed {
		return
	}
	c.state, c.err = closed, err
	c.resend, c.ackBy, c.endAt = 0, 0, 0
	c.ahead = nil
	if c.stack.conns[c.key] == c {
		delete(c.stack.conns, c.key)
	}
	c.stack.host.Ready(&c.Readers)
	c.stack.host.Ready(&c.Writers)
}
