package occupant

import "synchroscope/trace"

// Switches tells the threads of the events of one reader by its switches alone, where there is no history: of what is ahead of the first
// switch of a CPU nobody knows. It is a filter.Threads, and the zero value knows nobody.
type Switches struct {
	classes []fields // by the index of the class
	cpus    map[int32]int32
	leaver  int32
}

// mostCPUs are the CPUs that are told of: a trace may claim any number.
const mostCPUs = 8192

// fields are those of a switch, nil of other events.
type fields struct {
	class        *trace.Class
	leaves, next *trace.Field
}

// of is what the events of a class say of a switch.
func (s *Switches) of(c *trace.Class) *fields {
	if n := c.Index + 1 - len(s.classes); n > 0 {
		s.classes = append(s.classes, make([]fields, n)...)
	}
	f := &s.classes[c.Index]
	if f.class != c {
		*f = fields{class: c}
		if c.Name == "sched_switch" {
			f.leaves, f.next = c.Field("prev_tid"), c.Field("next_tid")
		}
	}
	return f
}

// leaves is the field of who leaves in a switch, nil in other events.
func (s *Switches) leaves(e *trace.Event) *trace.Field { return s.of(e.Class).leaves }

// Pass goes on to an event.
func (s *Switches) Pass(e *trace.Event) {
	s.leaver = -1
	f := s.of(e.Class)
	if f.leaves == nil || f.next == nil || e.CPU < 0 || e.CPU >= mostCPUs {
		return
	}
	if s.cpus == nil {
		s.cpus = make(map[int32]int32)
	}
	s.leaver = int32(e.Int(f.leaves))
	s.cpus[e.CPU] = int32(e.Int(f.next))
}

// Thread is the thread that was on the CPU of the event passed last, 0 where that was idle and -1 where nobody knows.
func (s *Switches) Thread(e *trace.Event) int32 {
	if s.leaver >= 0 {
		return s.leaver
	}
	if tid, ok := s.cpus[e.CPU]; ok && e.CPU >= 0 {
		return tid
	}
	return -1
}
