package transport

import "synchroscope/simulate/network"

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
	c.wakeBy(c.endAt, true)
}
