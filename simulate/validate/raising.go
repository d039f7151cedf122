package validate

import (
	"strings"

	"synchroscope/trace"
)

// asked is what is known of the soft interrupts that a CPU was asked for.
type asked struct {
	known, waiting uint32 // bits by vector
	since          uint32 // since the interrupt of a device began
	device         uint32 // what that has to ask for, or 0
}

// The interrupts of devices leave most of the work to a soft interrupt.
const softNetRX, softBlock = 3, 4

var devices = []struct {
	prefix string
	bit    uint32
}{
	{"eth", 1 << softNetRX},
	{"ahci", 1 << softBlock},
}

func (m *machine) raise(on int32, vec int64) {
	m.recorded.raises = true
	a := &m.cpu(on).soft
	bit := uint32(1) << uint(vec&31)
	a.waiting |= bit
	a.since |= bit
	a.known |= bit
}

// soften is a soft interrupt that begins.
func (m *machine) soften(on int32, vec int64) {
	a := &m.cpu(on).soft
	bit := uint32(1) << uint(vec&31)
	m.raising.Done++
	if a.known&bit != 0 && a.waiting&bit == 0 && m.recorded.raises {
		m.fail(m.raising, "CPU %d enters soft interrupt %d, but was not asked for it", on, vec)
	}
	a.known |= bit
	a.waiting &^= bit
}

// device is the handler of the interrupts of devices that begin.
func (m *machine) device(c *trace.Class) func(*trace.Event) {
	irq, name := c.Field("irq"), c.Field("name")
	return func(ev *trace.Event) {
		m.push(ev.CPU, interrupt, ev.Int(irq))
		a := &m.cpu(ev.CPU).soft
		a.since, a.device = 0, 0
		for _, d := range devices {
			if strings.HasPrefix(string(ev.Bytes(name)), d.prefix) {
				a.device = d.bit
			}
		}
	}
}

// undevice is the end of one.
func (m *machine) undevice(on int32, irq int64) {
	m.pop(on, interrupt, irq)
	a := &m.cpu(on).soft
	if a.device&^a.since != 0 && m.recorded.raises {
		m.fail(m.raising, "interrupt %d on CPU %d asked for no soft interrupt", irq, on)
	}
	a.device = 0
}
