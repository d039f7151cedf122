package tsdl

import (
	"math"
	"slices"
	"strconv"

	"synchroscope/trace/ctf/schema"
)

func (p *parser) trace(at token) {
	if p.traceAt.text != "" {
		p.fail(at, "a second trace block")
	}
	p.traceAt, p.out.Place = at, at.place()
	given := make(map[string]bool)
	p.once(func(a attribute) {
		given[a.key] = true
		switch a.key {
		case "major":
			if v := p.unsigned(a); v != 1 {
				p.fail(a.at, "version %d of the format is not CTF 1", v)
			}
		case "minor":
			if v := p.unsigned(a); v > 8 {
				p.fail(a.at, "version 1.%d of the format is later than CTF 1.8", v)
			}
		case "uuid":
			p.out.UUID = p.uuid(a)
		case "byte_order":
			p.order = a.at
			order, ok := byteOrders[a.text]
			if !ok || order == orderNative || a.kind != valPath {
				p.fail(a.at, "byte_order of the trace must be le or be")
			}
			p.out.BigEndian = order == orderBig
		case "packet.header":
			p.out.PacketHeader = p.structure(a)
		}
	})
	for _, key := range []string{"major", "minor", "byte_order"} {
		if !given[key] {
			p.fail(at, "the trace block has no %s", key)
		}
	}
}

func (p *parser) env(token) {
	p.entries(func(a attribute) {
		switch a.kind {
		case valInt:
			p.out.Env = append(p.out.Env, variable(a))
		case valString, valPath:
			p.out.Env = append(p.out.Env, schema.Var{Name: a.key, Text: a.text})
		}
	})
}

// variable is an integer of the environment; one that int64 does not hold is text.
func variable(a attribute) schema.Var {
	v := schema.Var{Name: a.key, IsNumber: true}
	switch {
	case !a.negative && a.value <= math.MaxInt64:
		v.Number = int64(a.value)
		return v
	case a.negative && a.value <= 1<<63:
		v.Number = -int64(a.value)
		return v
	}
	sign := map[bool]string{true: "-"}[a.negative]
	return schema.Var{Name: a.key, Text: sign + strconv.FormatUint(a.value, 10)}
}

func (p *parser) clock(at token) {
	c := schema.Clock{Frequency: 1e9}
	p.once(func(a attribute) {
		switch a.key {
		case "name":
			c.Name = a.name()
		case "uuid":
			c.UUID = p.uuid(a)
		case "description":
			c.Description = a.text
		case "freq":
			if c.Frequency = p.unsigned(a); c.Frequency == 0 {
				p.fail(a.at, "a clock cannot run at 0 Hz")
			}
		case "offset_s":
			c.Seconds = p.signed(a)
		case "offset":
			c.Offset = p.signed(a)
		case "absolute":
			c.Absolute = p.boolean(a)
		}
	})
	if c.Name == "" {
		p.fail(at, "a clock has no name")
	}
	if p.hasClock(c.Name) {
		p.fail(at, "a second clock is called %q", c.Name)
	}
	p.out.Clocks = append(p.out.Clocks, c)
}

func (p *parser) hasClock(name string) bool {
	return slices.ContainsFunc(p.out.Clocks, func(c schema.Clock) bool { return c.Name == name })
}

func (p *parser) stream(at token) {
	s := &schema.Stream{Place: at.place()}
	p.once(func(a attribute) {
		switch a.key {
		case "id":
			s.ID = p.unsigned(a)
		case "packet.context":
			s.PacketContext = p.structure(a)
		case "event.header":
			s.EventHeader = p.structure(a)
		case "event.context":
			s.EventContext = p.structure(a)
		}
	})
	p.streams = append(p.streams, stream{at, s})
}

func (p *parser) event(at token) {
	e := event{at: at, Event: &schema.Event{Place: at.place()}}
	p.once(func(a attribute) {
		switch a.key {
		case "name":
			e.Name = a.name()
		case "id":
			e.ID = p.unsigned(a)
		case "stream_id":
			e.stream, e.explicit = p.unsigned(a), true
		case "context":
			e.Context = p.structure(a)
		case "fields":
			e.Payload = p.structure(a)
		}
	})
	if e.Name == "" {
		p.fail(at, "an event has no name")
	}
	p.events = append(p.events, e)
}

// callsite blocks say where in a program an event comes from; nothing here needs it.
func (p *parser) callsite(token) { p.entries(func(attribute) {}) }
