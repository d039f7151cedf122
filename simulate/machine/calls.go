package machine

import (
	"synchroscope/simulate/record"
)

// request is what a thread waits for the disk to do.
type request struct {
	record.Request
	t    *Thread
	done bool
	cpu  *cpu
}

func callNamed(name string) *record.Syscall {
	c := record.Call(name)
	if c == nil {
		panic("simulate/machine: there is no system call " + name)
	}
	return c
}

// call enters the kernel.
func (t *Thread) call(name string, args ...uint64) { t.callText(name, "", args...) }

func (t *Thread) callText(name, text string, args ...uint64) {
	t.enterCall(callNamed(name), text, args...)
}

func (t *Thread) enterCall(call *record.Syscall, text string, args ...uint64) {
	t.args.Int = [8]uint64{}
	copy(t.args.Int[:], args)
	t.args.Text = text
	c := t.cpu
	if at := c.mark(); c.rec != nil {
		c.rec.SyscallEntry(at, call, &t.args)
	}
	t.inside, t.calling = true, call
	c.observe()
}

// ret leaves the kernel. What is returned is followed by what else the event has.
func (t *Thread) ret(value int64, args ...uint64) {
	t.args.Int = [8]uint64{uint64(value)}
	copy(t.args.Int[1:], args)
	t.args.Text = ""
	c := t.cpu
	if at := c.mark(); c.rec != nil {
		c.rec.SyscallExit(at, t.calling, &t.args)
	}
	t.inside, t.calling = false, nil
	c.observe()
}

// Syscall is a call that needs d ns of CPU time in the kernel and does not block.
func (t *Thread) Syscall(name string, d int64) {
	call := callNamed(name)
	r := t.dice.Uint64()
	t.enterCall(call, fileNames[r%uint64(len(fileNames))], 3+r>>8&15, 0x55d000000000+r>>16&0xfffff0, 1<<(r>>40&15), 0, 0, 0)
	t.work(max(d, 100))
	value := int64(0)
	switch name {
	case "read", "write", "recvmsg", "sendmsg", "pread64", "pwrite64", "splice", "readv", "writev":
		value = int64(1 << (r >> 40 & 15))
	case "open", "openat", "socket", "dup", "epoll_create1":
		value = int64(3 + r>>8&15)
	case "mmap", "brk":
		value = int64(0x55d000000000 + r>>16&0xfffff000)
	case "getpid", "gettid", "getppid":
		value = int64(t.TID)
	}
	t.ret(value, 0x55d000000000+r>>16&0xfffff0)
}

var fileNames = []string{
	"/etc/ld.so.cache", "/lib/x86_64-linux-gnu/libc.so.6", "/proc/meminfo", "/proc/stat", "/etc/localtime", "/var/log/syslog", "/run/lock",
	"/sys/devices/system/cpu/online",
}

// Compute is d ns of CPU time outside of the kernel.
func (t *Thread) Compute(d int64) {
	for d > 0 {
		if t.toFault <= 0 {
			t.toFault = 1 + t.dice.Exp(int64(1e9/max(t.m.opt.Kernel.PageFaults, 1e-6)))
		}
		n := min(d, t.toFault)
		t.work(n)
		d -= n
		if t.toFault -= n; t.toFault <= 0 && t.m.opt.Kernel.PageFaults > 0 {
			t.fault()
		}
	}
}

// fault is a page fault.
func (t *Thread) fault() {
	c := t.cpu
	r := c.dice.Uint64()
	if at := c.mark(); c.rec != nil {
		c.rec.PageFault(at, 0x7f0000000000+r>>20&0xfffffff000, 0x55d000000000+r&0xfffff, uint8(4|r>>60&2))
	}
	t.inside = true
	c.observe()
	t.work(500 + int64(r>>32&1023))
	t.inside = false
	t.cpu.observe()
}

// Sleep sleeps for d ns.
func (t *Thread) Sleep(d int64) { t.SleepUntil(t.cpu.now + d) }

// SleepUntil sleeps until a true time.
func (t *Thread) SleepUntil(at int64) {
	t.call("clock_nanosleep", 1, 0, stackOf(t))
	t.work(400)
	t.nap(at, false)
	t.ret(0)
}

// slack is what the kernel lets timers be late by, to wake for several at once.
const slack = 50_000

// nap blocks the thread up to a time, or until it is woken for another reason if it may be. It
// returns false if the time has come.
func (t *Thread) nap(at int64, other bool) bool {
	c := t.cpu
	t.timer++
	t.expired = false
	if mark := c.mark(); c.rec != nil {
		soft := t.m.local(mark) + max(at-mark, 0)
		c.rec.HRTimerStart(mark, t.address(), record.HRTimerWakeup, soft, soft+slack, 1)
	}
	late := t.dice.Between(0, slack)
	t.m.agenda.At(max(at, c.now)+late, (*nap)(t), t.m.ticket(t.timer))
	for !t.expired {
		t.block(interruptible)
		if other && !t.expired {
			t.timer++
			if mark := t.cpu.mark(); t.cpu.rec != nil {
				t.cpu.rec.HRTimerCancel(mark, t.address())
			}
			return true
		}
	}
	return false
}

// nap is the end of a sleep, for the agenda.
type nap Thread

// Do interrupts the CPU where the thread fell asleep.
func (x *nap) Do(now int64, ticket uint64) {
	t := (*Thread)(x)
	if ticket == t.m.ticket(t.timer) && t.state == blocked {
		t.cpu.interrupt(irq{kind: irqTimer, thread: t, timer: t.timer})
	}
}
