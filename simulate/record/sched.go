package record

// The events of the scheduler, and of processes.

// SchedSwitch is a CPU going from one task to the next. The state is that of the one left, in the kernel's
// bits: 0 runnable, 1 interruptible, 2 uninterruptible, 16 dead, 32 zombie.
func (s *Stream) SchedSwitch(t int64, prev *Task, state int64, next *Task) bool {
	b := s.begin(t, schedSwitch, 60)
	if b == nil {
		return false
	}
	b = append(b, prev.Comm[:]...)
	b = u32(u32(b, prev.TID), prev.Prio)
	b = u64(b, uint64(state))
	b = append(b, next.Comm[:]...)
	return s.end(u32(u32(b, next.TID), next.Prio))
}

func (s *Stream) wake(t int64, id uint16, task *Task, cpu int) bool {
	b := s.begin(t, id, 28)
	if b == nil {
		return false
	}
	b = append(b, task.Comm[:]...)
	return s.end(u32(u32(u32(b, task.TID), task.Prio), int32(cpu)))
}

// SchedWaking is the beginning of a wake-up, on the CPU that causes it.
func (s *Stream) SchedWaking(t int64, task *Task, cpu int) bool {
	return s.wake(t, schedWaking, task, cpu)
}

// SchedWakeup is a task put onto a queue of a CPU.
func (s *Stream) SchedWakeup(t int64, task *Task, cpu int) bool {
	return s.wake(t, schedWakeup, task, cpu)
}

// SchedWakeupNew is a new task put onto a queue for the first time.
func (s *Stream) SchedWakeupNew(t int64, task *Task, cpu int) bool {
	return s.wake(t, schedWakeupNew, task, cpu)
}

// SchedMigrateTask is a task going from the queue of a CPU to that of another.
func (s *Stream) SchedMigrateTask(t int64, task *Task, from, to int) bool {
	b := s.begin(t, schedMigrate, 32)
	if b == nil {
		return false
	}
	b = append(b, task.Comm[:]...)
	return s.end(u32(u32(u32(u32(b, task.TID), task.Prio), int32(from)), int32(to)))
}

// initialNamespace is the number of the namespace of processes that Linux begins with.
const initialNamespace = 4026531836

// ProcessFork is a task making another.
func (s *Stream) ProcessFork(t int64, parent, child *Task) bool {
	b := s.begin(t, processFork, 61)
	if b == nil {
		return false
	}
	b = append(b, parent.Comm[:]...)
	b = le.AppendUint32(u32(u32(b, parent.TID), parent.PID), initialNamespace)
	b = append(b, child.Comm[:]...)
	b = u32(u32(append(u32(b, child.TID), 1), child.TID), child.PID)
	return s.end(le.AppendUint32(b, initialNamespace))
}

// ProcessExec is a task becoming a program.
func (s *Stream) ProcessExec(t int64, file string, task *Task) bool {
	b := s.begin(t, processExec, len(file)+9)
	if b == nil {
		return false
	}
	return s.end(u32(u32(text(b, file), task.TID), task.TID))
}

func (s *Stream) process(t int64, id uint16, task *Task) bool {
	b := s.begin(t, id, 24)
	if b == nil {
		return false
	}
	return s.end(u32(u32(append(b, task.Comm[:]...), task.TID), task.Prio))
}

// ProcessExit is a task ending.
func (s *Stream) ProcessExit(t int64, task *Task) bool { return s.process(t, processExit, task) }

// ProcessFree is what is left of a task going away.
func (s *Stream) ProcessFree(t int64, task *Task) bool { return s.process(t, processFree, task) }

// ProcessWait is a task waiting for the end of a child, with the name and number of whom it waits for; 0 is any.
func (s *Stream) ProcessWait(t int64, comm *[16]byte, tid, prio int32) bool {
	return s.process(t, processWait, &Task{Comm: *comm, TID: tid, Prio: prio})
}

// CPUIdle is a CPU going to sleep, or waking up if the state is [Awake].
func (s *Stream) CPUIdle(t int64, state uint32, cpu int) bool {
	b := s.begin(t, cpuIdle, 8)
	if b == nil {
		return false
	}
	return s.end(u32(le.AppendUint32(b, state), int32(cpu)))
}

// Awake is the idle state of a CPU that is not idle.
const Awake = 1<<32 - 1

// PageFault is a fault of a program.
func (s *Stream) PageFault(t int64, address, ip uint64, code uint8) bool {
	b := s.begin(t, faultUser, 17)
	if b == nil {
		return false
	}
	return s.end(append(u64(u64(b, address), ip), code))
}
