package filter

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

type tokenKind uint8

const (
	tokenEnd    tokenKind = iota
	tokenName             // an identifier
	tokenNumber           // text is the number as it is written
	tokenString           // text is what stands between the quotes, unescaped
	tokenSign             // text is the operator or bracket
)

type token struct {
	kind    tokenKind
	text    string
	at, end int // bytes of the filter
}

// A lexer takes a filter apart.
type lexer struct {
	text string
	pos  int
}

// signs are all operators and brackets; of those that begin alike the longer comes first.
var signs = [...]string{"&&", "||", "==", "!=", "<=", ">=", "=~", "!~", "$ctx.", "<", ">", "!", "(", ")", "[", "]", "."}

// meant has the signs that half a sign, or that of another language, may stand for.
var meant = map[byte]string{'=': "== or =~", '~': "=~ or !~", '&': "&&", '|': "||"}

func (l *lexer) next() (token, error) {
	for l.pos < len(l.text) && strings.IndexByte(" \t\r\n", l.text[l.pos]) >= 0 {
		l.pos++
	}
	at, rest := l.pos, l.text[l.pos:]
	take := func(kind tokenKind, n int) token {
		l.pos += n
		return token{kind: kind, text: rest[:n], at: at, end: l.pos}
	}
	switch {
	case rest == "":
		return token{kind: tokenEnd, at: at, end: at}, nil
	case isLetter(rest[0]):
		n := 1
		for n < len(rest) && (isLetter(rest[n]) || isDigit(rest[n])) {
			n++
		}
		return take(tokenName, n), nil
	case isDigit(rest[0]), rest[0] == '-' && len(rest) > 1 && isDigit(rest[1]):
		return take(tokenNumber, numberLength(rest)), nil
	case rest[0] == '"':
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return token{}, l.wrong(at, "a string does not end, or has an escape that Go does not know")
		}
		t := take(tokenString, len(quoted))
		t.text, err = strconv.Unquote(quoted)
		return t, err
	}
	for _, s := range signs {
		if strings.HasPrefix(rest, s) {
			return take(tokenSign, len(s)), nil
		}
	}
	if whole := meant[rest[0]]; whole != "" {
		return token{}, l.wrong(at, "%q means nothing here; write %s", rest[:1], whole)
	}
	_, n := utf8.DecodeRuneInString(rest)
	return token{}, l.wrong(at, "%q means nothing here; a name with other characters than letters, digits and _ is written in quotes behind a point", rest[:n])
}

// numberLength is how much of s, which begins with a number, belongs to it: also what makes
// it none, such as the letters of 12ab.
func numberLength(s string) int {
	n := 1
	for n < len(s) {
		c := s[n]
		exponent := (c == '-' || c == '+') && (s[n-1] == 'e' || s[n-1] == 'E') && !strings.HasPrefix(strings.TrimPrefix(s, "-"), "0x")
		if !isLetter(c) && !isDigit(c) && c != '.' && !exponent {
			break
		}
		n++
	}
	return n
}

// textLength is how much of s may be meant as one text that lacks its quotes, such as the name of a host, a path or an address.
func textLength(s string) int {
	for i := range len(s) {
		if !isLetter(s[i]) && !isDigit(s[i]) && s[i] < utf8.RuneSelf && strings.IndexByte(".-:/@+%#*?", s[i]) < 0 {
			return i
		}
	}
	return len(s)
}

// pathLength is how much of s is names with points between.
func pathLength(s string) int {
	for i := range len(s) {
		if !isLetter(s[i]) && !isDigit(s[i]) && s[i] != '.' {
			return i
		}
	}
	return len(s)
}

func isLetter(c byte) bool { return c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
