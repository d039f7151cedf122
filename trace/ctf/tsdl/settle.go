package tsdl

import (
	"slices"

	"synchroscope/trace"
	"synchroscope/trace/ctf/schema"
)

// settle puts in place what is known only at the end.
func (p *parser) settle() {
	if p.traceAt.text == "" {
		p.fail(p.tok, "the metadata has no trace block")
	}
	for t := range p.native {
		t.BigEndian = p.out.BigEndian
	}
	byID := make(map[uint64]*schema.Stream)
	for _, s := range p.streams {
		if byID[s.ID] != nil {
			p.fail(s.at, "stream %d is declared twice", s.ID)
		}
		byID[s.ID] = s.Stream
		p.out.Streams = append(p.out.Streams, s.Stream)
	}
	if len(p.streams) == 0 && len(p.events) > 0 && !p.events[0].explicit {
		s := &schema.Stream{}
		byID[s.ID] = s
		p.out.Streams = append(p.out.Streams, s)
	}
	for _, m := range p.mapped {
		if !p.hasClock(m.clock) {
			p.fail(m.at, "clock %q is not declared", m.clock)
		}
	}
	p.unused()
	AssignRoles(p.out)
	p.checkHeader()
	p.checkStreams()
	p.place(byID)
}

// unused refuses the first of the sequences of which nobody can say how long they are.
func (p *parser) unused() {
	var first *token
	for _, at := range p.lengths {
		if first == nil || at.line < first.line || at.line == first.line && at.col < first.col {
			first = &at
		}
	}
	if first != nil {
		p.fail(*first, "no field %q stands before it, and the sequence is used nowhere that has one", first.text)
	}
}

// checkHeader refuses a packet header that begins no packet there can be.
func (p *parser) checkHeader() {
	if p.out.PacketHeader == nil {
		return
	}
	for _, m := range p.out.PacketHeader.Members {
		switch t := m.Type; m.Name {
		case "magic":
			if t.Kind != trace.Integer || t.Size != 32 {
				p.fail(p.traceAt, "the magic number of the packet header must be an integer of 32 bits")
			}
		case "uuid":
			if t.Kind != trace.Array || t.Ref != nil || t.Count != 16 || t.Elem.Kind != trace.Integer || t.Elem.Size != 8 {
				p.fail(p.traceAt, "the uuid of the packet header must be an array of 16 integers of 8 bits")
			}
		case "stream_id":
			if t.Kind != trace.Integer {
				p.fail(p.traceAt, "the stream_id of the packet header must be an integer")
			}
		}
	}
}

// checkStreams refuses streams that packets cannot say they belong to.
func (p *parser) checkStreams() {
	if len(p.streams) < 2 || tells(p.out.PacketHeader) {
		return
	}
	s := p.streams[1]
	p.fail(s.at, "stream %d cannot be told from stream %d: the packet header has no stream_id", s.ID, p.streams[0].ID)
}

// tells reports whether a packet header says which stream it is of.
func tells(t *trace.Type) bool {
	return t != nil && slices.ContainsFunc(t.Members, func(m trace.Member) bool {
		return m.Role&trace.StreamClass != 0 || tells(m.Type)
	})
}

// AssignRoles gives the fields of packet headers, packet contexts and event headers
// the roles that their names stand for in CTF 1.8.
func AssignRoles(t *schema.Trace) {
	assign(t.PacketHeader, packetHeaderRoles, make(map[*trace.Type]bool))
	for _, s := range t.Streams {
		assign(s.PacketContext, packetContextRoles, make(map[*trace.Type]bool))
		assign(s.EventHeader, eventHeaderRoles, make(map[*trace.Type]bool))
	}
}

// place gives each event to its stream.
func (p *parser) place(byID map[uint64]*schema.Stream) {
	type key struct{ stream, event uint64 }
	seen := make(map[key]bool)
	for _, e := range p.events {
		if !e.explicit {
			if len(p.out.Streams) > 1 {
				p.fail(e.at, "event %q names no stream, and there are %d", e.Name, len(p.out.Streams))
			}
			e.stream = p.out.Streams[0].ID
		}
		s := byID[e.stream]
		if s == nil {
			p.fail(e.at, "event %q belongs to stream %d, which is not declared", e.Name, e.stream)
		}
		if seen[key{e.stream, e.ID}] {
			p.fail(e.at, "event %d of stream %d is declared twice", e.ID, e.stream)
		}
		seen[key{e.stream, e.ID}] = true
		s.Events = append(s.Events, e.Event)
	}
}

// In CTF 1.8 the reserved names of fields say what they are for.
var (
	packetHeaderRoles = map[string]trace.Role{
		"magic":              trace.Magic,
		"uuid":               trace.TraceID,
		"stream_id":          trace.StreamClass,
		"stream_instance_id": trace.StreamInstance,
	}
	packetContextRoles = map[string]trace.Role{
		"packet_size":      trace.PacketSize,
		"content_size":     trace.ContentSize,
		"timestamp_begin":  trace.PacketBegin,
		"timestamp_end":    trace.PacketEnd,
		"events_discarded": trace.Discarded,
		"packet_seq_num":   trace.Sequence,
		"cpu_id":           trace.CPU,
		"_cpu_id":          trace.CPU, // as babeltrace2 copies it, which does not take it for a name of the format's own
	}
	eventHeaderRoles = map[string]trace.Role{
		"id":        trace.EventClass,
		"timestamp": trace.Timestamp,
	}
)

// assign gives roles to the members of a scope, in nested structs and options too.
// A type that is used twice is visited once.
func assign(t *trace.Type, roles map[string]trace.Role, seen map[*trace.Type]bool) {
	if t == nil || seen[t] {
		return
	}
	seen[t] = true
	for i := range t.Members {
		m := &t.Members[i]
		role := roles[m.Name]
		switch {
		case role != 0 && m.Type.Kind == trace.Array == (role == trace.TraceID) && (m.Type.Kind == trace.Array || m.Type.Kind == trace.Integer):
			m.Role = role
		case m.Type.Kind != trace.Array:
			assign(m.Type, roles, seen)
		}
	}
}
