package text

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// An Error is a mistake in a text, and where it is.
type Error struct {
	Name         string // of the text, as given
	Line, Column int    // from 1; columns count characters
	Message      string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.Name, e.Line, e.Column, e.Message)
}

// A cursor reads a text from its beginning. A mistake is a panic with an *Error, which
// Write turns into its result.
type cursor struct {
	name string
	text string
	at   int
}

func (c *cursor) fail(at int, format string, args ...any) {
	before := c.text[:min(at, len(c.text))]
	line := strings.Count(before, "\n")
	column := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
	panic(&Error{c.name, line + 1, column + 1, fmt.Sprintf(format, args...)})
}

// peek is the next byte, 0 at the end.
func (c *cursor) peek() byte {
	if c.at < len(c.text) {
		return c.text[c.at]
	}
	return 0
}

// space reads over spaces and tabs.
func (c *cursor) space() {
	for c.peek() == ' ' || c.peek() == '\t' || c.peek() == '\r' {
		c.at++
	}
}

// blank reads over spaces and ends of lines, which mean nothing within braces.
func (c *cursor) blank() {
	for c.space(); c.peek() == '\n'; c.space() {
		c.at++
	}
}

// end reports whether nothing is left of the line.
func (c *cursor) end() bool {
	c.space()
	return c.at >= len(c.text) || c.text[c.at] == '\n'
}

// line moves to the next line with something in it, and reports whether there is one.
func (c *cursor) line() bool {
	for {
		c.blank()
		if c.at >= len(c.text) {
			return false
		}
		if c.text[c.at] != '#' {
			return true
		}
		if i := strings.IndexByte(c.text[c.at:], '\n'); i >= 0 {
			c.at += i
		} else {
			c.at = len(c.text)
		}
	}
}

// finish checks that the line is at its end.
func (c *cursor) finish() {
	if !c.end() {
		c.fail(c.at, "%s is left at the end of the line", c.found())
	}
}

// found names what stands at the cursor, for messages.
func (c *cursor) found() string {
	rest, _, _ := strings.Cut(c.text[c.at:], "\n")
	if rest == "" {
		return "nothing"
	}
	if word, _, _ := strings.Cut(rest, " "); word != "" {
		rest = word
	}
	if len(rest) > 40 {
		rest = rest[:40]
	}
	return strconv.Quote(rest)
}

// accept reads s if it comes next.
func (c *cursor) accept(s string) bool {
	if strings.HasPrefix(c.text[c.at:], s) {
		c.at += len(s)
		return true
	}
	return false
}

func (c *cursor) expect(s, where string) {
	if !c.accept(s) {
		c.fail(c.at, "expected %q %s, found %s", s, where, c.found())
	}
}

// word reads what is left of a space, the end of the line, or one of the bytes in until. It is
// not empty where none of them comes next, so that reading words comes to an end.
func (c *cursor) word(until string) string {
	begin := c.at
	for c.at < len(c.text) && strings.IndexByte(" \t\r\n", c.text[c.at]) < 0 && strings.IndexByte(until, c.text[c.at]) < 0 {
		c.at++
	}
	return c.text[begin:c.at]
}

// quoted reads a string literal.
func (c *cursor) quoted() string {
	q, err := strconv.QuotedPrefix(c.text[c.at:])
	if err != nil || q[0] != '"' {
		c.fail(c.at, "a string in double quotes does not end, or has an escape that is none")
	}
	c.at += len(q)
	s, _ := strconv.Unquote(q)
	return s
}

// special are the bytes that end the name of a field.
const special = " =\"|^#{}[],.;:<>()@~"

// ident reads a name, with or without quotes.
func (c *cursor) ident(what, until string) string {
	if c.peek() == '"' {
		return c.quoted()
	}
	at := c.at
	w := c.word(until)
	if w == "" {
		c.fail(at, "expected %s, found %s", what, c.found())
	}
	return w
}

// unsigned reads an integer that is not negative.
func (c *cursor) unsigned(what string) uint64 {
	at := c.at
	w := c.word(special)
	v, err := strconv.ParseUint(w, 0, 64)
	if err != nil {
		c.at = at
		c.fail(at, "expected %s, found %s", what, c.found())
	}
	return v
}

// signed reads an integer of 64 bits, as two's complement; negative tells that it has a minus
// sign, and above that it is greater than the largest one with a sign.
func (c *cursor) signed(what string) (v int64, negative, above bool) {
	at := c.at
	w := c.word(special)
	if n, err := strconv.ParseInt(w, 0, 64); err == nil {
		return n, n < 0, false
	}
	u, err := strconv.ParseUint(w, 0, 64)
	if err != nil {
		c.at = at
		c.fail(at, "expected %s, found %s", what, c.found())
	}
	return int64(u), false, true
}

// time reads seconds with up to nine decimals, as ns.
func (c *cursor) time() int64 {
	at := c.at
	w := c.word("|^")
	negative := strings.HasPrefix(w, "-")
	whole, decimals, _ := strings.Cut(strings.TrimPrefix(w, "-"), ".")
	if len(decimals) > 9 || whole == "" || strings.ContainsAny(w, "+_") {
		c.fail(at, "%q is no time in seconds with up to nine decimals", w)
	}
	u, err := strconv.ParseUint(whole+(decimals + "000000000")[:9], 10, 64)
	if err != nil || !negative && u > 1<<63-1 || u > 1<<63 {
		c.fail(at, "%q is no time in seconds with up to nine decimals", w)
	}
	if negative {
		return -int64(u)
	}
	return int64(u)
}
