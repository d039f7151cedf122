package validate

import "fmt"

// A frameKind is a kind of interruption.
type frameKind uint8

const (
	interrupt frameKind = iota
	softInterrupt
	wheelTimer // of the wheel: in a soft interrupt
	hrtimer    // in the timer's interrupt, which has no event of its own
)

// A frame is an interruption that a CPU is in.
type frame struct {
	kind frameKind
	id   int64
}

func (f frame) String() string {
	return fmt.Sprintf("%s %d", [...]string{"interrupt", "soft interrupt", "timer", "high-resolution timer"}[f.kind], f.id)
}

// within tells whether an interruption can come in another.
func (k frameKind) within(below frameKind) bool {
	switch k {
	case interrupt, hrtimer:
		return below == softInterrupt || below == wheelTimer
	case wheelTimer:
		return below == softInterrupt
	}
	return false
}

func (m *machine) push(on int32, kind frameKind, id int64) {
	c := m.cpu(on)
	f := frame{kind, id}
	m.nesting.Done++
	if n := len(c.stack); n > 0 && c.sure && !kind.within(c.stack[n-1].kind) {
		m.fail(m.nesting, "CPU %d enters %s in %s", on, f, c.stack[n-1])
	}
	c.stack = append(c.stack, f)
}

func (m *machine) pop(on int32, kind frameKind, id int64) {
	c := m.cpu(on)
	f := frame{kind, id}
	m.nesting.Done++
	n := len(c.stack)
	if n > 0 && c.stack[n-1] == f {
		c.stack = c.stack[:n-1]
		return
	}
	if c.sure && n == 0 {
		m.fail(m.nesting, "CPU %d leaves %s, but is in none", on, f)
	} else if c.sure {
		m.fail(m.nesting, "CPU %d leaves %s, but is in %s", on, f, c.stack[n-1])
	}
	c.stack = c.stack[:0]
}
