package filter

import (
	"bytes"
	"strings"

	"synchroscope/trace"
)

// A Program is a filter for the events of one class from one host. It belongs to one goroutine.
type Program struct {
	class *trace.Class
	root  condition
}

// Compile resolves the filter for a class of a host's events, of whose threads nothing is known.
func (f *Filter) Compile(class *trace.Class, host string) *Program {
	return f.compile(class, host, nil)
}

func (f *Filter) compile(class *trace.Class, host string, threads Threads) *Program {
	c := compilation{class: class, host: host, threads: threads}
	return &Program{class, f.root.compile(&c)}
}

// Match reports whether an event of the class is wanted; time is what the filter's "time" is. It allocates
// nothing and keeps nothing of the event.
func (p *Program) Match(e *trace.Event, time int64) bool { return p.root.holds(e, time) }

// Never reports whether it is known that no event of the class is wanted.
func (p *Program) Never() bool { return p.root == always(false) }

// A compilation is what a filter is compiled for.
type compilation struct {
	class   *trace.Class
	host    string
	threads Threads
}

// chain compiles the parts of a chain that one part with the value absorbing decides.
func (c *compilation) chain(nodes []node, absorbing always) []condition {
	var parts []condition
	for _, n := range nodes {
		switch part := n.compile(c); part {
		case absorbing:
			return []condition{absorbing}
		case !absorbing:
		default:
			parts = append(parts, part)
		}
	}
	if parts == nil {
		parts = []condition{!absorbing}
	}
	return parts
}

func (n or) compile(c *compilation) condition {
	if parts := c.chain(n, true); len(parts) > 1 {
		return &anyOf{parts}
	} else {
		return parts[0]
	}
}

func (n and) compile(c *compilation) condition {
	if parts := c.chain(n, false); len(parts) > 1 {
		return &allOf{parts}
	} else {
		return parts[0]
	}
}

func (n not) compile(c *compilation) condition {
	switch part := n.node.compile(c).(type) {
	case always:
		return !part
	default:
		return &opposite{part}
	}
}

func (n has) compile(c *compilation) condition {
	switch n.path.property {
	case cpuProperty:
		return onCPU{}
	case threadProperty:
		if c.threads == nil {
			return always(false)
		}
		return hasThread{c.threads}
	case nameProperty, hostProperty, timeProperty, localProperty, fieldsProperty:
		return always(true)
	}
	f := n.path.resolve(c.class)
	if f == nil || n.path.element >= 0 && f.Type().Kind != trace.Array {
		return always(false)
	}
	return &present{f, n.path.element}
}

func (n compare) compile(c *compilation) condition {
	l, r := c.source(&n.left), c.source(&n.right)
	switch {
	case l.number != nil && r.number != nil:
		return &compareNumeric{*l.number, *r.number, n.order}
	case l.text != nil && r.text != nil:
		if l.isConstantText() && r.isConstantText() {
			return always(n.order.has(bytes.Compare(l.text.constant, r.text.constant)))
		}
		return &compareText{*l.text, *r.text, n.order}
	case l.labels != nil && r.isConstantText():
		return label(l, n.order, r.text.constant)
	case r.labels != nil && l.isConstantText():
		return label(r, n.order.swapped(), l.text.constant)
	}
	return always(false)
}

// label compares what the labels of s say with a text. They are unequal if no label is equal.
func label(s source, o order, text []byte) condition {
	negate := o == orders["!="]
	if negate {
		o = equal
	}
	return s.labelled(negate, func(label string) bool { return o.has(bytes.Compare([]byte(label), text)) })
}

func (n fits) compile(c *compilation) condition {
	s := c.source(&operand{path: n.path})
	switch {
	case s.isConstantText():
		return always(n.glob.Match(s.text.constant) != n.negate)
	case s.text != nil:
		return &fitText{*s.text, n.glob, n.negate}
	case s.labels != nil:
		return s.labelled(n.negate, func(label string) bool { return n.glob.Match([]byte(label)) })
	}
	return always(false)
}

// labelled is the condition that s has a label that is accepted or, with negate, that it has none.
func (s source) labelled(negate bool, accepts func(label string) bool) condition {
	c := &compareLabel{numeric: *s.number, flags: s.labels.Kind == trace.BitMap, negate: negate}
	for _, m := range s.labels.Labels {
		if accepts(m.Label) {
			c.accepted = append(c.accepted, m)
		}
	}
	return c
}

// resolve finds the field of a path, nil if the class has none.
func (p *path) resolve(c *trace.Class) *trace.Field {
	name := strings.Join(p.names, ".")
	if p.where == contexts {
		return c.Context(name)
	}
	return c.Field(name)
}
