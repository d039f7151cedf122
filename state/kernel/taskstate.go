package kernel

// What sched_switch tells of the thread that leaves the CPU, prev_state, is a
// set of bits whose meaning moved with the kernel:
//
//	bit            before 4.14                     from 4.14 on (one bit at most)
//	0x01 0x02      interruptible, uninterruptible  the same
//	0x04 0x08      stopped, traced                 the same
//	0x10 0x20      not reported                    dead, zombie
//	0x40           dead                            parked
//	0x80           with 0x02: killable             idle: asleep, not counted as load
//	0x100          waking, never switched out      preempted
//	0x200 … 0x1000 alone: preempted; the bit is    not reported
//	               the first unused one, 0x200
//	               to 3.8, 0x400 to 4.1, 0x800 to
//	               4.7, 0x1000 to 4.13
//	0x400          with 0x02: not counted as load  not reported
//
// LTTng to 2.10.8 records on kernels from 4.14 on what the kernel keeps, not what it reports:
// 0x80 alone is dead, 0x100 beside another bit is killable, 0x402 and 0x1000 are as before. A
// thread that has announced its exit does not idle, so of it 0x80 is the end.
//
// The trace does not tell the model which kernel it is from, so the one clash,
// 0x40, is settled by what else is known of the thread and of the trace. A
// thread that parks on a kernel 3.9 to 4.13 (0x200, alone) reads as preempted:
// only per-CPU kernel threads park, when a CPU is unplugged.
const (
	taskAsleep    = 0x01 | 0x02 // interruptible, uninterruptible
	taskHeld      = 0x04 | 0x08 // stopped, traced
	taskGone      = 0x10 | 0x20 // dead, zombie, from 4.14 on
	taskClash     = 0x40        // dead before 4.14, parked since
	taskIdle      = 0x80        // alone: from 4.14 on
	taskPreempted = 0x1f00      // any of these alone
)

// departure is what becomes of a thread that leaves its CPU.
type departure uint8

const (
	runnable departure = iota
	asleep
	held // stopped, traced or parked: not asleep in the usual sense
	dead
)

// modernState reports whether a kernel before 4.14 cannot have written state.
func modernState(state int64) bool {
	switch state {
	case 0x10, 0x20, taskIdle, 0x100, 0x102, 0x104, 0x108:
		return true
	}
	return false
}

// depart reads prev_state. exiting tells that the thread has announced its
// exit, modern that the trace is known to be from a kernel since 4.14.
func depart(state int64, exiting, modern bool) departure {
	switch {
	case state == 0:
		return runnable
	case state&taskGone != 0, state == taskIdle && exiting:
		return dead
	case state&taskClash != 0:
		if exiting || !modern {
			return dead
		}
		return held
	case state&(taskAsleep|taskIdle) != 0:
		return asleep
	case state&taskHeld != 0:
		return held
	case state&taskPreempted != 0:
		return runnable
	}
	return held
}
