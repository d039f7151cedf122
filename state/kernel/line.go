package kernel

import (
	"slices"
	"strconv"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
)

// A line is a source of interrupts: an interrupt number, a named vector of the
// processor, or a soft interrupt.
type line struct {
	key    lineKey
	name   string          // the attribute's
	named  bool            // its attribute Name is set
	raised int             // CPUs on which it waits
	served int             // CPUs that serve it
	total  attribute.Quark // the line on any CPU
	status LineStatus      // as stored for total
	source history.Value   // its name as what wakes threads; null until there was need
}

// A lineKey says which line is meant: by number, or by name where nr is -1.
type lineKey struct {
	soft bool
	nr   int64
	name string
}

// maxLines bounds the lines that are believed. The largest machines have some thousands.
const maxLines = 1 << 14

// lineTable numbers lines in order of first sight.
type lineTable struct {
	all    []*line
	number map[lineKey]int
}

// A cpuLine is a line on one CPU.
type cpuLine struct {
	line   int // its number
	status LineStatus
	quark  attribute.Quark
}

// cpuLines are the lines that a CPU has met, in order of first sight.
type cpuLines struct {
	all   []cpuLine
	index map[int]int // by line number
}

func (cl *cpuLines) has(n int) bool {
	_, ok := cl.index[n]
	return ok
}

func (cl *cpuLines) get(n int) *cpuLine {
	i, ok := cl.index[n]
	if !ok {
		if cl.index == nil {
			cl.index = make(map[int]int)
		}
		i = len(cl.all)
		cl.index[n] = i
		cl.all = append(cl.all, cpuLine{line: n, quark: attribute.None})
	}
	return &cl.all[i]
}

// line returns the number of a line, -1 where it cannot be one.
func (m *Model) line(key lineKey) int {
	if n, ok := m.lines.number[key]; ok {
		return n
	}
	if len(m.lines.all) >= maxLines || key.nr < 0 && key.name == "" {
		return -1
	}
	name := key.name
	if _, err := strconv.ParseInt(name, 10, 64); err == nil {
		name = "vector " + name // not the line of that number
	}
	if key.nr >= 0 {
		name = strconv.FormatInt(key.nr, 10)
	}
	if m.lines.number == nil {
		m.lines.number = make(map[lineKey]int)
	}
	n := len(m.lines.all)
	m.lines.number[key] = n
	m.lines.all = append(m.lines.all, &line{key: key, name: name, total: attribute.None})
	return n
}

// setLine changes the status of a line on a CPU, and its total with it.
func (m *Model) setLine(c *cpu, cl *cpuLine, s LineStatus) {
	if cl.status == s || s != 0 && m.isDark(c) {
		return
	}
	l := m.lines.all[cl.line]
	served := bit(s, Served) - bit(cl.status, Served)
	l.served += served
	c.serve(cl.line, served)
	l.raised += bit(s, Raised) - bit(cl.status, Raised)
	cl.status = s
	if l.key.soft {
		m.under(&cl.quark, m.group(c, &c.quark.softIRQs, "Soft_IRQs"), l.name, s.value())
	} else {
		m.under(&cl.quark, m.group(c, &c.quark.irqs, "IRQs"), l.name, s.value())
	}
	m.setTotal(l)
}

// serve notes that a CPU begins to serve a line, where by is 1, or has ended that, where it is -1.
func (c *cpu) serve(n, by int) {
	switch by {
	case 1:
		c.serving = append(c.serving, n)
	case -1:
		i := slices.Index(c.serving, n)
		c.serving = slices.Delete(c.serving, i, i+1)
		if c.timer > len(c.serving)+1 {
			c.timer = 0 // it was served inside that
		}
	}
}

// serveAgain notes that a line that a CPU seems to serve already begins to be served: the end of the time before was lost.
func (c *cpu) serveAgain(n int) {
	if i := slices.Index(c.serving, n); i >= 0 {
		c.serving = append(slices.Delete(c.serving, i, i+1), n)
	}
}

// innermost is the line, of interrupts or of soft ones, that a CPU serves inside all others of the sort; -1 if it serves none.
func (m *Model) innermost(c *cpu, soft bool) int {
	for _, n := range slices.Backward(c.serving) {
		if m.lines.all[n].key.soft == soft {
			return n
		}
	}
	return -1
}

func bit(s, b LineStatus) int {
	if s&b != 0 {
		return 1
	}
	return 0
}

func (m *Model) setTotal(l *line) {
	var s LineStatus
	if l.raised > 0 {
		s |= Raised
	}
	if l.served > 0 {
		s |= Served
	}
	if s == l.status {
		return
	}
	l.status = s
	m.under(&l.total, m.linesRoot(l), l.name, s.value())
}

// linesRoot is the attribute that holds the totals of lines like l.
func (m *Model) linesRoot(l *line) attribute.Quark {
	if l.key.soft {
		return m.root.softIRQs
	}
	return m.root.irqs
}

// group is the attribute that holds a CPU's lines of one sort.
func (m *Model) group(c *cpu, q *attribute.Quark, name string) attribute.Quark {
	if *q == attribute.None {
		*q = m.w.Attributes().Add(c.quark.status, name)
	}
	return *q
}

// nameLine names a line after the first handler seen on it, from the start on. One
// that was met only where events were being lost has no attribute to hold a name yet.
func (m *Model) nameLine(n int, name []byte) {
	l := m.lines.all[n]
	if l.named || l.total == attribute.None || len(name) == 0 {
		return
	}
	l.named = true
	m.assume(m.w.Attributes().Add(l.total, "Name"), m.w.Text(name))
}

// calm ends whatever a CPU seems to serve: an event has shown that it does not, so
// that the ends were lost. Soft interrupts that wait go on waiting.
func (m *Model) calm(c *cpu) {
	c.timer = 0
	if len(c.serving) == 0 {
		return
	}
	for i := range c.lines.all {
		cl := &c.lines.all[i]
		m.setLine(c, cl, cl.status&^Served)
	}
}

// silence makes all lines of a CPU unknown.
func (m *Model) silence(c *cpu) {
	for i := range c.lines.all {
		m.setLine(c, &c.lines.all[i], 0)
	}
}
