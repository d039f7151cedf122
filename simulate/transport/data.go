package transport

import (
	"slices"

	"synchroscope/simulate/network"
)

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
