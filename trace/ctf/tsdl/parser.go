// Package tsdl reads the Trace Stream Description Language, in which the
// metadata of CTF 1.8 is written (section 7 of its specification and appendix C).
//
// The language declares before it uses, so one pass of recursive descent
// builds the types directly. Three things are known only later and are settled at the
// end of [Parse]: the byte order of the trace, which stream an event belongs to,
// and what the fields of headers are for. References to lengths and
// selectors are not resolved here at all, because one named type may be
// used in many events: the layout of each event does it.
//
// Attributes that are not known are read over: they are how the language grows. All
// else that breaks its rules is an error; docs/format/ctf-notes.md has them one by one.
package tsdl

import (
	"fmt"
	"strings"

	"synchroscope/trace"
	"synchroscope/trace/ctf/schema"
)

// Limits of what a metadata text may ask for.
const (
	maxNesting = 60
	maxText    = 16 << 20
)

// Parse reads plain metadata text. An error is an [*Error].
func Parse(text string) (*schema.Trace, error) { return ParseText(Text{Plain: text}) }

// ParseText reads metadata taken out of its packets; the byte order that it declares
// must be theirs. The place of an error counts from the beginning of the plain text.
func ParseText(text Text) (t *schema.Trace, err error) {
	if len(text.Plain) > maxText {
		return nil, &Error{1, 1, fmt.Sprintf("the metadata is larger than %d bytes", maxText)}
	}
	p := &parser{lex: lexer{src: text.Plain, line: 1}, out: &schema.Trace{}, scope: newScope(nil), native: make(map[*trace.Type]bool), lengths: make(map[*trace.Type]token)}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *Error:
			t, err = nil, r
		default:
			panic(r)
		}
	}()
	if i := strings.IndexByte(text.Plain, 0); i >= 0 {
		p.fail(token{line: 1 + strings.Count(text.Plain[:i], "\n"), col: i - strings.LastIndexByte(text.Plain[:i], '\n')}, "a zero byte is no part of a text")
	}
	p.signature(text.Plain)
	p.advance()
	for p.tok.kind != tokEnd {
		p.statement()
	}
	p.settle()
	if text.Packets && text.BigEndian != p.out.BigEndian {
		p.fail(p.order, "the metadata is packed in the other byte order; the two must be equal")
	}
	return p.out, nil
}

// signature compares the version in the comment that plain metadata begins with, if there is one.
func (p *parser) signature(text string) {
	rest, ok := strings.CutPrefix(text, "/* CTF ")
	version, _, _ := strings.Cut(rest, " ")
	if !ok || version == "" || strings.Trim(version, "0123456789.") != "" {
		return // a comment of another kind
	}
	major, minor, _ := strings.Cut(version, ".")
	if major != "1" || len(minor) != 1 || minor > "8" {
		p.fail(token{line: 1, col: len("/* CTF ") + 1}, "version %.20s of the format is not known; expected 1.8", version)
	}
}

type parser struct {
	lex   lexer
	tok   token // the one looked at
	out   *schema.Trace
	scope *scope
	depth int

	traceAt token                // the trace block; its text is empty while there is none
	order   token                // its byte order
	native  map[*trace.Type]bool // types whose byte order is the trace's
	streams []stream
	events  []event
	mapped  []mapped
	lengths map[*trace.Type]token // of sequences named at the top level, until they are used
}

// A stream or event as declared; it is put in its place at the end.
type stream struct {
	at token
	*schema.Stream
}

type event struct {
	at       token
	stream   uint64
	explicit bool
	*schema.Event
}

func (p *parser) fail(at token, format string, args ...any) {
	panic(&Error{at.line, at.col, fmt.Sprintf(format, args...)})
}

func (t token) place() schema.Place { return schema.Place{Line: t.line, Column: t.col} }

func (p *parser) advance() token {
	t := p.tok
	p.tok = p.lex.next()
	return t
}

// is reports whether the token looked at is this punctuation or word.
func (p *parser) is(text string) bool {
	return (p.tok.kind == tokPunct || p.tok.kind == tokIdent) && p.tok.text == text
}

func (p *parser) accept(text string) bool {
	if !p.is(text) {
		return false
	}
	p.advance()
	return true
}

func (p *parser) expect(text, where string) token {
	if !p.is(text) {
		p.fail(p.tok, "expected %q %s, found %s", text, where, p.tok)
	}
	return p.advance()
}

// follow expects text behind something that the metadata has named.
func (p *parser) follow(text, name string) {
	if !p.is(text) {
		p.fail(p.tok, "expected %q behind %s, found %s", text, name, p.tok)
	}
	p.advance()
}

func (p *parser) ident(what string) token {
	if p.tok.kind != tokIdent {
		p.fail(p.tok, "expected %s, found %s", what, p.tok)
	}
	return p.advance()
}

// enter guards against nesting that would exhaust the stack.
func (p *parser) enter() {
	if p.depth++; p.depth > maxNesting {
		p.fail(p.tok, "nested deeper than %d", maxNesting)
	}
}

func (p *parser) leave() { p.depth-- }

var blocks = map[string]func(*parser, token){
	"trace":    (*parser).trace,
	"env":      (*parser).env,
	"clock":    (*parser).clock,
	"stream":   (*parser).stream,
	"event":    (*parser).event,
	"callsite": (*parser).callsite,
}

// statement reads one statement of the top level.
func (p *parser) statement() {
	if p.accept(";") {
		return
	}
	if f := blocks[p.tok.text]; f != nil && p.tok.kind == tokIdent {
		at := p.advance()
		f(p, at)
		p.expect(";", "behind the "+at.text+" block")
		return
	}
	if p.declaration() {
		return
	}
	p.fail(p.tok, "expected a declaration or a block such as trace, stream or event, found %s", p.tok)
}

// name reads a value that may be written as a string or as a word.
func (v attribute) name() string {
	if v.kind == valString || v.kind == valPath {
		return v.text
	}
	return ""
}

// uuid checks the canonical form.
func uuid(s string) (string, bool) {
	s = strings.ToLower(s)
	if len(s) != 36 {
		return "", false
	}
	for i := range len(s) {
		if hyphen := i == 8 || i == 13 || i == 18 || i == 23; hyphen != (s[i] == '-') || !hyphen && digit(s[i]) > 15 {
			return "", false
		}
	}
	return s, true
}
