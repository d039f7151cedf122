package tsdl

import (
	"fmt"
	"strings"
)

// An Error is a place in the metadata and what is wrong there.
type Error struct {
	Line, Column int // from 1; columns count bytes
	Message      string
}

func (e *Error) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Message) }

type tokenKind uint8

const (
	tokEnd   tokenKind = iota
	tokIdent           // also keywords: their meaning depends on where they stand
	tokInt
	tokString
	tokChar
	tokPunct
)

type token struct {
	kind      tokenKind
	text      string // as written; the value of a string
	value     uint64 // of an integer
	line, col int
}

// String says what a token is, in messages.
func (t token) String() string {
	switch t.kind {
	case tokEnd:
		return "the end of the metadata"
	case tokString:
		return fmt.Sprintf("the string %.40q", t.text)
	}
	return fmt.Sprintf("%.40q", t.text)
}

// A lexer cuts the text into tokens.
type lexer struct {
	src       string
	pos       int
	line, bol int // number of the line, and where it begins
}

func (l *lexer) fail(at int, format string, args ...any) {
	panic(&Error{l.line, at - l.bol + 1, fmt.Sprintf(format, args...)})
}

func isLetter(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// next reads one token; errors are panics with an *Error, caught in [Parse].
func (l *lexer) next() token {
	l.blank()
	t := token{line: l.line, col: l.pos - l.bol + 1}
	if l.pos == len(l.src) {
		return t
	}
	begin := l.pos
	switch c := l.src[l.pos]; {
	case isLetter(c):
		for l.pos < len(l.src) && (isLetter(l.src[l.pos]) || isDigit(l.src[l.pos])) {
			l.pos++
		}
		if l.pos == begin+1 && c == 'L' && l.pos < len(l.src) && (l.src[l.pos] == '"' || l.src[l.pos] == '\'') {
			t = l.next() // a wide literal is read as a plain one
			return t
		}
		t.kind, t.text = tokIdent, l.src[begin:l.pos]
	case isDigit(c):
		t.kind, t.value = tokInt, l.number()
		t.text = l.src[begin:l.pos]
	case c == '"':
		t.kind, t.text = tokString, l.quoted('"')
	case c == '\'':
		t.kind, t.text = tokChar, l.quoted('\'')
	default:
		t.kind, t.text = tokPunct, l.punct()
	}
	return t
}

// blank skips white space and comments.
func (l *lexer) blank() {
	for l.pos < len(l.src) {
		switch rest := l.src[l.pos:]; {
		case rest[0] == '\n':
			l.pos++
			l.line, l.bol = l.line+1, l.pos
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r' || rest[0] == '\v' || rest[0] == '\f':
			l.pos++
		case strings.HasPrefix(rest, "//"):
			n := strings.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			l.pos += n
		case strings.HasPrefix(rest, "/*"):
			n := strings.Index(rest, "*/")
			if n < 0 {
				l.fail(l.pos, "a comment does not end")
			}
			l.line += strings.Count(rest[:n], "\n")
			if i := strings.LastIndexByte(rest[:n], '\n'); i >= 0 {
				l.bol = l.pos + i + 1
			}
			l.pos += n + 2
		default:
			return
		}
	}
}

var longPuncts = [...]string{"...", ":=", "->"}

func (l *lexer) punct() string {
	rest := l.src[l.pos:]
	for _, p := range longPuncts {
		if strings.HasPrefix(rest, p) {
			l.pos += len(p)
			return p
		}
	}
	if strings.IndexByte("{}[]()<>;:,=.+-*", rest[0]) < 0 {
		l.fail(l.pos, "unexpected character %q", rest[0])
	}
	l.pos++
	return rest[:1]
}

// suffixes are those of C in lower case, with ll as l.
var suffixes = map[string]bool{"": true, "u": true, "l": true, "ul": true, "lu": true}

// number reads an unsigned decimal, octal, hexadecimal or binary constant.
func (l *lexer) number() uint64 {
	begin, base := l.pos, uint64(10)
	if rest := l.src[l.pos:]; rest[0] == '0' && len(rest) > 1 {
		switch c := rest[1]; {
		case c == 'x' || c == 'X':
			base, l.pos = 16, l.pos+2
		case c == 'b' || c == 'B':
			base, l.pos = 2, l.pos+2
		case isDigit(c):
			base, l.pos = 8, l.pos+1
		}
	}
	var v uint64
	digits := l.pos
	for ; l.pos < len(l.src); l.pos++ {
		d := digit(l.src[l.pos])
		if d >= base {
			break
		}
		if v > (1<<64-1-d)/base {
			l.fail(begin, "the integer does not fit into 64 bits")
		}
		v = v*base + d
	}
	if l.pos == digits {
		l.fail(begin, "an integer has no digits")
	}
	suffix := l.pos
	for l.pos < len(l.src) && strings.IndexByte("uUlL", l.src[l.pos]) >= 0 {
		l.pos++
	}
	if !suffixes[strings.ReplaceAll(strings.ToLower(l.src[suffix:l.pos]), "ll", "l")] {
		l.fail(suffix, "an integer cannot end with %q", l.src[suffix:l.pos])
	}
	if l.pos < len(l.src) && (isLetter(l.src[l.pos]) || isDigit(l.src[l.pos])) {
		l.fail(l.pos, "unexpected character %q in an integer", l.src[l.pos])
	}
	return v
}

// digit is the value of a digit, a large number if c is none.
func digit(c byte) uint64 {
	switch {
	case isDigit(c):
		return uint64(c - '0')
	case 'a' <= c && c <= 'f':
		return uint64(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return uint64(c-'A') + 10
	}
	return 255
}

var escapes = map[byte]byte{
	'n': '\n', 't': '\t', 'r': '\r', 'a': '\a', 'b': '\b', 'f': '\f', 'v': '\v',
	'\\': '\\', '\'': '\'', '"': '"', '?': '?',
}

// quoted reads a literal with the escapes of C. A zero character ends its value, as it does there.
func (l *lexer) quoted(quote byte) string {
	var b []byte
	begin := l.pos
	for l.pos++; ; {
		if l.pos >= len(l.src) || l.src[l.pos] == '\n' {
			l.fail(begin, "a string does not end on its line")
		}
		c := l.src[l.pos]
		l.pos++
		if c == quote {
			break
		}
		if c == '\\' {
			c = l.escape()
		}
		b = append(b, c)
	}
	s, _, _ := strings.Cut(string(b), "\x00")
	return s
}

func (l *lexer) escape() byte {
	if l.pos >= len(l.src) {
		l.fail(l.pos, "a string does not end")
	}
	c := l.src[l.pos]
	base, most := uint64(8), 3
	if c == 'x' {
		base, most = 16, 2
		l.pos++
	} else if digit(c) >= 8 {
		l.pos++
		if r, ok := escapes[c]; ok {
			return r
		}
		l.fail(l.pos-1, "unknown escape \\%c in a string", c)
	}
	v := uint64(0)
	for ; most > 0 && l.pos < len(l.src) && digit(l.src[l.pos]) < base; most-- {
		v = v*base + digit(l.src[l.pos])
		l.pos++
	}
	return byte(v)
}
