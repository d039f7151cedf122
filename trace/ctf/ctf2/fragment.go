package ctf2

import (
	"math"
	"strings"

	"synchroscope/trace"
	"synchroscope/trace/ctf/schema"
)

var fragments map[string]func(*parser, *value)

func init() {
	fragments = map[string]func(*parser, *value){
		"preamble":           (*parser).preamble,
		"field-class-alias":  (*parser).alias,
		"trace-class":        (*parser).trace,
		"clock-class":        (*parser).clock,
		"data-stream-class":  (*parser).stream,
		"event-record-class": (*parser).event,
	}
}

const fragmentTypes = "preamble, field-class-alias, trace-class, clock-class, data-stream-class, event-record-class"

func (p *parser) fragment(v *value) {
	if v.kind != object {
		v.expect("an object: a fragment")
	}
	t := v.need("type")
	read := fragments[t.string()]
	if read == nil {
		t.expect("one of " + fragmentTypes)
	}
	p.kind = t.text
	v.extras()
	switch first := p.kind == "preamble"; {
	case p.number == 1 && !first:
		v.fail("the first fragment must be the preamble")
	case p.number > 1 && first:
		v.fail("a second preamble")
	}
	read(p, v)
}

func (p *parser) preamble(v *value) {
	version := v.need("version")
	if version.unsigned(0, math.MaxUint64) != 2 {
		version.fail("version %s of the format is not CTF 2", version.text)
	}
	if u := v.get("uuid"); u != nil {
		p.out.UUID = u.uuid()
	}
}

func (p *parser) alias(v *value) {
	name := v.need("name")
	if _, ok := p.aliases[name.string()]; ok {
		name.fail("a second field class alias %q", name.text)
	}
	p.aliases[name.text] = p.class(v.need("field-class"))
}

func (p *parser) trace(v *value) {
	switch {
	case p.begun:
		v.fail("a second trace class")
	case len(p.out.Streams) > 0:
		v.fail("the trace class must stand before the data stream classes")
	}
	p.begun, p.out.Place = true, v.where()
	if env := v.get("environment"); env != nil {
		env.isNot(object)
		for i, e := range env.all() {
			p.out.Env = append(p.out.Env, variable(env.keys[i], e))
		}
	}
	p.out.PacketHeader = p.scope(v, "packet-header-field-class")
	if h := p.out.PacketHeader; h != nil {
		p.checkHeader(v.get("packet-header-field-class"), h)
	}
}

// variable reads an entry of the environment.
func variable(name string, v *value) schema.Var {
	switch v.kind {
	case text:
		return schema.Var{Name: name, Text: v.text}
	case integer:
		return schema.Var{Name: name, Number: v.signed(), IsNumber: true}
	}
	v.expect("a string or an integer")
	return schema.Var{}
}

// checkHeader refuses what the roles of a packet header say that cannot be so.
func (p *parser) checkHeader(v *value, t *trace.Type) {
	for i, m := range t.Members {
		if m.Role&trace.Magic != 0 && i > 0 {
			v.fail("the magic number %q must be the first member of the packet header", m.Name)
		}
	}
	if p.out.UUID == "" && has(t, trace.TraceID, make(map[*trace.Type]bool)) {
		v.fail("a field has the role metadata-stream-uuid, and the preamble has no uuid")
	}
}

func (p *parser) clock(v *value) {
	c := schema.Clock{Namespace: v.optional("namespace"), Label: v.optional("name"), UID: v.optional("uid"), Description: v.optional("description")}
	id := v.first("id", "name") // before SPECRC-8.0 the name was the id
	if id == nil {
		v.need("id")
	}
	c.Name = id.string()
	for _, other := range p.out.Clocks {
		if other.Name == c.Name {
			id.fail("a second clock class %q", c.Name)
		}
	}
	c.Frequency = v.need("frequency").unsigned(1, math.MaxUint64)
	c.Precision, c.Accuracy = v.number("precision", 0), v.number("accuracy", 0)
	if u := v.get("uuid"); u != nil {
		c.UUID = u.uuid()
	} else if isUUID(c.UID) {
		c.UUID = strings.ToLower(c.UID)
	}
	c.Absolute = p.origin(v)
	if o := v.first("offset-from-origin", "offset"); o != nil {
		if s := o.get("seconds"); s != nil {
			c.Seconds = s.signed()
		}
		if n := o.get("cycles"); n != nil {
			if c.Offset = int64(n.unsigned(0, math.MaxInt64)); uint64(c.Offset) >= c.Frequency {
				n.fail("expected fewer cycles than the clock has in a second (%d), found %d", c.Frequency, c.Offset)
			}
		}
	}
	p.out.Clocks = append(p.out.Clocks, c)
}

// origin reports whether the clock counts from the beginning of 1970. Any other
// origin is an identity, which says that clocks with the same one can be compared.
func (p *parser) origin(v *value) bool {
	o := v.get("origin")
	switch {
	case o == nil:
		return false
	case o.kind == text:
		o.oneOf("unix-epoch")
		return true
	case o.kind != object:
		o.expect(`"unix-epoch" or an object with the name and the uid of an origin`)
	}
	o.optional("namespace")
	o.need("name").string()
	o.need("uid").string()
	return false
}

func (p *parser) stream(v *value) {
	s := &schema.Stream{Place: v.where(), ID: v.number("id", 0)}
	if p.streams[s.ID] != nil {
		v.fail("a second data stream class %d", s.ID)
	}
	if c := v.first("default-clock-class-id", "default-clock-class-name"); c != nil {
		if s.Clock = c.string(); !p.hasClock(s.Clock) {
			c.fail("clock class %q is not declared", s.Clock)
		}
		s.HasClock = true
	}
	s.PacketContext = p.scope(v, "packet-context-field-class")
	s.EventHeader = p.scope(v, "event-record-header-field-class")
	s.EventContext = p.scope(v, "event-record-common-context-field-class")
	const stamps = trace.PacketBegin | trace.PacketEnd | trace.Timestamp
	for i, t := range []*trace.Type{s.PacketContext, s.EventHeader} {
		if !s.HasClock && has(t, stamps, make(map[*trace.Type]bool)) {
			key := []string{"packet-context-field-class", "event-record-header-field-class"}[i]
			v.get(key).fail("a field holds a time of the default clock, and the data stream class has no default-clock-class-id")
		}
	}
	p.out.Streams = append(p.out.Streams, s)
	p.streams[s.ID] = &stream{s, make(map[uint64]bool)}
}

func (p *parser) hasClock(id string) bool {
	for _, c := range p.out.Clocks {
		if c.Name == id {
			return true
		}
	}
	return false
}

func (p *parser) event(v *value) {
	id := v.number("data-stream-class-id", 0)
	s := p.streams[id]
	if s == nil {
		v.fail("the event record class belongs to data stream class %d, which is not declared before it", id)
	}
	e := &schema.Event{Place: v.where(), ID: v.number("id", 0), Name: v.optional("name")}
	if s.ids[e.ID] {
		v.fail("a second event record class %d in data stream class %d", e.ID, id)
	}
	s.ids[e.ID] = true
	if e.Name == "" {
		e.Name = nameless(v, e.ID)
	}
	e.Context = p.scope(v, "specific-context-field-class")
	e.Payload = p.scope(v, "payload-field-class")
	s.Events = append(s.Events, e)
}
