package machine

// A Change is a thread beginning to do something else: what it does from a time on. It is what the machine has
// it do, whether or not that is recorded, and by which events. Idle threads are no threads here.
type Change struct {
	At  int64 // true ns, no earlier than that of the thread's change before
	TID int32
	// PID is the number of the thread's process, and Parent that of the process which made this. Neither changes while the thread is there.
	PID, Parent int32
	State       State
	// Call is the name of the system call that the thread is in, whether it runs or not; "" if it is in none.
	Call string
	// Interrupt is what takes its CPU away from it for a while; none unless it is on one.
	Interrupt Interrupt
	// Kernel tells that it is a thread of the kernel's own, which runs in no program as long as it is there.
	Kernel bool
}

// A State is what a thread really does.
type State uint8

const (
	Blocked   State = iota // it sleeps until something wakes it
	Waking                 // something wakes it, and has not chosen a CPU yet
	Ready                  // it is on the queue of a CPU
	InProgram              // it has a CPU, and runs its program
	InKernel               // it has a CPU, and is in the kernel: in a call, or in none as where it faults, or is a thread of the kernel
	Made                   // it has been made, and was on no queue yet
	Ended                  // it has left its CPU for the last time, and its number is still taken
	Gone                   // nothing is left of it
)

var stateNames = [...]string{
	Blocked: "blocked", Waking: "being woken", Ready: "ready", InProgram: "in its program", InKernel: "in the kernel",
	Made: "made", Ended: "ended", Gone: "gone",
}

// String names s in words.
func (s State) String() string { return stateNames[s] }

// An Interrupt is what interrupts a thread that keeps its CPU.
type Interrupt uint8

const (
	NoInterrupt    Interrupt = iota
	TimerInterrupt           // of the CPU's own timer
	Handler                  // of a device, or soft
)

// An Observer is told every change of every thread of a machine as it happens. What it is told of is
// gone when it returns: it keeps what it needs. It changes nothing.
type Observer func(*Change)

// observe tells the observer what a thread does from now on, if that is something else than before.
// It looks at what the scheduler and the kernel go by, not at what was recorded.
func (m *Machine) observe(t *Thread, now int64) {
	if m.opt.Observe != nil && t.TID != 0 {
		m.report(t, now)
	}
}

func (m *Machine) report(t *Thread, now int64) {
	s := Change{At: max(now, t.seen.At), TID: t.TID, PID: t.PID, Parent: t.Parent, State: t.doing(), Kernel: t.kernel}
	if t.calling != nil && s.State != Gone {
		s.Call = t.calling.Name
	}
	if s.State == InProgram || s.State == InKernel {
		s.Interrupt = t.cpu.interrupts()
	}
	if t.observed && s.State == t.seen.State && s.Call == t.seen.Call && s.Interrupt == t.seen.Interrupt {
		return
	}
	t.observed, t.seen = true, s
	m.opt.Observe(&s)
}

// doing is what a thread does.
func (t *Thread) doing() State {
	switch {
	case t.state == reaped:
		return Gone
	case t.cpu != nil && t.cpu.cur == t && (t.inside || t.kernel):
		return InKernel
	case t.cpu != nil && t.cpu.cur == t:
		return InProgram
	}
	switch t.state {
	case made:
		return Made
	case waking:
		return Waking
	case runnable, running:
		return Ready
	case ended:
		return Ended
	}
	return Blocked
}

// interrupts is what the CPU does instead of its thread's work.
func (c *cpu) interrupts() Interrupt {
	switch {
	case c.level == levelThread:
		return NoInterrupt
	case c.level == levelHard && c.under == levelThread && (c.irq.kind == irqTick || c.irq.kind == irqTimer):
		return TimerInterrupt
	}
	return Handler
}

// observe tells of the thread that the CPU has.
func (c *cpu) observe() { c.m.observe(c.cur, c.now) }
