package writer

import (
	"fmt"
	"strings"

	"synchroscope/trace"
)

// typ writes a type out.
func (p *tsdlPrinter) typ(t *trace.Type) string {
	switch {
	case p.err != nil:
		return ""
	case t.Kind == trace.Integer && !t.Reversed && !t.Variable && (!t.Text || t.Encoding == trace.UTF8):
		return p.integer(t)
	case t.Kind == trace.Float && !t.Reversed:
		digits := map[uint32][2]int{16: {5, 11}, 32: {8, 24}, 64: {11, 53}}[t.Size]
		return fmt.Sprintf("floating_point { exp_dig = %d; mant_dig = %d; align = %d;%s }", digits[0], digits[1], max(t.Align, 1), p.order(t))
	case t.Kind == trace.String && t.Encoding == trace.UTF8:
		return "string"
	case t.Kind == trace.Struct:
		least := uint32(1)
		for _, m := range t.Members {
			least = max(least, m.Type.Align)
		}
		s := "struct " + p.members(t.Members)
		if t.Align > least {
			s += fmt.Sprintf(" align(%d)", t.Align)
		}
		return s
	case t.Kind == trace.Variant && t.Ref != nil:
		if len(t.Members) == 0 {
			p.fail("a variant has no options")
		}
		for _, m := range t.Members {
			if m.Select != nil {
				p.fail("option %q of a variant is selected by numbers instead of a label", m.Name)
			}
		}
		return fmt.Sprintf("variant <%s> %s", p.ref(t.Ref), p.members(t.Members))
	}
	p.fail("there is no type like %s", describe(t))
	return ""
}

// describe names a type in messages.
func describe(t *trace.Type) string {
	names := map[trace.Kind]string{
		trace.Integer: "an integer of that form", trace.Float: "a floating point number of that form", trace.String: "a string in " + t.Encoding.String(),
		trace.Array: "an array of this place", trace.Variant: "a variant without selector", trace.Optional: "an optional",
		trace.Boolean: "a boolean", trace.BitMap: "a bit map",
	}
	if s := names[t.Kind]; s != "" {
		return s
	}
	return "one without a kind"
}

func (p *tsdlPrinter) order(t *trace.Type) string {
	if t.BigEndian != p.big {
		return fmt.Sprintf(" byte_order = %s;", order(t.BigEndian))
	}
	return ""
}

func (p *tsdlPrinter) integer(t *trace.Type) string {
	var b strings.Builder
	fmt.Fprintf(&b, "integer { size = %d; align = %d;", t.Size, max(t.Align, 1))
	if t.Signed {
		b.WriteString(" signed = true;")
	}
	if t.Base != 0 && t.Base != 10 {
		fmt.Fprintf(&b, " base = %d;", t.Base)
	}
	if t.Text {
		b.WriteString(" encoding = UTF8;")
	}
	b.WriteString(p.order(t))
	if t.Clock != "" {
		fmt.Fprintf(&b, " map = clock.%s.value;", t.Clock)
	}
	b.WriteString(" }")
	if len(t.Labels) == 0 {
		return b.String()
	}
	container := b.String()
	b.Reset()
	fmt.Fprintf(&b, "enum : %s {", container)
	value := func(v int64) string {
		if t.Signed {
			return fmt.Sprint(v)
		}
		return fmt.Sprint(uint64(v))
	}
	for i, l := range t.Labels {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, " %s = %s", quote(l.Label), value(l.Low))
		if l.High != l.Low {
			fmt.Fprintf(&b, " ... %s", value(l.High))
		}
	}
	b.WriteString(" }")
	return b.String()
}

func (p *tsdlPrinter) members(members []trace.Member) string {
	var b strings.Builder
	b.WriteByte('{')
	for _, m := range members {
		p.ident("field", m.Name)
		if m.Type.Kind != trace.Struct && m.Type.Kind != trace.Variant && m.Role != p.role(m) {
			p.fail("field %q has a role that its name does not say", m.Name)
		}
		t, dims := p.dimensions(m.Type)
		fmt.Fprintf(&b, " %s %s%s;", p.typ(t), m.Name, dims)
	}
	b.WriteString(" }")
	return b.String()
}

// role is what the name of a field means where it stands.
func (p *tsdlPrinter) role(m trace.Member) trace.Role {
	if m.Type.Kind != trace.Integer && m.Type.Kind != trace.Array {
		return trace.NoRole
	}
	return p.roles[m.Name]
}

// dimensions takes the arrays off a type; they are written behind the name.
func (p *tsdlPrinter) dimensions(t *trace.Type) (*trace.Type, string) {
	dims := ""
	for t.Kind == trace.Array && t.Elem != nil {
		if t.Align > max(t.Elem.Align, 1) && t.Ref == nil && t.Count > 8 && t.Elem.Kind == trace.Integer && t.Elem.Size == 8 && !t.Elem.Text {
			// What is wider than 64 bits is bytes to the reader, and has an alignment of its own.
			wide := *t.Elem
			wide.Size, wide.Align = 8*uint32(t.Count), t.Align
			return &wide, dims
		}
		if max(t.Align, 1) != max(t.Elem.Align, 1) {
			p.fail("an array is aligned to %d bits, its elements to %d", t.Align, max(t.Elem.Align, 1))
			return t.Elem, dims
		}
		if t.Ref != nil {
			dims += fmt.Sprintf("[%s]", p.ref(t.Ref))
		} else {
			dims += fmt.Sprintf("[%d]", t.Count)
		}
		t = t.Elem
	}
	return t, dims
}

var scopePaths = map[trace.Scope]string{
	trace.PacketHeader: "trace.packet.header.", trace.PacketContext: "stream.packet.context.", trace.EventHeader: "stream.event.header.",
	trace.StreamContext: "stream.event.context.", trace.EventContext: "event.context.", trace.Payload: "event.fields.",
}

func (p *tsdlPrinter) ref(r *trace.Ref) string {
	if r.Located && (r.Scope == trace.Lexical && r.Up > 0) {
		p.fail("a length or a selector is found by going out %d structs", r.Up)
	}
	for _, name := range r.Path {
		p.ident("field", name)
	}
	return scopePaths[r.Scope] + strings.Join(r.Path, ".")
}
