package machine

import (
	"math/bits"

	"synchroscope/simulate/record"
)

// raise asks for a soft interrupt on this CPU.
func (c *cpu) raise(vec int) {
	if at := c.mark(); c.rec != nil {
		c.rec.SoftIRQRaise(at, vec)
	}
	c.soft |= 1 << vec
}

// softBegin begins the first of those that were asked for.
func (c *cpu) softBegin() {
	c.level = levelSoft
	c.vec = bits.TrailingZeros32(c.soft)
	c.soft &^= 1 << c.vec
	c.polled = 0
	if at := c.mark(); c.rec != nil {
		c.rec.SoftIRQEntry(at, c.vec)
	}
	c.observe()
	c.then(phaseSoft, c.now+300)
}

// softStep does a part of a soft interrupt: a packet, a timer, a request.
func (c *cpu) softStep() {
	d, more := int64(500), false
	switch c.vec {
	case record.SoftNetRX:
		d, more = c.poll()
	case record.SoftTimer:
		d, more = c.fire()
	case record.SoftBlock:
		d, more = c.complete()
	case record.SoftRCU:
		d, more = c.free()
	case record.SoftSched:
		d = 800
		c.balance()
	}
	if more {
		c.then(phaseSoft, c.now+d)
		return
	}
	c.spend(d)
	if at := c.mark(); c.rec != nil {
		c.rec.SoftIRQExit(at, c.vec)
	}
	c.level = levelThread
	c.observe()
	if c.soft != 0 {
		c.softBegin()
		return
	}
	c.back()
}

// fire does what a timer is for that counts in ticks.
func (c *cpu) fire() (int64, bool) {
	switch {
	case len(c.sleepers) > 0:
		t := c.sleepers[0]
		c.sleepers = append(c.sleepers[:0], c.sleepers[1:]...)
		c.timer(t.address(), record.ProcessTimer, func() {
			t.expired = true
			c.m.wake(t)
		})
	case len(c.timers) > 0:
		x := c.timers[0]
		c.timers = append(c.timers[:0], c.timers[1:]...)
		function := uint64(record.RetransTimer)
		if x.tcp.Delayed(c.now) {
			function = record.DelackTimer
		}
		c.timer(x.address(), function, func() {
			x.armed, x.due = false, false
			x.tcp.Expire(c.now)
			if at := x.tcp.Alarm(); at > 0 && !x.armed {
				c.arm(x, at)
			}
		})
	}
	return 400, len(c.sleepers)+len(c.timers) > 0
}

func (c *cpu) timer(address, function uint64, do func()) {
	if at := c.mark(); c.rec != nil {
		c.rec.TimerExpire(at, address, c.m.jiffies(at), function)
	}
	do()
	if at := c.mark(); c.rec != nil {
		c.rec.TimerExpired(at, address)
	}
}

// free forgets tasks that have ended.
func (c *cpu) free() (int64, bool) {
	if len(c.frees) == 0 {
		return 600, false
	}
	t := c.frees[0]
	c.frees = append(c.frees[:0], c.frees[1:]...)
	if at := c.mark(); c.rec != nil {
		c.rec.ProcessFree(at, &t)
	}
	delete(c.m.taken, t.TID)
	return 300, len(c.frees) > 0
}

// balance gives a thread that waits here to a CPU that is idle, or takes one from a CPU where more wait.
func (c *cpu) balance() {
	var most *cpu
	for _, o := range c.m.cpus {
		if o != c && (most == nil || o.queue.Len() > most.queue.Len()) {
			most = o
		}
	}
	if most != nil && most.queue.Len() > c.queue.Len()+1 {
		c.pull()
	}
}
