package machine

import (
	"math/bits"

	"synchroscope/simulate/record"
)

// An irq is an interrupt.
type irq struct {
	kind   irqKind
	thread *Thread // irqTimer: who is woken
	timer  uint64  // and by which of its timers
}

type irqKind uint8

const (
	irqTick  irqKind = iota // the tick, which is a timer as well
	irqTimer                // a timer of a thread
	irqNet
	irqDisk
)

// The numbers of the devices' interrupts; a card has one for each CPU.
const (
	diskIRQ = 24
	netIRQ  = 26
)

// A tick is the entry of the agenda for the next tick of a CPU. There is one at most.
type tick struct{ c *cpu }

// startTick has the CPU interrupted at the next tick, unless it will be.
func (c *cpu) startTick() {
	if c.ticking || c.cur == c.idle && len(c.frees) == 0 {
		return
	}
	c.ticking = true
	tick := c.m.opt.Kernel.Tick
	// the CPUs do it one after the other
	offset := int64(c.id) * 50_000 % tick
	at := (c.now-offset)/tick*tick + tick + offset
	c.m.agenda.At(at, &c.tick, uint64(c.m.boot))
}

// Do is the tick.
func (k *tick) Do(now int64, boot uint64) {
	c := k.c
	if int(boot) != c.m.boot {
		return
	}
	c.ticking = false
	if c.phase == phaseIdle && len(c.frees) == 0 {
		return
	}
	c.interrupt(irq{kind: irqTick})
}

// interrupt interrupts a CPU.
func (c *cpu) interrupt(i irq) {
	if c.level == levelHard {
		c.pending = append(c.pending, i)
		return
	}
	c.m.stats.Interrupts++
	c.suspend()
	c.under = c.level
	c.enterHard(i)
	c.run()
}

func (c *cpu) enterHard(i irq) {
	c.level, c.irq = levelHard, i
	if c.asleep {
		c.spend(c.latency())
	}
	at := c.mark()
	d := 1_000 + int64(c.dice.Uint64()&1023)
	switch i.kind {
	case irqNet:
		if c.rec != nil {
			c.rec.IRQEntry(at, int32(netIRQ+c.id), c.netName())
		}
	case irqDisk:
		d += 1_500
		if c.rec != nil {
			c.rec.IRQEntry(at, diskIRQ, "ahci[0000:00:1f.2]")
		}
	case irqTimer:
		if c.rec != nil {
			c.rec.HRTimerExpire(at, i.thread.address(), c.m.local(at), record.HRTimerWakeup)
		}
		d -= 500
	case irqTick:
		if c.rec != nil {
			c.rec.HRTimerExpire(at, c.tickAddress(), c.m.local(at), record.TickTimer)
		}
		d += 500
	}
	c.observe()
	c.then(phaseHard, c.now+d)
}

// hardEnd is what the interrupt does at last, and its end.
func (c *cpu) hardEnd() {
	switch i := c.irq; i.kind {
	case irqNet:
		c.raise(record.SoftNetRX)
		if at := c.mark(); c.rec != nil {
			c.rec.IRQExit(at, int32(netIRQ+c.id))
		}
	case irqDisk:
		c.raise(record.SoftBlock)
		if at := c.mark(); c.rec != nil {
			c.rec.IRQExit(at, diskIRQ)
		}
	case irqTimer:
		if t := i.thread; t.timer == i.timer && t.state == blocked {
			t.expired = true
			c.m.wake(t)
		}
		if at := c.mark(); c.rec != nil {
			c.rec.HRTimerExpired(at, i.thread.address())
		}
	case irqTick:
		c.onTick()
	}
	c.level = c.under
	c.observe()
	if len(c.pending) > 0 {
		next := c.pending[0]
		c.pending = append(c.pending[:0], c.pending[1:]...)
		c.enterHard(next)
		return
	}
	if c.under == levelSoft {
		c.then(phaseSoft, c.now+c.softLeft)
		return
	}
	c.back()
}

// onTick is what happens at each tick: timers, the time slice, and what the scheduler and RCU want to have
// done now and then.
func (c *cpu) onTick() {
	if len(c.timers)+len(c.sleepers) > 0 {
		c.raise(record.SoftTimer)
	}
	c.account()
	if t := c.cur; t != c.idle {
		k := &c.m.opt.Kernel
		if c.queue.Len() > 0 && (t.Prio >= 0 || c.queue.threads[0].Prio < t.Prio) && c.now-t.got >= k.Slice-k.Tick/2 {
			c.resched = true
		}
		if c.dice.Uint64()&3 == 0 {
			c.raise(record.SoftSched)
		}
	}
	if len(c.frees) > 0 || c.dice.Uint64()&7 == 0 {
		c.raise(record.SoftRCU)
	}
	at := c.mark()
	if c.rec != nil {
		c.rec.HRTimerExpired(at, c.tickAddress())
	}
	if c.cur != c.idle || c.queue.Len() > 0 {
		was := c.ticking
		if c.startTick(); !was && c.ticking && c.rec != nil {
			local := c.m.local(c.mark())
			next := local + c.m.opt.Kernel.Tick
			c.rec.HRTimerStart(c.now, c.tickAddress(), record.TickTimer, next, next, 10)
		}
	}
}

// local is the machine's own time as its timers count it: ns since it booted.
func (m *Machine) local(at int64) int64 {
	cycles, f := m.opt.Clock.Cycles(at), m.opt.Clock.Frequency()
	if f == 1e9 {
		return int64(cycles)
	}
	high, low := bits.Mul64(cycles, 1e9)
	ns, _ := bits.Div64(high%f, low, f)
	return int64(ns)
}

// Where things lie in the kernel's memory.
func (t *Thread) address() uint64    { return 0xffffa1b000000000 + uint64(t.TID)<<13 + 0xe40 }
func (c *cpu) tickAddress() uint64   { return 0xffff9c5e3fc1c000 + uint64(c.id)<<18 }
func (x *Conn) address() uint64      { return 0xffff9c5d00000000 + x.number<<11 + 0x540 }
func (t *Thread) files() uint64      { return 0xffff9c5d40000000 + uint64(t.PID)<<9 }
func (m *Machine) newBuffer() uint64 { m.skb++; return 0xffff9c5c80000000 + m.skb%8192<<8 }
func stackOf(t *Thread) uint64       { return 0x7ffd00000000 + uint64(t.TID)<<20 + 0xe10 }
