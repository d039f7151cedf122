package ctf2

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Limits of one fragment. An event with all names of its system calls has about 2000 values.
const (
	maxNesting = 256
	maxValues  = 1 << 17
)

// space is what may stand between the words of JSON (RFC 8259, section 2).
const space = " \t\r\n"

type kind uint8

const (
	null kind = iota
	boolean
	integer // a number without fraction and exponent
	real
	text
	array
	object
)

var kindNames = [...]string{"null", "a boolean", "an integer", "a number with a fraction or an exponent", "a string", "an array", "an object"}

// A node is a JSON value.
type node struct {
	place
	kind  kind
	text  string   // of a text; of a number or a boolean as it is written
	items []node   // of an array or an object
	keys  []string // of an object
}

// A decoder reads one JSON text (RFC 8259).
type decoder struct {
	rest   string
	at     place
	depth  int
	values int
}

func (d *decoder) fail(format string, args ...any) {
	panic(&Error{place: d.at, Message: fmt.Sprintf(format, args...)})
}

// text reads the whole text, which is one value.
func (d *decoder) text() *node {
	var n node
	d.value(&n)
	if d.space(); d.rest != "" {
		d.fail("the JSON text goes on behind its value: %s", d.found())
	}
	return &n
}

// found describes what comes next, for messages.
func (d *decoder) found() string {
	if d.rest == "" {
		return "the end of the fragment"
	}
	r, _ := utf8.DecodeRuneInString(d.rest)
	return strconv.QuoteRune(r)
}

// skip moves over n bytes that hold no line feed.
func (d *decoder) skip(n int) {
	d.rest = d.rest[n:]
	d.at.column += n
}

func (d *decoder) space() {
	rest := strings.TrimLeft(d.rest, space)
	n := len(d.rest) - len(rest)
	d.at = d.at.behind(d.rest[:n])
	d.rest = rest
}

// accept reads c, if it comes next.
func (d *decoder) accept(c byte) bool {
	d.space()
	if d.rest == "" || d.rest[0] != c {
		return false
	}
	d.skip(1)
	return true
}

func (d *decoder) expect(c byte, where string) {
	if !d.accept(c) {
		d.fail("expected %q %s, found %s", c, where, d.found())
	}
}

var words = map[string]kind{"null": null, "true": boolean, "false": boolean}

func (d *decoder) value(n *node) {
	d.space()
	if d.values++; d.values > maxValues {
		d.fail("a fragment has more than %d values", maxValues)
	}
	n.place = d.at
	if d.rest == "" {
		d.fail("expected a value, found the end of the fragment")
	}
	switch c := d.rest[0]; {
	case c == '{' || c == '[':
		if d.depth++; d.depth > maxNesting {
			d.fail("nested deeper than %d", maxNesting)
		}
		d.skip(1)
		if c == '{' {
			d.object(n)
		} else {
			d.array(n)
		}
		d.depth--
	case c == '"':
		n.kind, n.text = text, d.string()
	case c == '-' || '0' <= c && c <= '9':
		d.number(n)
	default:
		for w, k := range words {
			if strings.HasPrefix(d.rest, w) {
				n.kind, n.text = k, w
				d.skip(len(w))
				return
			}
		}
		d.fail("expected a value, found %s", d.found())
	}
}

func (d *decoder) array(n *node) {
	n.kind = array
	if d.accept(']') {
		return
	}
	for {
		var item node
		d.value(&item)
		n.items = append(n.items, item)
		if d.accept(']') {
			return
		}
		d.expect(',', "or ']' behind an element")
	}
}

func (d *decoder) object(n *node) {
	n.kind = object
	if d.accept('}') {
		return
	}
	seen := make(map[string]bool)
	for {
		d.space()
		if d.rest == "" || d.rest[0] != '"' {
			d.fail("expected the name of a property in quotes, found %s", d.found())
		}
		at := d.at
		key := d.string()
		if seen[key] {
			panic(&Error{place: at, Message: fmt.Sprintf("property %q is given twice", key)})
		}
		seen[key] = true
		d.expect(':', "behind the name of a property")
		var item node
		d.value(&item)
		n.keys, n.items = append(n.keys, key), append(n.items, item)
		if d.accept('}') {
			return
		}
		d.expect(',', "or '}' behind a property")
	}
}

// number reads a number and keeps its text.
func (d *decoder) number(n *node) {
	n.kind = integer
	i := 0
	digits := func() {
		begin := i
		for i < len(d.rest) && '0' <= d.rest[i] && d.rest[i] <= '9' {
			i++
		}
		if i == begin {
			d.skip(i)
			d.fail("expected a digit, found %s", d.found())
		}
	}
	is := func(set string) bool { return i < len(d.rest) && strings.IndexByte(set, d.rest[i]) >= 0 }
	if is("-") {
		i++
	}
	if is("0") {
		i++
	} else {
		digits()
	}
	if is(".") {
		n.kind = real
		i++
		digits()
	}
	if is("eE") {
		n.kind = real
		if i++; is("+-") {
			i++
		}
		digits()
	}
	n.text = d.rest[:i]
	d.skip(i)
}

var escapes = map[byte]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// string reads a string, which begins here. One without escapes stays where it is.
func (d *decoder) string() string {
	begin := d.at
	d.skip(1)
	var b []byte
	for i := 0; i < len(d.rest); {
		switch c := d.rest[i]; {
		case c == '"':
			s := d.rest[:i]
			d.skip(i + 1)
			if b != nil {
				s = string(append(b, s...))
			}
			return strings.ToValidUTF8(s, "\uFFFD")
		case c < ' ':
			d.skip(i)
			d.fail("a string holds the character %q, which must be escaped", c)
		case c == '\\':
			if b == nil {
				b = []byte{}
			}
			b = append(b, d.rest[:i]...)
			d.skip(i + 1)
			b, i = d.escape(b), 0
		default:
			i++
		}
	}
	d.at = begin
	d.fail("a string does not end")
	return ""
}

// escape reads what stands behind a backslash.
func (d *decoder) escape(b []byte) []byte {
	if d.rest != "" {
		c := d.rest[0]
		if e, ok := escapes[c]; ok {
			d.skip(1)
			return append(b, e)
		}
		if c == 'u' {
			r := d.hex()
			if utf16.IsSurrogate(r) {
				low := rune(0)
				if strings.HasPrefix(d.rest, `\u`) {
					d.skip(1)
					low = d.hex()
				}
				r = utf16.DecodeRune(r, low)
			}
			return utf8.AppendRune(b, r)
		}
	}
	d.fail("expected an escape such as \\n or \\u00e9, found %s", d.found())
	return nil
}

// hex reads u and four digits.
func (d *decoder) hex() rune {
	if len(d.rest) < 5 {
		d.fail("expected four hexadecimal digits behind \\u")
	}
	v, err := strconv.ParseUint(d.rest[1:5], 16, 16)
	if err != nil {
		d.fail("expected four hexadecimal digits behind \\u, found %q", d.rest[1:5])
	}
	d.skip(5)
	return rune(v)
}
