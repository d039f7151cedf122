package machine

import (
	"synchroscope/simulate/chance"
	"synchroscope/simulate/record"
)

// A cpu does one thing at a time: a thread's work, an interrupt, or a soft interrupt. What it does next,
// and when, is its phase; one entry of the agenda stands for it.
//
// Its own time may be a little ahead of the agenda's: events take time, and what is done at once
// is recorded one after the other. What others see of it they see no earlier than it was
// recorded, see lift.
type cpu struct {
	m    *Machine
	id   int
	rec  *record.Stream // nil while nobody traces
	dice *chance.Source
	now  int64
	gen  uint64 // of the entry of the agenda that counts

	phase phase
	at    int64 // when the phase is over

	cur     *Thread
	idle    *Thread
	asleep  bool // it has said that it is idle
	depth   uint32
	slept   int64 // when it fell asleep
	queue   runQueue
	least   int64 // CPU time of the threads here, by weight: what a newcomer has at least
	resched bool
	told    bool // an interrupt is under way that tells it to schedule
	ticking bool

	level   level
	under   level // what the interrupt interrupted
	irq     irq
	pending []irq

	soft     uint32 // bits of soft interrupts that are asked for
	vec      int
	softLeft int64
	polled   int
	ring     []arrival
	ringAt   int
	polling  bool
	timers   []*Conn
	sleepers []*Thread // whose time is over, in ticks
	done     []*request
	frees    []record.Task
	tick     tick
}

type phase uint8

const (
	phaseIdle   phase = iota // nothing is to be done
	phaseThread              // the thread has had the time it wanted
	phaseHard                // an interrupt has done its work
	phaseSoft                // a step of a soft interrupt begins
	phaseWake                // an idle CPU is awake
)

type level uint8

const (
	levelThread level = iota
	levelSoft
	levelHard
)

func newCPU(m *Machine, id int) *cpu {
	c := &cpu{m: m, id: id, dice: chance.New(m.opt.Seed, "cpu/"+m.opt.Name+"/"+string(rune('0'+id%10))+string(rune('0'+id/10%10))+string(rune('0'+id/100)))}
	c.idle = &Thread{m: m, cpu: c, state: running, kernel: true, pinned: true}
	c.idle.SetComm("swapper/" + itoa(id))
	c.idle.Prio = 20
	c.cur = c.idle
	c.tick.c = c
	c.rec = nil
	if m.rec != nil {
		c.rec = m.rec.CPU(id)
	}
	return c
}

// Do goes on with the phase.
func (c *cpu) Do(now int64, gen uint64) {
	if gen == c.gen {
		c.run()
	}
}

// then says what the CPU does next.
func (c *cpu) then(p phase, at int64) { c.phase, c.at = p, at }

// run goes from phase to phase, up to one that is not over yet.
func (c *cpu) run() {
	a := c.m.agenda
	for c.phase != phaseIdle {
		if c.at > a.Now() && !a.Advance(c.at) {
			c.gen++
			a.At(c.at, c, c.gen)
			return
		}
		c.m.on = c
		c.now = max(c.now, c.at)
		switch c.phase {
		case phaseThread:
			c.goOn()
		case phaseHard:
			c.hardEnd()
		case phaseSoft:
			c.softStep()
		case phaseWake:
			c.wakeUp()
			c.back()
		}
	}
}

// spend is something short that nothing interrupts.
func (c *cpu) spend(d int64) { c.now += d }

// mark is when the next event is recorded: a little after the one before.
func (c *cpu) mark() int64 {
	c.now += 90 + int64(c.dice.Uint64()&255)
	return c.now
}

// lift makes the CPU wait for a time that another has come to.
func (c *cpu) lift(t int64) { c.now = max(c.now, t) }

// goOn is the thread having had its time.
func (c *cpu) goOn() {
	t := c.cur
	t.left = 0
	switch {
	case c.soft != 0:
		c.softBegin()
		return
	case c.resched:
		c.schedule()
		return
	}
	c.resume(t)
}

// resume has the program go on.
func (c *cpu) resume(t *Thread) {
	if t.killed && t.state == running {
		t.abandon()
		t.die()
	} else if _, more := t.next(); !more {
		t.state = ended
		t.next, t.stop, t.yield = nil, nil, nil
	}
	if t.state == running {
		c.then(phaseThread, c.now+t.left)
		return
	}
	c.schedule()
}

// suspend stops what the CPU is doing, as an interrupt does.
func (c *cpu) suspend() {
	now := max(c.m.agenda.Now(), c.now)
	switch c.phase {
	case phaseThread:
		c.cur.left = max(c.at-now, 0)
	case phaseSoft:
		c.softLeft = max(c.at-now, 0)
	}
	c.now = now
	c.m.on = c
	c.gen++
}

// back returns to threads.
func (c *cpu) back() {
	c.level = levelThread
	c.observe()
	switch {
	case c.soft != 0:
		c.softBegin()
	case c.resched || c.cur == c.idle && c.queue.Len() > 0:
		c.schedule()
	case c.cur == c.idle:
		c.wakeUp()
		c.fallAsleep()
	default:
		c.then(phaseThread, c.now+c.cur.left)
	}
}

// fallAsleep is an idle CPU with nothing to do.
func (c *cpu) fallAsleep() {
	if !c.asleep {
		c.spend(400)
		switch d := c.now - c.slept; { // as long as the last time, it guesses
		case c.slept == 0 || d > 2_000_000:
			c.depth = 3
		case d > 200_000:
			c.depth = 2
		default:
			c.depth = 1
		}
		if at := c.mark(); c.rec != nil {
			c.rec.CPUIdle(at, c.depth, c.id)
		}
		c.asleep, c.slept = true, c.now
	}
	c.phase = phaseIdle
}

// wakeUp is the end of being idle.
func (c *cpu) wakeUp() {
	if c.asleep {
		if at := c.mark(); c.rec != nil {
			c.rec.CPUIdle(at, record.Awake, c.id)
		}
		c.asleep = false
	}
}

// latency is how long an idle CPU takes until it does something.
func (c *cpu) latency() int64 {
	switch c.depth {
	case 3:
		return 20_000 + c.dice.Exp(15_000)
	case 2:
		return 6_000 + c.dice.Exp(3_000)
	}
	return 1_000 + c.dice.Exp(700)
}

// kick has a CPU look for what is to be done, because of something on another one.
func (c *cpu) kick() {
	now := c.m.on.now
	switch {
	case c.phase == phaseIdle && c.level == levelThread:
		c.resched = true
		c.then(phaseWake, max(now, c.now)+c.latency())
		c.gen++
		c.m.agenda.At(c.at, c, c.gen)
	case c == c.m.on || c.level != levelThread:
		c.resched = true
	default:
		c.resched = true
		if !c.told && c.phase == phaseThread {
			c.told = true
			c.m.agenda.At(now+600+int64(c.dice.Uint64()&511), (*tell)(c), uint64(c.m.boot))
		}
	}
}

// tell is the interrupt by which a CPU makes another one schedule.
type tell cpu

// Do is it being there.
func (x *tell) Do(now int64, boot uint64) {
	c := (*cpu)(x)
	c.told = false
	if int(boot) != c.m.boot || !c.resched || c.level != levelThread || c.phase != phaseThread {
		return
	}
	c.suspend()
	c.schedule()
	c.run()
}
