package ctf2

import (
	"strconv"

	"synchroscope/trace"
)

func (p *parser) structure(v *value) class {
	var members []trace.Member
	if list := v.get("member-classes"); list != nil {
		names := make(map[string]bool)
		for _, m := range list.list() {
			if m.kind != object {
				m.expect("an object: a member class")
			}
			m.extras()
			name := m.need("name")
			if names[name.string()] {
				name.fail("a second member %q", name.text)
			}
			names[name.text] = true
			c := p.class(m.need("field-class"))
			members = append(members, trace.Member{Name: name.text, Type: c.typ, Role: c.roles | byName(name.text, c.typ)})
		}
	}
	return class{typ: trace.NewStruct(v.alignment("minimum-alignment"), members)}
}

// byName gives the role for which there is none in the format: tracers call
// the CPU that recorded a packet cpu_id. It counts in packet contexts only.
func byName(name string, t *trace.Type) trace.Role {
	if name == "cpu_id" && t.Kind == trace.Integer {
		return trace.CPU
	}
	return 0
}

func (p *parser) array(v *value) class {
	t := p.counted(v, p.class(v.need("element-field-class")).typ)
	t.Align = max(t.Align, v.alignment("minimum-alignment"))
	return class{typ: t}
}

func (p *parser) optional(v *value) class {
	c := p.class(v.need("field-class"))
	t := &trace.Type{Kind: trace.Optional, Elem: c.typ, Ref: location(v.need("selector-field-location"))}
	if r := v.get("selector-field-ranges"); r != nil {
		s := ranges(r)
		t.Select, t.Negative, t.Above = s.list, s.negative, s.above
	}
	return class{t, c.roles}
}

func (p *parser) variant(v *value) class {
	t := &trace.Type{Kind: trace.Variant, Align: 1, Ref: location(v.need("selector-field-location"))}
	options := v.need("options")
	names := make(map[string]bool)
	for i, o := range options.list() {
		if o.kind != object {
			o.expect("an object: an option")
		}
		o.extras()
		m := trace.Member{Name: strconv.Itoa(i)}
		if n := o.get("name"); n != nil {
			m.Name = n.string()
		}
		if names[m.Name] {
			o.fail("a second option %q", m.Name)
		}
		names[m.Name] = true
		c := p.class(o.need("field-class"))
		s := ranges(o.need("selector-field-ranges"))
		m.Type, m.Role, m.Select = c.typ, c.roles, s.list
		t.Negative, t.Above = t.Negative || s.negative, t.Above || s.above
		t.Members = append(t.Members, m)
	}
	if len(t.Members) == 0 {
		options.fail("expected at least one option")
	}
	if t.Negative && t.Above {
		options.fail("no integer of 64 bits selects all these options")
	}
	if a, b, found := overlap(t.Members, t.Above); found {
		options.fail("a value selects both %q and %q", a, b)
	}
	return class{typ: t}
}
