package tsdl

import (
	"strings"

	"synchroscope/trace"
)

type valueKind uint8

const (
	valInt valueKind = iota
	valString
	valPath // words with dots: le, clock.monotonic.value
	valType // behind :=
)

// An attribute is one entry of a block.
type attribute struct {
	at       token
	key      string
	kind     valueKind
	text     string // string or path
	value    uint64 // magnitude of an integer
	negative bool
	typ      *trace.Type
}

// once reads the entries of a block as [parser.entries] does, and refuses one that is given twice.
func (p *parser) once(each func(attribute)) {
	seen := make(map[string]bool)
	p.entries(func(a attribute) {
		if seen[a.key] {
			p.fail(a.at, "%s is given a second time", a.key)
		}
		seen[a.key] = true
		each(a)
	})
}

// entries reads the entries of a block, from { to }; declarations among them
// go to a scope of the block.
func (p *parser) entries(each func(attribute)) {
	p.enter()
	defer p.leave()
	p.expect("{", "at the beginning of the block")
	p.scope = newScope(p.scope)
	defer func() { p.scope = p.scope.outer }()
	for !p.accept("}") {
		if p.accept(";") {
			continue
		}
		if p.declares() {
			p.declaration()
			continue
		}
		each(p.attribute())
	}
}

func (p *parser) attribute() attribute {
	a := attribute{at: p.tok}
	if p.tok.kind == tokString {
		a.key = p.advance().text
	} else {
		a.key = p.path("an attribute or }")
	}
	if p.accept(":=") {
		a.kind, a.typ = valType, p.declaredType()
	} else {
		p.follow("=", a.key)
		p.constant(&a)
	}
	p.follow(";", a.key)
	return a
}

// constant reads the value of an attribute.
func (p *parser) constant(a *attribute) {
	for p.is("-") || p.is("+") {
		a.negative = a.negative != (p.advance().text == "-")
	}
	switch p.tok.kind {
	case tokInt:
		a.kind, a.value = valInt, p.advance().value
	case tokString, tokChar:
		a.kind, a.text = valString, p.advance().text
	case tokIdent:
		a.kind, a.text = valPath, p.path("a value")
	default:
		p.fail(p.tok, "expected a value of %s: an integer, a string or a word; found %s", a.key, p.tok)
	}
}

// path reads words with dots between them.
func (p *parser) path(what string) string {
	words := []string{p.ident(what).text}
	for p.accept(".") {
		words = append(words, p.ident("a name behind the dot").text)
	}
	return strings.Join(words, ".")
}

// unsigned is the value of an attribute that is an integer of at least 0.
func (p *parser) unsigned(a attribute) uint64 {
	if a.kind != valInt || a.negative && a.value != 0 {
		p.fail(a.at, "%s must be an integer that is not negative", a.key)
	}
	return a.value
}

func (p *parser) signed(a attribute) int64 {
	switch {
	case a.kind != valInt:
		p.fail(a.at, "%s must be an integer", a.key)
	case a.negative && a.value <= 1<<63:
		return -int64(a.value)
	case a.negative || a.value > 1<<63-1:
		p.fail(a.at, "%s does not fit into 64 bits with sign", a.key)
	}
	return int64(a.value)
}

func (p *parser) boolean(a attribute) bool {
	if a.kind == valPath {
		switch strings.ToLower(a.text) {
		case "true":
			return true
		case "false":
			return false
		}
	}
	if a.kind != valInt || a.value > 1 || a.negative {
		p.fail(a.at, "%s must be true or false", a.key)
	}
	return a.value == 1
}

func (p *parser) alignment(a attribute) uint32 {
	v := p.unsigned(a)
	if v == 0 || v&(v-1) != 0 || v > trace.MaxAlign {
		p.fail(a.at, "an alignment must be a power of two from 1 to %d", trace.MaxAlign)
	}
	return uint32(v)
}

// structure is the type of an attribute that declares a scope.
func (p *parser) structure(a attribute) *trace.Type {
	if a.kind != valType || a.typ.Kind != trace.Struct {
		p.fail(a.at, "%s must be := and a struct", a.key)
	}
	return a.typ
}

func (p *parser) uuid(a attribute) string {
	id, ok := uuid(a.text)
	if a.kind != valString {
		p.fail(a.at, "%s must be a string", a.key)
	}
	if !ok {
		p.fail(a.at, "%q is not a uuid", a.text)
	}
	return id
}
