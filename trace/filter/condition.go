package filter

import (
	"bytes"

	"synchroscope/trace"
)

// A condition is a part of a filter, resolved. One that compares something the event does not have is false.
type condition interface {
	holds(e *trace.Event, time int64) bool
}

// always is what was decided when the filter was compiled.
type always bool

func (c always) holds(*trace.Event, int64) bool { return bool(c) }

type (
	anyOf    struct{ parts []condition }
	allOf    struct{ parts []condition }
	opposite struct{ condition }

	// onCPU holds where the trace says which CPU recorded the event.
	onCPU struct{}

	// hasThread holds where it is known which thread was on the CPU.
	hasThread struct{ threads Threads }

	// present holds where the event has the field, and the array that many elements.
	present struct {
		field   *trace.Field
		element int
	}

	compareNumeric struct {
		left, right numeric
		order       order
	}
	compareText struct {
		left, right textual
		order       order
	}

	// compareLabel holds where a label that is accepted says something about the value.
	compareLabel struct {
		numeric
		accepted []trace.Mapping
		flags    bool // the labels are of bits
		negate   bool
	}

	fitText struct {
		text   textual
		glob   *Glob
		negate bool
	}
)

func (c *anyOf) holds(e *trace.Event, time int64) bool {
	for _, p := range c.parts {
		if p.holds(e, time) {
			return true
		}
	}
	return false
}

func (c *allOf) holds(e *trace.Event, time int64) bool {
	for _, p := range c.parts {
		if !p.holds(e, time) {
			return false
		}
	}
	return true
}

func (c *opposite) holds(e *trace.Event, time int64) bool { return !c.condition.holds(e, time) }

func (c hasThread) holds(e *trace.Event, _ int64) bool { return c.threads.Thread(e) >= 0 }

func (onCPU) holds(e *trace.Event, _ int64) bool { return e.CPU >= 0 }

func (c *present) holds(e *trace.Event, _ int64) bool {
	return e.Has(c.field) && (c.element < 0 || c.element < e.Len(c.field))
}

func (c *compareNumeric) holds(e *trace.Event, time int64) bool {
	l, ok := c.left.value(e, time)
	if !ok {
		return false
	}
	r, ok := c.right.value(e, time)
	if !ok {
		return false
	}
	order, ok := compareNumbers(l, r)
	if !ok { // NaN is not equal to anything
		return c.order == less|greater
	}
	return c.order.has(order)
}

func (c *compareText) holds(e *trace.Event, _ int64) bool {
	l, ok := c.left.value(e)
	if !ok {
		return false
	}
	r, ok := c.right.value(e)
	return ok && c.order.has(bytes.Compare(l, r))
}

func (c *compareLabel) holds(e *trace.Event, time int64) bool {
	v, ok := c.value(e, time)
	if !ok {
		return false
	}
	for i := range c.accepted {
		if c.says(&c.accepted[i], v) {
			return !c.negate
		}
	}
	return c.negate
}

// says reports whether a label is one of v.
func (c *compareLabel) says(m *trace.Mapping, v number) bool {
	switch {
	case c.flags:
		return v.bits>>uint64(m.Low)&(2<<uint64(m.High-m.Low)-1) != 0
	case v.form == signed:
		return m.Low <= int64(v.bits) && int64(v.bits) <= m.High
	}
	return uint64(m.Low) <= v.bits && v.bits <= uint64(m.High)
}

func (c *fitText) holds(e *trace.Event, _ int64) bool {
	text, ok := c.text.value(e)
	return ok && c.glob.Match(text) != c.negate
}
