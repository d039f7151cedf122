package tsdl

import (
	"synchroscope/trace"
)

// tagged reads the optional tag and body of a struct, variant or enum, and declares it.
func (p *parser) tagged(at token, tag string, body func() *trace.Type) *trace.Type {
	n := name{tag: tag}
	if p.tok.kind == tokIdent {
		n.text = p.newName(tag).text
	}
	t := body()
	switch {
	case t != nil && n.text != "":
		p.declare(at, n, t)
	case t == nil && n.text == "":
		p.fail(p.tok, "expected { and the body of the %s, found %s", tag, p.tok)
	case t == nil:
		if t = p.scope.find(n); t == nil {
			p.fail(at, "%q is not declared", n.String())
		}
	}
	return t
}

// structType reads what stands behind the word struct.
func (p *parser) structType(at token) *trace.Type {
	return p.tagged(at, "struct", func() *trace.Type {
		if !p.is("{") {
			return nil
		}
		members := p.members()
		align := uint32(1)
		if p.accept("align") {
			p.expect("(", "behind align")
			a := attribute{at: p.tok, key: "align"}
			p.constantInt(&a)
			align = p.alignment(a)
			p.expect(")", "behind the alignment")
		}
		return trace.NewStruct(align, members)
	})
}

func (p *parser) constantInt(a *attribute) {
	a.negative = p.accept("-")
	if p.tok.kind != tokInt {
		p.fail(p.tok, "expected an integer, found %s", p.tok)
	}
	a.kind, a.value = valInt, p.advance().value
}

// members reads the body of a struct or variant.
func (p *parser) members() []trace.Member {
	p.expect("{", "at the beginning of the body")
	p.scope = newScope(p.scope)
	defer func() { p.scope = p.scope.outer }()
	var members []trace.Member
	twice := make(map[string]bool)
	for !p.accept("}") {
		if p.accept(";") {
			continue
		}
		if p.is("typealias") || p.is("typedef") {
			p.declaration()
			continue
		}
		t := p.declaredType()
		for {
			at, n, full := p.declarator(t)
			if twice[n] {
				p.fail(at, "a second field is called %q", n)
			}
			twice[n] = true
			p.checkSelector(at, members, full)
			members = append(members, trace.Member{Name: n, Type: full})
			if !p.accept(",") {
				p.expect(";", "behind a field")
				break
			}
		}
	}
	return members
}

// checkSelector refuses, where it is declared, a variant without a selector, and one whose
// selector is a sibling of the wrong kind.
// All else about references is known only when an event is laid out.
func (p *parser) checkSelector(at token, before []trace.Member, t *trace.Type) {
	for t.Kind == trace.Array {
		t = t.Elem
	}
	if t.Kind == trace.Variant && t.Ref == nil {
		p.fail(at, "variant %q has no selector: expected variant NAME <FIELD>", at.text)
	}
	if t.Kind != trace.Variant || t.Ref.Scope != trace.Lexical || len(t.Ref.Path) != 1 {
		return
	}
	for _, m := range before {
		if m.Name != t.Ref.Path[0] {
			continue
		}
		if m.Type.Kind != trace.Integer || m.Type.Labels == nil {
			p.fail(at, "the selector %q of variant %q is not an enumeration", m.Name, at.text)
		}
		if !anyLabel(m.Type.Labels, t.Members) {
			p.fail(at, "no label of the selector %q names an option of variant %q", m.Name, at.text)
		}
	}
}

func anyLabel(labels []trace.Mapping, options []trace.Member) bool {
	names := make(map[string]bool, len(options))
	for _, o := range options {
		names[o.Name] = true
	}
	for _, l := range labels {
		if names[l.Label] {
			return true
		}
	}
	return false
}

// variantType reads what stands behind the word variant. A variant declared
// without a selector gets it where it is used.
func (p *parser) variantType(at token) *trace.Type {
	var ref *trace.Ref
	selector := func() {
		if p.accept("<") {
			ref = p.reference("a selector")
			p.expect(">", "behind the selector")
		}
	}
	t := p.tagged(at, "variant", func() *trace.Type {
		selector()
		if !p.is("{") {
			return nil
		}
		members := p.members()
		if len(members) == 0 {
			p.fail(at, "a variant has no options")
		}
		return &trace.Type{Kind: trace.Variant, Align: 1, Members: members}
	})
	if ref == nil {
		selector()
	}
	if ref == nil {
		return t
	}
	chosen := *t
	chosen.Ref = ref
	return &chosen
}

// enumType reads what stands behind the word enum.
func (p *parser) enumType(at token) *trace.Type {
	return p.tagged(at, "enum", func() *trace.Type {
		container := p.scope.find(name{text: "int"})
		begin := p.tok
		if p.accept(":") {
			begin = p.tok
			container = p.declaredType()
		}
		if !p.is("{") {
			return nil
		}
		if container == nil || container.Kind != trace.Integer || container.Labels != nil {
			p.fail(begin, "the values of an enumeration must be integers")
		}
		t := p.derive(container)
		p.advance()
		e := enumerators{p: p, t: t}
		for !p.accept("}") {
			e.read()
			if !p.accept(",") {
				p.expect("}", "or a comma behind a label")
				break
			}
		}
		if len(t.Labels) == 0 {
			p.fail(at, "an enumeration has no labels")
		}
		return t
	})
}

// derive copies an integer type; the byte order of the copy follows the trace's if that of t does.
func (p *parser) derive(t *trace.Type) *trace.Type {
	d := *t
	d.Labels = nil
	if p.native[t] {
		p.native[&d] = true
	}
	return &d
}

// enumerators reads labels and the values they cover.
type enumerators struct {
	p    *parser
	t    *trace.Type
	next int64 // for a label without a value
	over bool  // there is no such value
}

func (e *enumerators) read() {
	p, at := e.p, e.p.tok
	m := trace.Mapping{Low: e.next, High: e.next}
	if p.tok.kind == tokString {
		m.Label = p.advance().text
	} else {
		m.Label = p.ident("a label or }").text
	}
	if p.accept("=") {
		m.Low = e.value()
		m.High = m.Low
		if p.accept("...") {
			m.High = e.value()
		}
	} else if e.over {
		p.fail(at, "no value is left for label %q", m.Label)
	} else {
		e.check(at, e.next)
	}
	if e.t.Signed && m.Low > m.High || !e.t.Signed && uint64(m.Low) > uint64(m.High) {
		p.fail(at, "the range of label %q ends before it begins", m.Label)
	}
	e.next = m.High + 1
	e.over = e.t.Signed && e.next < m.High || !e.t.Signed && e.next == 0
	e.t.Labels = append(e.t.Labels, m)
}

// value reads an integer that the type can hold, in two's complement.
func (e *enumerators) value() int64 {
	a := attribute{at: e.p.tok, key: "a value"}
	negative := false
	for e.p.is("-") || e.p.is("+") {
		negative = negative != (e.p.advance().text == "-")
	}
	e.p.constantInt(&a)
	a.negative = negative
	if e.t.Signed || negative {
		v := e.p.signed(a)
		if !e.t.Signed && v < 0 {
			e.p.fail(a.at, "the value %d has a sign, its type has none", v)
		}
		e.check(a.at, v)
		return v
	}
	e.check(a.at, int64(a.value))
	return int64(a.value)
}

func (e *enumerators) check(at token, v int64) {
	drop := 64 - e.t.Size
	if e.t.Signed && v<<drop>>drop != v || !e.t.Signed && uint64(v)<<drop>>drop != uint64(v) {
		e.p.fail(at, "the value does not fit into %d bits", e.t.Size)
	}
}
