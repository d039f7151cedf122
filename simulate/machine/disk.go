package machine

import (
	"synchroscope/simulate/chance"
	"synchroscope/simulate/record"
)

// A disk does one request after the other.
type disk struct {
	m    *Machine
	dice *chance.Source
	free int64 // when it has done all
	next uint64
}

// The disk: its number, and what a request takes, ns.
const (
	diskDevice  = 8 << 20
	diskLatency = 70_000
	diskRate    = 500e6 // bytes per second
	diskMost    = 512 << 10
)

// ReadDisk reads from a file that is not in memory.
func (t *Thread) ReadDisk(bytes int) {
	t.call("pread64", 5, uint64(bytes), 0)
	t.work(2_000)
	t.transfer(bytes, false)
	t.work(1_000 + int64(bytes)/8)
	t.ret(int64(bytes), stackOf(t))
}

// WriteDisk writes to a file and waits until the disk has it.
func (t *Thread) WriteDisk(bytes int) {
	t.call("pwrite64", 5, stackOf(t), uint64(bytes), 0)
	t.work(2_000 + int64(bytes)/8)
	t.ret(int64(bytes))
	t.call("fdatasync", 5)
	t.work(2_000)
	t.transfer(bytes, true)
	t.work(1_000)
	t.ret(0)
}

// transfer has the disk do something, in several requests where it is much, and waits.
func (t *Thread) transfer(bytes int, write bool) {
	for ; bytes > 0; bytes -= diskMost {
		n := min(bytes, diskMost)
		d := &t.m.disk
		q := &t.request
		q.Request = record.Request{Device: diskDevice, Sector: d.sector(uint32(n+511) / 512), Sectors: uint32(n+511) / 512, Write: write, Sync: write}
		q.t, q.done, q.cpu = t, false, t.cpu
		c := t.cpu
		at, later := c.mark(), c.mark()
		if c.rec != nil {
			c.rec.BlockInsert(at, &q.Request, &t.Task)
			c.rec.BlockIssue(later, &q.Request, &t.Task)
		}
		d.free = max(d.free, c.now) + d.dice.LogNormal(diskLatency, 0.4) + int64(float64(n)/diskRate*1e9)
		t.m.agenda.At(d.free, q, uint64(t.m.boot))
		for !q.done {
			t.block(uninterruptible)
		}
	}
}

// sector is where something lies: mostly behind what was there before.
func (d *disk) sector(n uint32) uint64 {
	if d.next == 0 || d.dice.Bool(0.2) {
		d.next = d.dice.Uint64() % (1 << 28)
	}
	at := d.next
	d.next += uint64(n)
	return at
}

// Do is the disk being done with a request.
func (q *request) Do(now int64, boot uint64) {
	if int(boot) != q.t.m.boot {
		return
	}
	q.cpu.done = append(q.cpu.done, q)
	q.cpu.interrupt(irq{kind: irqDisk})
}

// complete wakes those whose requests are done.
func (c *cpu) complete() (int64, bool) {
	if len(c.done) == 0 {
		return 300, false
	}
	q := c.done[0]
	c.done = append(c.done[:0], c.done[1:]...)
	q.done = true
	if at := c.mark(); c.rec != nil {
		c.rec.BlockComplete(at, &q.Request)
	}
	c.spend(700)
	c.m.wake(q.t)
	return 400, len(c.done) > 0
}
