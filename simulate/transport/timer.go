package transport

import "synchroscope/simulate/network"

// setResend sets the time at which the first segment that is not acknowledged is sent again.
func (c *Conn) setResend() {
	c.resend = c.stack.host.Now() + min(c.rto<<min(c.tries, 10), rtoMost)
	c.wakeBy(c.resend, true)
}

func (c *Conn) wakeBy(t int64, fresh bool) {
	if c.alarm == 0 || t < c.alarm {
		c.alarm = t
		c.stack.host.Alarm(c, t, fresh)
	}
}

// Alarm is the time of the next alarm that was asked for, 0 if there is none.
func (c *Conn) Alarm() int64 { return c.alarm }

// Due tells whether something is to be done at a time for which an alarm was asked; if not, and something
// is later, it asks for another.
func (c *Conn) Due(now int64) bool {
	if now >= c.alarm {
		c.alarm = 0
	}
	next := int64(0)
	for _, t := range [3]int64{c.resend, c.ackBy, c.endAt} {
		if t > 0 && (next == 0 || t < next) {
			next = t
		}
	}
	if next == 0 {
		return false
	}
	if next <= now {
		return true
	}
	c.wakeBy(next, false)
	return false
}

// Expire does what is due, and says what: a repetition or an acknowledgement.
func (c *Conn) Expire(now int64) (repeated, acknowledged bool) {
	if c.endAt > 0 && c.endAt <= now {
		c.drop(nil)
		return false, false
	}
	if c.ackBy > 0 && c.ackBy <= now {
		c.quick = max(c.quick, 1)
		c.ack()
		acknowledged = true
	}
	if c.resend > 0 && c.resend <= now {
		c.timeout()
		repeated = true
	}
	c.Due(now)
	return repeated, acknowledged
}

// timeout sends again what is not acknowledged, one segment to begin with.
func (c *Conn) timeout() {
	c.tries++
	limit := resendTries
	if c.state == synSent || c.state == synReceived {
		limit = synTries
	}
	if c.tries > limit {
		c.drop(ErrTimeout)
		return
	}
	c.stack.counts.Timeouts++
	if c.state >= established {
		flight := c.highest - c.una
		if c.recover == 0 || c.tries == 1 {
			c.ssthresh = max(flight/2, int64(2*c.mss))
		}
		c.cwnd = int64(c.mss)
		c.recover, c.dupAcks, c.doubted = 0, 0, c.highest
		if c.limit() > c.una {
			c.next = c.una
		}
	}
	c.resend = 0
	if c.state >= established && c.window <= c.una { // is the window still closed?
		c.tries = min(c.tries, resendTries-1)
		c.emit(network.ACK, c.una-1, 0)
	} else {
		c.repeat()
	}
	if c.resend == 0 {
		c.setResend()
	}
}

// sample takes the time that a segment and its acknowledgement took.
func (c *Conn) sample(d int64) {
	d = max(d, 1)
	if c.srtt == 0 {
		c.srtt, c.rttvar = d, d/2
	} else {
		c.rttvar += (abs(c.srtt-d) - c.rttvar) / 4
		c.srtt += (d - c.srtt) / 8
	}
	c.rto = min(c.srtt+max(4*c.rttvar, rtoLeast), rtoMost)
}

func abs(x int64) int64 {
	if x < 0 {
		return -x
	}
	return x
}

// Delayed tells whether what is due is an acknowledgement alone.
func (c *Conn) Delayed(now int64) bool {
	return c.ackBy > 0 && c.ackBy <= now && (c.resend == 0 || c.resend > now)
}
