package tsdl

import "synchroscope/trace"

// A scope holds the names declared in one block. Struct, variant and enum tags
// live beside the plain names, as in C.
type scope struct {
	outer *scope
	types map[name]*trace.Type
}

// A name is what a type can be called: "uint32_t", "unsigned long", or with a tag "struct packet_context".
type name struct{ tag, text string }

func (n name) String() string {
	if n.tag == "" {
		return n.text
	}
	return n.tag + " " + n.text
}

func newScope(outer *scope) *scope { return &scope{outer: outer} }

func (s *scope) find(n name) *trace.Type {
	for ; s != nil; s = s.outer {
		if t := s.types[n]; t != nil {
			return t
		}
	}
	return nil
}

// declare adds a name to the innermost scope.
func (p *parser) declare(at token, n name, t *trace.Type) {
	if p.scope.types[n] != nil {
		p.fail(at, "%q is declared twice", n.String())
	}
	if p.scope.types == nil {
		p.scope.types = make(map[name]*trace.Type)
	}
	p.scope.types[n] = t
}
