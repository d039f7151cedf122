package kernel

import (
	"strings"

	"synchroscope/trace"
)

// lineEvent makes the handler of an event that changes the status of a line.
func lineEvent(key func(*trace.Event) lineKey, name *trace.Field, change func(LineStatus) LineStatus) handler {
	return func(m *Model, ev *trace.Event) {
		c := m.cpu(int64(ev.CPU))
		if c == nil {
			return
		}
		n := m.line(key(ev))
		if n < 0 {
			return
		}
		cl := c.lines.get(n)
		now := change(cl.status)
		if change(0)&Served != 0 {
			m.countServed(c, n)
			c.serveAgain(n)
			if m.lines.all[n].key == netRX {
				c.packets = 0
			}
			if m.endless && !m.isDark(c) {
				c.timer, c.vague = 1+len(c.serving), true
			}
		}
		if m.endless || m.sieve.holds && change(0) == Raised { // where it is served, somebody else can run
			now = 0
		}
		m.setLine(c, cl, now)
		if name != nil {
			m.nameLine(n, ev.Bytes(name))
		}
		m.settle(c)
	}
}

// countServed counts that a CPU begins to serve a line.
func (m *Model) countServed(c *cpu, n int) {
	which := countIRQs
	if m.lines.all[n].key.soft {
		which = countSoftIRQs
	}
	m.count(c.counters, which, 1)
}

func raise(s LineStatus) LineStatus { return s | Raised }
func serve(LineStatus) LineStatus   { return Served } // a soft interrupt no longer waits
func done(s LineStatus) LineStatus  { return s &^ Served }

func irqEntry(c *trace.Class) handler {
	return lineEvent(numbered(c, "irq", false), c.Field("name"), serve)
}

func irqExit(c *trace.Class) handler { return lineEvent(numbered(c, "irq", false), nil, done) }

func softIRQRaise(c *trace.Class) handler { return lineEvent(numbered(c, "vec", true), nil, raise) }
func softIRQEntry(c *trace.Class) handler { return lineEvent(numbered(c, "vec", true), nil, serve) }
func softIRQExit(c *trace.Class) handler  { return lineEvent(numbered(c, "vec", true), nil, done) }

// numbered tells the line by a field of the event.
func numbered(c *trace.Class, field string, soft bool) func(*trace.Event) lineKey {
	nr := c.Field(field)
	return func(ev *trace.Event) lineKey { return lineKey{soft: soft, nr: max(ev.Int(nr), -1)} }
}

// vector handles the interrupts that x86 processors send each other and themselves.
// They have no number among those of irq_handler_entry; their line is called as the
// event is: local_timer, reschedule, call_function.
func vector(_ *trace.Class, rest string) handler {
	name, change := rest, done
	switch {
	case strings.HasSuffix(rest, "_entry"):
		name, change = strings.TrimSuffix(rest, "_entry"), serve
	case strings.HasSuffix(rest, "_exit"):
		name = strings.TrimSuffix(rest, "_exit")
	default:
		return nil // about the setting up of vectors
	}
	key := lineKey{nr: -1, name: name}
	return lineEvent(func(*trace.Event) lineKey { return key }, nil, change)
}
