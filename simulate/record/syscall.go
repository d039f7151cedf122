package record

import (
	"strings"

	"synchroscope/trace"
)

// A Syscall is a system call of events.tsdl.
type Syscall struct {
	Name        string
	entry, exit plan
}

// Call finds a system call by its name, nil if there is none.
func Call(name string) *Syscall { return layout().calls[name] }

// A plan is how the fields of an event are filled from arguments, in their order.
type plan struct {
	id    uint16
	fixed int // bytes without texts and lists
	ops   []fill
}

// A fill is what is written for a field, or some in a row.
type fill struct {
	what fillKind
	size int // bytes
}

type fillKind uint8

const (
	fillArgument fillKind = iota // an integer, little-endian
	fillNetwork                  // an integer, big-endian
	fillZero                     // bytes that mean nothing here
	fillText
	fillAddress // 4, and an IPv4 address
	fillEvents  // a list of what epoll found: one, if the return value is above 0
)

func (l *layouts) bindCalls() {
	for _, e := range l.base.Streams[0].Events {
		name, ok := strings.CutPrefix(e.Name, "syscall_entry_")
		exit := false
		if !ok {
			if name, exit = strings.CutPrefix(e.Name, "syscall_exit_"); !exit {
				continue
			}
		}
		c := l.calls[name]
		if c == nil {
			c = &Syscall{Name: name}
			l.calls[name] = c
		}
		p := &c.entry
		if exit {
			p = &c.exit
		}
		p.id = uint16(e.ID)
		p.bind(e.Payload.Members)
		for _, f := range p.ops {
			p.fixed += f.size
		}
	}
}

// bind plans a struct. A list that is no address is empty: its length is 0.
func (p *plan) bind(members []trace.Member) {
	for i := 0; i < len(members); i++ {
		t := members[i].Type
		name := strings.TrimLeft(members[i].Name, "_")
		switch {
		case strings.HasPrefix(name, "v4addr_length"):
			p.ops = append(p.ops, fill{fillAddress, 8})
			i++
		case name == "fds_length" && i+2 < len(members) && p.holds(members[i+2].Type):
			p.ops = append(p.ops, fill{fillEvents, 22})
			i += 2
		case t.Kind == trace.Struct:
			p.zero(bytesOf(t))
		case t.Kind == trace.Array && t.Ref != nil:
		case t.Kind == trace.Array:
			p.zero(int(t.Count) * bytesOf(t.Elem))
		case t.Kind == trace.String:
			p.ops = append(p.ops, fill{fillText, 0})
		case strings.HasSuffix(name, "_length") || name == "overflow":
			p.zero(bytesOf(t))
		case t.BigEndian:
			p.ops = append(p.ops, fill{fillNetwork, bytesOf(t)})
		default:
			p.ops = append(p.ops, fill{fillArgument, bytesOf(t)})
		}
	}
}

func (p *plan) zero(n int) { p.ops = append(p.ops, fill{fillZero, n}) }

// holds says whether a type is the list of epoll's events, 21 bits of which are bytes.
func (p *plan) holds(t *trace.Type) bool {
	return t.Kind == trace.Array && t.Ref != nil && t.Elem.Kind == trace.Struct && bytesOf(t.Elem) == 17
}

// bytesOf is the size of a type without texts and lists, whose integers lie at whole bytes.
func bytesOf(t *trace.Type) int { return (bitsOf(t) + 7) / 8 }

func bitsOf(t *trace.Type) int {
	switch t.Kind {
	case trace.Struct:
		n := 0
		for _, m := range t.Members {
			n += bitsOf(m.Type)
		}
		return n
	case trace.Array:
		return int(t.Count) * bitsOf(t.Elem)
	}
	return int(t.Size)
}

// Args are the arguments of a system call, in the order of the fields of its events: integers,
// in the order of their fields, and what its text is.
type Args struct {
	Int  [8]uint64
	Text string
}

func (p *plan) append(b []byte, a *Args, events bool) []byte {
	n := 0
	next := func() uint64 {
		if n == len(a.Int) {
			return 0
		}
		n++
		return a.Int[n-1]
	}
	for _, f := range p.ops {
		switch f.what {
		case fillArgument:
			v := next()
			for range f.size {
				b = append(b, byte(v))
				v >>= 8
			}
		case fillNetwork:
			v := next()
			for i := f.size - 1; i >= 0; i-- {
				b = append(b, byte(v>>(8*i)))
			}
		case fillAddress:
			b = wide(append(b, 4, 0, 0, 0), uint32(next()))
		case fillText:
			b = text(b, a.Text)
		case fillEvents:
			fd := next()
			if !events {
				b = append(b, 0, 0, 0, 0, 0)
				continue
			}
			b = append(b, 1, 0, 0, 0, 0)
			b = u32(u64(b, fd), int32(fd))
			b = append(b, 1, 0, 0, 0, 1) // there is something to read
		case fillZero:
			for range f.size {
				b = append(b, 0)
			}
		}
	}
	return b
}

// SyscallEntry is a task asking the kernel.
func (s *Stream) SyscallEntry(t int64, c *Syscall, a *Args) bool {
	b := s.begin(t, c.entry.id, c.entry.fixed+len(a.Text)+1)
	if b == nil {
		return false
	}
	return s.end(c.entry.append(b, a, false))
}

// SyscallExit is the answer; the first integer of the arguments is what is returned.
func (s *Stream) SyscallExit(t int64, c *Syscall, a *Args) bool {
	b := s.begin(t, c.exit.id, c.exit.fixed+len(a.Text)+1)
	if b == nil {
		return false
	}
	return s.end(c.exit.append(b, a, int64(a.Int[0]) > 0))
}
