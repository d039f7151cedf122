package filter

import (
	"fmt"
	"strconv"
	"unicode/utf8"
)

// An Error says what is wrong with a filter, and where.
type Error struct {
	Column  int    // of the character, from 1
	Problem string // "expected a value, found \")\""
}

func (e *Error) Error() string { return "column " + strconv.Itoa(e.Column) + ": " + e.Problem }

// wrong makes the error of what begins at byte at.
func (l *lexer) wrong(at int, format string, args ...any) error {
	return &Error{Column: utf8.RuneCountInString(l.text[:at]) + 1, Problem: fmt.Sprintf(format, args...)}
}

// expected says what should be where the current token is.
func (p *parser) expected(what string) error {
	found := "the end of the filter"
	if t := p.token; t.kind != tokenEnd {
		found = fmt.Sprintf("%.40q", p.text[t.at:t.end])
	}
	return p.wrong(p.token.at, "expected %s, found %s", what, found)
}
