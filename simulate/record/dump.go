package record

// The state dump, with which a session begins.

// How a task stands in the state dump, in LTTng's numbers.
const (
	WaitingForCPU = 2
	Exiting       = 3
	Zombie        = 4
	Waiting       = 5
	Running       = 6
	Dead          = 7
)

// DumpStart is the beginning of the state dump.
func (s *Stream) DumpStart(t int64) bool { return s.bare(t, dumpStart) }

// DumpEnd is its end.
func (s *Stream) DumpEnd(t int64) bool { return s.bare(t, dumpEnd) }

func (s *Stream) bare(t int64, id uint16) bool {
	b := s.begin(t, id, 0)
	if b == nil {
		return false
	}
	return s.end(b)
}

// DumpProcess is a task that there is.
func (s *Stream) DumpProcess(t int64, task *Task, kernel bool, status int32, cpu int, files uint64) bool {
	b := s.begin(t, dumpProcess, 60)
	if b == nil {
		return false
	}
	b = append(u32(u32(u32(b, task.TID), task.PID), task.Parent), task.Comm[:]...)
	kind := int32(0)
	if kernel {
		kind = 1
	}
	const mode, submode = 5, 0 // unknown, none: all that LTTng says
	b = u32(u32(u32(u32(b, kind), mode), submode), status)
	return s.end(u64(u32(b, int32(cpu)), files))
}

// DumpNamespace is the numbers that a task has where it lives.
func (s *Stream) DumpNamespace(t int64, task *Task) bool {
	b := s.begin(t, dumpNamespace, 24)
	if b == nil {
		return false
	}
	b = u32(u32(u32(u32(u32(b, task.TID), task.TID), task.PID), task.Parent), 0)
	return s.end(le.AppendUint32(b, initialNamespace))
}

// DumpInterface is a network device and its address.
func (s *Stream) DumpInterface(t int64, name string, ip uint32) bool {
	b := s.begin(t, dumpInterface, len(name)+5)
	if b == nil {
		return false
	}
	return s.end(append(text(b, name), byte(ip>>24), byte(ip>>16), byte(ip>>8), byte(ip)))
}

// DumpDisk is a disk.
func (s *Stream) DumpDisk(t int64, device uint32, name string) bool {
	b := s.begin(t, dumpDisk, len(name)+5)
	if b == nil {
		return false
	}
	return s.end(text(le.AppendUint32(b, device), name))
}

// DumpIRQ is an interrupt and who takes it.
func (s *Stream) DumpIRQ(t int64, irq int32, name, action string) bool {
	b := s.begin(t, dumpIRQ, len(name)+len(action)+10)
	if b == nil {
		return false
	}
	return s.end(u32(text(text(u32(b, irq), name), action), 0))
}
