// Package machine is a simulated computer under Linux: CPUs and their scheduler, processes and
// threads, system calls, timers, interrupts and soft interrupts, a disk, and a network
// card with the transport above it. What it does, it tells a recorder, in true time.
//
// Threads run programs, see [Program]. What a program does takes CPU time, which the thread
// has to get from the scheduler; all else follows. Every machine of a cluster
// runs on the same agenda, and all of them in one goroutine. docs/simulator.md has the model.
package machine

import (
	"synchroscope/simulate/agenda"
	"synchroscope/simulate/chance"
	"synchroscope/simulate/network"
	"synchroscope/simulate/record"
	"synchroscope/simulate/transport"
)

// A Clock is the machine's own.
type Clock interface {
	Cycles(t int64) uint64 // since it booted, at a true time
	Frequency() uint64     // Hz
}

// Names are the addresses of the cluster.
type Names interface {
	Address(host string) (ip uint32, ok bool)
	Host(ip uint32) string
}

// Kernel is how the kernel behaves. Zeros stand for what is usual.
type Kernel struct {
	Slice      int64   // ns that a thread computes while others wait, 3 ms
	Tick       int64   // ns between two timer interrupts of a busy CPU, 4 ms
	PageFaults float64 // per second of computing, 40
	Migrate    float64 // probability that a thread wakes on another CPU than it slept on
	Segment    int     // bytes that the network card takes at once to cut into packets, 64000; 1 for no such card
	Coalesce   int     // bytes that it joins of packets that came, 64000; 1 for no such card
}

// Options make a machine. All but the kernel must be given.
type Options struct {
	Name    string
	CPUs    int
	Address uint32
	Seed    uint64
	Clock   Clock
	Agenda  *agenda.Agenda
	Network *network.Network
	Names   Names
	Kernel  Kernel
	Observe Observer // nil if nobody asks
}

// A Machine is one computer. It belongs to the goroutine that runs the agenda.
type Machine struct {
	opt    Options
	agenda *agenda.Agenda
	net    *network.Network
	node   int
	host   int // its number in the network
	dice   *chance.Source

	cpus    []*cpu
	on      *cpu // that does something now
	threads []*Thread
	lastTID int32
	taken   map[int32]bool // numbers of threads
	names   map[string]int // how many threads had a name, for their dice
	stack   *transport.Stack
	disk    disk
	rec     *record.Recorder
	up      bool
	boot    int
	starts  []*launch
	skb     uint64
	conns   uint64
	init    initTask
	stats   Stats
}

// Stats are what a machine has done since it was made.
type Stats struct {
	Switches   int64
	Interrupts int64
	Overruns   int64 // packets that the card had no room for
}

// New makes a machine that is up from now on.
func New(o Options) *Machine {
	k := &o.Kernel
	k.Slice, k.Tick = usual(k.Slice, 3_000_000), usual(k.Tick, 4_000_000)
	k.Segment, k.Coalesce = usual(k.Segment, 64_000), usual(k.Coalesce, 64_000)
	k.PageFaults = usual(k.PageFaults, 40)
	m := &Machine{opt: o, agenda: o.Agenda, net: o.Network, dice: chance.New(o.Seed, "machine/"+o.Name), names: make(map[string]int)}
	m.node = o.Network.Host(o.Name, o.Address, m)
	m.host = o.Network.HostOf(m.node)
	for i := range o.CPUs {
		m.cpus = append(m.cpus, newCPU(m, i))
	}
	m.start()
	return m
}

func usual[T int | int64 | float64](v, d T) T {
	if v == 0 {
		return d
	}
	return v
}

// Name is the host's name.
func (m *Machine) Name() string { return m.opt.Name }

// Node is where in the network it is.
func (m *Machine) Node() int { return m.node }

// Stats is what it has done so far.
func (m *Machine) Stats() Stats { return m.stats }

// Transport is what its connections have done so far.
func (m *Machine) Transport() transport.Counts { return m.stack.Counts() }

// start is what is there when the kernel has booted.
func (m *Machine) start() {
	m.up = true
	m.boot++
	m.lastTID, m.taken = 0, make(map[int32]bool)
	m.init = initTask{}
	m.stack = transport.New(m, m.opt.Address, m.dice, transport.Options{Segment: m.opt.Kernel.Segment})
	m.disk = disk{m: m, dice: chance.New(m.opt.Seed, "disk/"+m.opt.Name)}
	m.kernelThreads()
}

// A launch is a program that the machine runs by itself.
type launch struct {
	m    *Machine
	at   int64
	name string
	p    Program
}

// Start has a process begin at a true time; if that is past, now. After a reboot it begins again.
func (m *Machine) Start(at int64, name string, p Program) {
	l := &launch{m, at, name, p}
	m.starts = append(m.starts, l)
	m.agenda.At(at, l, uint64(m.boot))
}

// Do is the process beginning.
func (l *launch) Do(now int64, boot uint64) {
	if l.m.up && int(boot) == l.m.boot {
		l.m.launch(l.name, l.p)
	}
}

// SetAddress gives the machine another address.
func (m *Machine) SetAddress(ip uint32) {
	m.net.SetAddress(m.node, m.opt.Address, ip)
	m.opt.Address = ip
	m.stack.SetAddress(ip)
}

// Halt is the machine going down at once: nothing of it is left, and it can be booted again.
func (m *Machine) Halt() {
	m.up = false
	m.boot++ // what the agenda still has is of the past
	for _, t := range m.threads {
		t.abandon()
		t.state = reaped
		m.observe(t, m.agenda.Now())
	}
	m.threads = m.threads[:0]
	for i, c := range m.cpus {
		for _, p := range c.ring[c.ringAt:] {
			if p.packet != nil {
				m.net.Drop(p.packet)
			}
		}
		fresh := newCPU(m, i)
		fresh.gen, fresh.dice = c.gen+1, c.dice
		*c = *fresh
		c.tick.c, c.idle.cpu = c, c
	}
}

// Boot starts it again.
func (m *Machine) Boot() {
	now := m.agenda.Now()
	for _, c := range m.cpus {
		c.now = now
	}
	m.start()
	for _, l := range m.starts {
		if l.at <= now {
			m.agenda.At(now+2_000_000_000+m.dice.Exp(300_000_000), l, uint64(m.boot))
		} else {
			m.agenda.At(l.at, l, uint64(m.boot))
		}
	}
}

// Trace has what happens recorded from now on, beginning with a state dump; nil ends that.
func (m *Machine) Trace(r *record.Recorder) {
	m.rec = r
	for i, c := range m.cpus {
		if c.rec = nil; r != nil {
			c.rec = r.CPU(i)
		}
	}
	if r != nil {
		m.launch("lttng-sessiond", m.stateDump)
	}
}

// tid is a number for a thread.
func (m *Machine) tid() int32 {
	const most = 1 << 22
	for {
		if m.lastTID++; m.lastTID >= most {
			m.lastTID = 300
		}
		if !m.taken[m.lastTID] {
			m.taken[m.lastTID] = true
			return m.lastTID
		}
	}
}
