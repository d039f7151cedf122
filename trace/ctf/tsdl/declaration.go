package tsdl

import (
	"slices"
	"strings"

	"synchroscope/trace"
)

// The words of the language that no type, field length or selector can be called.
var reserved = map[string]bool{
	"align": true, "callsite": true, "clock": true, "enum": true, "env": true, "event": true,
	"floating_point": true, "integer": true, "stream": true, "string": true, "struct": true,
	"trace": true, "typealias": true, "typedef": true, "variant": true,
}

// The words of C that may stand together in the name of a type.
var cWords = map[string]bool{
	"void": true, "char": true, "short": true, "int": true, "long": true, "float": true, "double": true,
	"signed": true, "unsigned": true, "_Bool": true, "_Complex": true, "_Imaginary": true, "const": true, "volatile": true,
}

// specifier returns what reads a type that is written out behind the word, nil if the word begins none.
func specifier(word string) func(*parser, token) *trace.Type {
	switch word {
	case "struct":
		return (*parser).structType
	case "variant":
		return (*parser).variantType
	case "enum":
		return (*parser).enumType
	case "integer":
		return (*parser).integerType
	case "floating_point":
		return (*parser).floatType
	case "string":
		return (*parser).stringType
	}
	return nil
}

// declares reports whether what comes next is a declaration rather than an
// attribute of a block: "stream", "event" and "string" may begin both.
func (p *parser) declares() bool {
	if p.tok.kind != tokIdent {
		return false
	}
	switch p.tok.text {
	case "typealias", "typedef", "struct", "variant", "enum", "integer", "floating_point":
		return true
	}
	return false
}

// declaration reads a declaration that stands by itself; false if there is none.
func (p *parser) declaration() bool {
	if !p.declares() {
		return false
	}
	switch {
	case p.is("typealias"):
		p.advance()
		t := p.declaredType()
		p.expect(":=", "in a typealias")
		for p.accept("const") {
		}
		at := p.tok
		p.declare(at, name{text: p.namedType()}, t)
		p.expect(";", "behind a typealias")
	case p.is("typedef"):
		p.advance()
		t := p.declaredType()
		for {
			at, n, full := p.declarator(t)
			p.declare(at, name{text: n}, full)
			p.pending(t, full)
			if !p.accept(",") {
				break
			}
		}
		p.expect(";", "behind a typedef")
	default:
		p.declaredType()
		if specifier(p.tok.text) == nil || p.tok.kind != tokIdent { // several may stand in a row
			p.expect(";", "behind a declaration")
		}
	}
	return true
}

func (p *parser) typeWord() string {
	t := p.ident("the name of a type")
	if reserved[t.text] {
		p.fail(t, "%q is a word of the language and cannot name a type", t.text)
	}
	return t.text
}

// declaredType reads a type: written out, or by a name declared before.
func (p *parser) declaredType() *trace.Type {
	p.enter()
	defer p.leave()
	for p.accept("const") {
	}
	at := p.tok
	if at.kind != tokIdent {
		p.fail(at, "expected a type, found %s", at)
	}
	if f := specifier(at.text); f != nil {
		p.advance()
		t := f(p, at)
		for p.accept("const") {
		}
		return t
	}
	n := name{text: p.namedType()}
	t := p.scope.find(n)
	if t == nil {
		p.fail(at, "type %q is not declared", n.String())
	}
	delete(p.lengths, t)
	return t
}

// pending notes a sequence that is given a name where there are no fields: whether its length is one
// is known where it is used.
func (p *parser) pending(of, t *trace.Type) {
	if p.scope.outer != nil {
		return
	}
	for a := t; a != of && a.Kind == trace.Array; a = a.Elem {
		if a.Ref != nil && a.Ref.Scope == trace.Lexical {
			p.lengths[t] = token{text: strings.Join(a.Ref.Path, "."), line: a.Ref.Line, col: a.Ref.Column}
		}
	}
}

// newName reads the name that a declaration gives to a what.
func (p *parser) newName(what string) token {
	t := p.ident("the name of a " + what)
	if reserved[t.text] || cWords[t.text] {
		p.fail(t, "%q is a word of the language and cannot name a %s", t.text, what)
	}
	return t
}

// namedType reads the name of a type: one name, or as many words of C as follow.
func (p *parser) namedType() string {
	first := p.typeWord()
	words := []string{first}
	for cWords[first] && p.tok.kind == tokIdent && cWords[p.tok.text] {
		words = append(words, p.advance().text)
	}
	for p.accept("*") {
		words = append(words, "*")
	}
	return strings.Join(words, " ")
}

// declarator reads a name with the dimensions behind it, the outer one first.
func (p *parser) declarator(t *trace.Type) (token, string, *trace.Type) {
	at := p.newName("field or type")
	type dimension struct {
		count uint64
		ref   *trace.Ref
	}
	var dims []dimension
	for p.accept("[") {
		if len(dims) == maxNesting {
			p.fail(at, "%q has more than %d dimensions", at.text, maxNesting)
		}
		if p.tok.kind == tokInt {
			dims = append(dims, dimension{count: p.advance().value})
		} else if p.is("env") {
			dims = append(dims, dimension{count: p.variable()})
		} else {
			dims = append(dims, dimension{ref: p.reference("a length")})
		}
		p.expect("]", "behind the length")
	}
	for _, d := range slices.Backward(dims) {
		t = trace.NewArray(t, d.count, d.ref)
	}
	return at, at.text, t
}

// variable reads the name of an integer of the environment, env.NAME, and returns its value.
func (p *parser) variable() uint64 {
	at := p.tok
	path := p.path("a length")
	for _, v := range p.out.Env {
		if "env."+v.Name == path && v.IsNumber && v.Number >= 0 {
			return uint64(v.Number)
		}
	}
	p.fail(at, "%s is no integer of the environment declared before it", path)
	return 0
}

// Absolute references begin with the path of a scope. Those below the trace may be
// written with all that is above them: trace.stream.event.fields.
var scopePaths = []struct {
	path  []string
	scope trace.Scope
}{
	{[]string{"trace", "packet", "header"}, trace.PacketHeader},
	{[]string{"stream", "packet", "context"}, trace.PacketContext},
	{[]string{"stream", "event", "header"}, trace.EventHeader},
	{[]string{"stream", "event", "context"}, trace.StreamContext},
	{[]string{"event", "context"}, trace.EventContext},
	{[]string{"event", "fields"}, trace.Payload},
	{[]string{"stream", "event", "fields"}, trace.Payload},
}

// reference reads where a length or a selector is found.
func (p *parser) reference(what string) *trace.Ref {
	at := p.tok
	r := &trace.Ref{Line: at.line, Column: at.col, Path: strings.Split(p.path(what), ".")}
	if len(r.Path) > 2 && r.Path[0] == "trace" && r.Path[1] == "stream" {
		r.Path = r.Path[1:]
	}
	for _, s := range scopePaths {
		if n := len(s.path); len(r.Path) > n && slices.Equal(r.Path[:n], s.path) {
			r.Scope, r.Path = s.scope, r.Path[n:]
			return r
		}
	}
	if reserved[r.Path[0]] {
		p.fail(at, "%q is a word of the language and cannot be %s", r.Path[0], what)
	}
	return r
}
