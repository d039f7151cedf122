package record

// The events of interrupts, soft interrupts, timers and disks.

// IRQEntry is an interrupt of a device beginning.
func (s *Stream) IRQEntry(t int64, irq int32, name string) bool {
	b := s.begin(t, irqEntry, len(name)+5)
	if b == nil {
		return false
	}
	return s.end(text(u32(b, irq), name))
}

// IRQExit is its end.
func (s *Stream) IRQExit(t int64, irq int32) bool { return s.pair(t, irqExit, irq, 1) }

func (s *Stream) pair(t int64, id uint16, a, c int32) bool {
	b := s.begin(t, id, 8)
	if b == nil {
		return false
	}
	return s.end(u32(u32(b, a), c))
}

func (s *Stream) one(t int64, id uint16, v int32) bool {
	b := s.begin(t, id, 4)
	if b == nil {
		return false
	}
	return s.end(u32(b, v))
}

// The soft interrupts, by their numbers in the kernel.
const (
	SoftTimer    = 1
	SoftNetTX    = 2
	SoftNetRX    = 3
	SoftBlock    = 4
	SoftTasklet  = 6
	SoftSched    = 7
	SoftHRTimer  = 8
	SoftRCU      = 9
	SoftIRQCount = 10
)

// SoftIRQRaise is a soft interrupt asked for.
func (s *Stream) SoftIRQRaise(t int64, vec int) bool { return s.one(t, softRaise, int32(vec)) }

// SoftIRQEntry is its beginning.
func (s *Stream) SoftIRQEntry(t int64, vec int) bool { return s.one(t, softEntry, int32(vec)) }

// SoftIRQExit is its end.
func (s *Stream) SoftIRQExit(t int64, vec int) bool { return s.one(t, softExit, int32(vec)) }

func (s *Stream) address(t int64, id uint16, a uint64) bool {
	b := s.begin(t, id, 8)
	if b == nil {
		return false
	}
	return s.end(u64(b, a))
}

// The addresses of functions of the kernel that timers call.
const (
	HRTimerWakeup = 0xffffffff8b3a4f50
	TickTimer     = 0xffffffff8b3b8aa0
	RetransTimer  = 0xffffffff8baf3d10
	DelackTimer   = 0xffffffff8baf3e70
	ProcessTimer  = 0xffffffff8b3a2e40
)

// HRTimerStart is a timer set to a local time, ns.
func (s *Stream) HRTimerStart(t int64, timer, function uint64, soft, hard int64, mode uint32) bool {
	b := s.begin(t, hrtimerStart, 36)
	if b == nil {
		return false
	}
	b = u64(u64(b, timer), function)
	return s.end(le.AppendUint32(u64(u64(b, uint64(hard)), uint64(soft)), mode))
}

// HRTimerExpire is a timer going off, at a local time.
func (s *Stream) HRTimerExpire(t int64, timer uint64, now int64, function uint64) bool {
	b := s.begin(t, hrtimerExpire, 24)
	if b == nil {
		return false
	}
	return s.end(u64(u64(u64(b, timer), uint64(now)), function))
}

// HRTimerExpired is the end of what it does.
func (s *Stream) HRTimerExpired(t int64, timer uint64) bool {
	return s.address(t, hrtimerExpired, timer)
}

// HRTimerCancel is a timer that does not go off any more.
func (s *Stream) HRTimerCancel(t int64, timer uint64) bool { return s.address(t, hrtimerCancel, timer) }

// TimerStart is a timer set to a tick.
func (s *Stream) TimerStart(t int64, timer, function, expires, now uint64, flags uint32) bool {
	b := s.begin(t, timerStart, 36)
	if b == nil {
		return false
	}
	return s.end(le.AppendUint32(u64(u64(u64(u64(b, timer), function), expires), now), flags))
}

// TimerExpire is a timer going off.
func (s *Stream) TimerExpire(t int64, timer, now, function uint64) bool {
	b := s.begin(t, timerExpire, 32)
	if b == nil {
		return false
	}
	return s.end(u64(u64(u64(u64(b, timer), now), function), now))
}

// TimerExpired is the end of what it does.
func (s *Stream) TimerExpired(t int64, timer uint64) bool { return s.address(t, timerExpired, timer) }

// TimerCancel is a timer that does not go off any more.
func (s *Stream) TimerCancel(t int64, timer uint64) bool { return s.address(t, timerCancel, timer) }

// A Request is what a disk is asked.
type Request struct {
	Device  uint32
	Sector  uint64
	Sectors uint32
	Write   bool
	Sync    bool
}

// rwbs are the flags of a request as LTTng numbers them.
func (q *Request) rwbs() uint32 {
	v := uint32(1) << 2 // read
	if q.Write {
		v = 1
	}
	if q.Sync {
		v |= 1 << 5
	}
	return v
}

func (s *Stream) request(t int64, id uint16, q *Request, task *Task) bool {
	b := s.begin(t, id, 48)
	if b == nil {
		return false
	}
	b = le.AppendUint32(b, q.Device)
	b = u64(b, q.Sector)
	b = le.AppendUint32(b, q.Sectors)
	b = le.AppendUint32(b, q.Sectors*512)
	b = le.AppendUint32(u32(b, task.TID), q.rwbs())
	return s.end(append(b, task.Comm[:]...))
}

// BlockInsert is a request put into the queue of a disk.
func (s *Stream) BlockInsert(t int64, q *Request, task *Task) bool {
	return s.request(t, blockInsert, q, task)
}

// BlockIssue is a request handed to a disk.
func (s *Stream) BlockIssue(t int64, q *Request, task *Task) bool {
	return s.request(t, blockIssue, q, task)
}

// BlockComplete is a disk being done with a request.
func (s *Stream) BlockComplete(t int64, q *Request) bool {
	b := s.begin(t, blockComplete, 24)
	if b == nil {
		return false
	}
	b = le.AppendUint32(b, q.Device)
	b = u64(b, q.Sector)
	b = le.AppendUint32(b, q.Sectors)
	return s.end(le.AppendUint32(u32(b, 0), q.rwbs()))
}
