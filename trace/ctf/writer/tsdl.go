package writer

import (
	"encoding/binary"
	"fmt"
	"strings"

	"synchroscope/trace"
	"synchroscope/trace/ctf/schema"
)

// TSDL returns the metadata of a trace in the language of CTF 1.8, as plain text. All types
// are written out where they are used. It fails where the language has no words for a
// type, a name or a role: roles are expressed by reserved names alone.
func TSDL(t *schema.Trace) ([]byte, error) {
	p := &tsdlPrinter{big: t.BigEndian}
	if t.Verbatim {
		p.fail("names have no underscore before them, by which roles are told from other names")
	}
	p.line("/* CTF 1.8 */")
	p.line("")
	p.open("trace {")
	p.line("major = 1;")
	p.line("minor = 8;")
	if t.UUID != "" {
		p.line("uuid = %s;", quote(t.UUID))
	}
	p.line("byte_order = %s;", order(t.BigEndian))
	p.scope("packet.header", t.PacketHeader, packetHeaderRoles)
	p.close("};")
	if len(t.Env) > 0 {
		p.open("env {")
		for _, v := range t.Env {
			p.ident("environment variable", v.Name)
			if v.IsNumber {
				p.line("%s = %d;", v.Name, v.Number)
			} else {
				p.line("%s = %s;", v.Name, quote(v.Text))
			}
		}
		p.close("};")
	}
	for _, c := range t.Clocks {
		p.clock(c)
	}
	for _, s := range t.Streams {
		p.stream(s, len(t.Streams) > 1 || t.PacketHeader != nil)
	}
	if p.err != nil {
		return nil, p.err
	}
	return []byte(p.out.String()), nil
}

// In CTF 1.8 the reserved names of fields say what they are for.
var (
	packetHeaderRoles = map[string]trace.Role{
		"magic": trace.Magic, "uuid": trace.TraceID, "stream_id": trace.StreamClass, "stream_instance_id": trace.StreamInstance,
	}
	packetContextRoles = map[string]trace.Role{
		"packet_size": trace.PacketSize, "content_size": trace.ContentSize,
		"timestamp_begin": trace.PacketBegin, "timestamp_end": trace.PacketEnd,
		"events_discarded": trace.Discarded, "packet_seq_num": trace.Sequence, "cpu_id": trace.CPU,
	}
	eventHeaderRoles = map[string]trace.Role{"id": trace.EventClass, "timestamp": trace.Timestamp}
)

type tsdlPrinter struct {
	out    strings.Builder
	indent int
	big    bool
	roles  map[string]trace.Role // of the scope that is being written; nil where there are none
	err    error
}

func (p *tsdlPrinter) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf("CTF 1.8: "+format, args...)
	}
}

func (p *tsdlPrinter) line(format string, args ...any) {
	for range p.indent {
		p.out.WriteByte('\t')
	}
	fmt.Fprintf(&p.out, format, args...)
	p.out.WriteByte('\n')
}

func (p *tsdlPrinter) open(s string)  { p.line("%s", s); p.indent++ }
func (p *tsdlPrinter) close(s string) { p.indent--; p.line("%s\n", s) }

func order(big bool) string {
	if big {
		return "be"
	}
	return "le"
}

func (p *tsdlPrinter) clock(c schema.Clock) {
	p.ident("clock", c.Name)
	p.open("clock {")
	p.line("name = %s;", quote(c.Name))
	if c.UUID != "" {
		p.line("uuid = %s;", quote(c.UUID))
	}
	if c.Description != "" {
		p.line("description = %s;", quote(c.Description))
	}
	p.line("freq = %d;", c.Frequency)
	if c.Seconds != 0 {
		p.line("offset_s = %d;", c.Seconds)
	}
	p.line("offset = %d;", c.Offset)
	if c.Precision != 0 {
		p.line("precision = %d;", c.Precision)
	}
	if c.Absolute {
		p.line("absolute = TRUE;")
	}
	p.close("};")
}

func (p *tsdlPrinter) stream(s *schema.Stream, id bool) {
	p.open("stream {")
	if id {
		p.line("id = %d;", s.ID)
	}
	p.scope("packet.context", s.PacketContext, packetContextRoles)
	p.scope("event.header", s.EventHeader, eventHeaderRoles)
	p.scope("event.context", s.EventContext, nil)
	p.close("};")
	for _, e := range s.Events {
		p.open("event {")
		p.line("name = %s;", quote(e.Name))
		p.line("id = %d;", e.ID)
		if id {
			p.line("stream_id = %d;", s.ID)
		}
		p.scope("context", e.Context, nil)
		p.scope("fields", e.Payload, nil)
		p.close("};")
	}
}

func (p *tsdlPrinter) scope(name string, t *trace.Type, roles map[string]trace.Role) {
	if t == nil {
		return
	}
	p.roles = roles
	text := p.typ(t)
	p.line("%s := %s;", name, text)
}

// keywords of the language, which no field can be called.
var keywords = map[string]bool{}

func init() {
	for w := range strings.FieldsSeq(`align callsite clock const char double enum env event floating_point float integer int
		long short signed stream string struct trace typealias typedef unsigned variant void _Bool _Complex _Imaginary volatile`) {
		keywords[w] = true
	}
}

// ident checks that s is a name in the language.
func (p *tsdlPrinter) ident(what, s string) {
	for i, c := range []byte(s) {
		if c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' || i > 0 && '0' <= c && c <= '9' {
			continue
		}
		p.fail("%s %q is no name in the metadata language", what, s)
	}
	if s == "" || keywords[s] {
		p.fail("%s %q is no name in the metadata language", what, s)
	}
}

// quote writes a string literal, with the escapes of C.
func quote(s string) string {
	b := []byte{'"'}
	for _, c := range []byte(s) {
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c < ' ' || c == 0x7f:
			b = fmt.Appendf(b, "\\%03o", c)
		default:
			b = append(b, c)
		}
	}
	return string(append(b, '"'))
}

// Packetize puts metadata text into packets, as LTTng writes it.
func Packetize(t *schema.Trace, text []byte) []byte {
	const (
		magic   = 0x75d11d57
		header  = 37   // bytes
		content = 4096 // bytes, with the header
	)
	id, _ := parseUUID(t.UUID)
	var order binary.AppendByteOrder = binary.LittleEndian
	if t.BigEndian {
		order = binary.BigEndian
	}
	var b []byte
	for first := true; first || len(text) > 0; first = false {
		n := min(len(text), content-header)
		b = order.AppendUint32(b, magic)
		b = append(b, id[:]...)
		b = order.AppendUint32(b, 0) // no checksum
		b = order.AppendUint32(b, uint32(header+n)*8)
		b = order.AppendUint32(b, content*8)
		b = append(b, 0, 0, 0, 1, 8) // no compression, encryption and checksum; version 1.8
		b = append(b, text[:n]...)
		b = append(b, make([]byte, content-header-n)...)
		text = text[n:]
	}
	return b
}
