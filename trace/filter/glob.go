package filter

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// A Glob is a pattern: * stands for any run of characters, ? for any one, [a-z] for one of a set,
// [!a-z] for one outside of it, and \ takes the meaning from the character behind it. No character
// is special in what is matched, neither / nor a point at the beginning.
type Glob struct {
	text   string
	pieces []piece
}

// A piece matches something, from left to right.
type piece struct {
	kind    pieceKind
	literal []byte
	ranges  [][2]rune
	outside bool // the set is what is not in ranges
}

type pieceKind uint8

const (
	literal pieceKind = iota
	one
	set
	run // of any length
)

// NewGlob reads a pattern.
func NewGlob(text string) (*Glob, error) {
	if len(text) > maxPattern {
		return nil, fmt.Errorf("a pattern is longer than %d bytes", maxPattern)
	}
	g := &Glob{text: text}
	add := func(p piece) {
		if n := len(g.pieces); n > 0 && p.kind == run && g.pieces[n-1].kind == run {
			return
		}
		g.pieces = append(g.pieces, p)
	}
	for rest := text; rest != ""; {
		switch rest[0] {
		case '*':
			add(piece{kind: run})
			rest = rest[1:]
		case '?':
			add(piece{kind: one})
			rest = rest[1:]
		case '[':
			p, n := parseSet(rest)
			if n == 0 {
				return nil, fmt.Errorf("the set %.40q of a pattern has no end, or a range that goes backwards", rest)
			}
			add(p)
			rest = rest[n:]
		default:
			var chars []byte
			for rest != "" && strings.IndexByte("*?[", rest[0]) < 0 {
				if rest[0] == '\\' {
					if rest = rest[1:]; rest == "" {
						return nil, fmt.Errorf("the pattern %.40q ends in a single \\", text)
					}
				}
				chars, rest = append(chars, rest[0]), rest[1:]
			}
			add(piece{kind: literal, literal: chars})
		}
	}
	return g, nil
}

// parseSet reads a set in brackets and returns how long it is, 0 if it is wrong.
func parseSet(s string) (p piece, n int) {
	p.kind = set
	rest := s[1:]
	if rest != "" && (rest[0] == '!' || rest[0] == '^') {
		p.outside, rest = true, rest[1:]
	}
	char := func() (rune, bool) {
		rest = strings.TrimPrefix(rest, `\`)
		r, n := utf8.DecodeRuneInString(rest)
		rest = rest[n:]
		return r, n > 0
	}
	for rest != "" {
		if rest[0] == ']' && p.ranges != nil {
			return p, len(s) - len(rest) + 1
		}
		low, ok := char()
		high := low
		if len(rest) > 1 && rest[0] == '-' && rest[1] != ']' {
			rest = rest[1:]
			high, ok = char()
		}
		if !ok || high < low {
			return p, 0
		}
		p.ranges = append(p.ranges, [2]rune{low, high})
	}
	return p, 0
}

func (g *Glob) String() string { return g.text }

// Match reports whether the whole of s fits.
func (g *Glob) Match(s []byte) bool {
	// Where a piece does not fit, the last run before it takes one more character: trying the
	// earlier runs again could not help.
	next, rest := 0, s
	after, from := -1, s // the piece behind the last run, and where it was tried
	for {
		switch {
		case next == len(g.pieces):
			if len(rest) == 0 {
				return true
			}
		case g.pieces[next].kind == run:
			if next++; next == len(g.pieces) {
				return true
			}
			after, from = next, rest
			continue
		default:
			if n := g.pieces[next].match(rest); n >= 0 {
				next, rest = next+1, rest[n:]
				continue
			}
		}
		if after < 0 || len(from) == 0 {
			return false
		}
		_, n := utf8.DecodeRune(from)
		from = from[n:]
		if p := &g.pieces[after]; p.kind == literal {
			i := bytes.Index(from, p.literal)
			if i < 0 {
				return false
			}
			from = from[i:]
		}
		next, rest = after, from
	}
}

// match returns how many bytes at the beginning of s the piece takes, -1 if it does not fit.
func (p *piece) match(s []byte) int {
	if p.kind == literal {
		if bytes.HasPrefix(s, p.literal) {
			return len(p.literal)
		}
		return -1
	}
	if len(s) == 0 {
		return -1
	}
	r, n := utf8.DecodeRune(s)
	if p.kind == set && p.holds(r) == p.outside {
		return -1
	}
	return n
}

func (p *piece) holds(r rune) bool {
	for _, b := range p.ranges {
		if b[0] <= r && r <= b[1] {
			return true
		}
	}
	return false
}
