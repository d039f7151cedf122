package transport

import "synchroscope/simulate/network"

// limit is the end of what there is to send; a FIN counts as one.
func (c *Conn) limit() int64 {
	if c.fin {
		return c.queued + 1
	}
	return c.queued
}

// push sends what there is and the windows allow.
func (c *Conn) push() {
	for {
		left := c.limit() - c.next
		if left <= 0 || c.state == synSent || c.state == synReceived {
			return
		}
		room := min(c.una+c.cwnd, c.window) - c.next
		data := min(c.queued-c.next, int64(c.segment))
		if c.segment > c.mss { // large ones keep the other side waiting: no more than a quarter of the window at once
			whole := max(c.cwnd/4/int64(c.mss), 2) * int64(c.mss)
			data = min(data, whole)
		}
		if room < data {
			if room < int64(c.mss) {
				if c.next == c.una && c.resend == 0 {
					c.setResend() // it asks for the window then
				}
				return
			}
			data = room / int64(c.mss) * int64(c.mss)
		}
		flags := uint16(network.ACK)
		if c.next+data == c.queued {
			if data > 0 {
				flags |= network.PSH
			}
			if c.fin {
				flags |= network.FIN
			}
		}
		c.send(flags, c.next, data)
	}
}

// send sends data from an offset, for the first time or again.
func (c *Conn) send(flags uint16, from, data int64) {
	now := c.stack.host.Now()
	c.stack.counts.Segments++
	end := from + data
	if flags&network.FIN != 0 {
		end++
	}
	if from < c.highest {
		c.stack.counts.Retransmitted++
		if c.timed > 0 && from < c.timed {
			c.timed = 0 // which of the two is acknowledged cannot be told
		}
	} else if c.timed == 0 {
		c.timed, c.timedAt = end, now
	}
	c.next = max(c.next, end)
	c.highest = max(c.highest, end)
	c.emit(flags, from, int(data))
	if c.resend == 0 {
		c.setResend()
	}
}

// repeat sends one segment from the first that is not acknowledged.
func (c *Conn) repeat() {
	switch c.state {
	case synSent:
		c.emit(network.SYN, 0, 0)
		return
	case synReceived:
		c.emit(network.SYN|network.ACK, 0, 0)
		return
	}
	data := min(c.queued-c.una, int64(c.mss))
	flags := uint16(network.ACK)
	if data > 0 && c.una+data == c.queued {
		flags |= network.PSH
	}
	if c.fin && c.una+data == c.queued {
		flags |= network.FIN
	}
	c.send(flags, c.una, data)
}

// rightEdge is the end of what the host takes now.
func (c *Conn) rightEdge() int64 {
	return c.received + max(int64(c.stack.opt.Buffer)-(c.received-c.read), 0)
}

// emit hands a segment to the host. All but the first acknowledge what has come.
func (c *Conn) emit(flags uint16, from int64, data int) {
	h := network.Header{
		Source: c.key.local, Destination: c.key.remote, SourcePort: c.key.localPort, DestinationPort: c.key.remotePort,
		Seq: c.isn + uint32(from), Flags: flags, Protocol: network.TCP, TTL: 64, Words: tcpWords, Fragment: dontFragment, ID: c.id,
	}
	if flags&network.ACK != 0 {
		h.Ack = c.irs + uint32(c.received)
		c.edge = max(c.edge, c.rightEdge())
		h.Window = uint16(min((c.edge-c.received)>>windowScale, 1<<16-1))
		c.acked, c.ackBy = c.received, 0
	}
	if flags&network.SYN != 0 {
		h.Words, h.Window = synWords, 64240
		c.edge = max(c.edge, c.received+64240)
	}
	h.Length = ipBytes + 4*int(h.Words) + data
	switch flags & (network.SYN | network.ACK | network.RST) {
	case network.SYN | network.ACK, network.RST, network.RST | network.ACK:
		h.ID = 0
	default:
		c.id += uint16(max((data+c.mss-1)/c.mss, 1))
	}
	c.stack.host.Emit(&h, c)
}

// ack sends an acknowledgement alone.
func (c *Conn) ack() { c.emit(network.ACK, c.next, 0) }
