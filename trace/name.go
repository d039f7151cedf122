package trace

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What a name may not have in it, if it is to be written without quotes.
const (
	notInWords = " =\"|^#"
	notInPaths = notInWords + "{}[],."
)

// A charset is a set of the characters of ASCII.
type charset [2]uint64

var wordChars, pathChars = without(notInWords), without(notInPaths)

// without is the set of all that can be seen, but for those in not.
func without(not string) (s charset) {
	for c := byte(' '); c < 0x7f; c++ {
		if strings.IndexByte(not, c) < 0 {
			s[c>>6] |= 1 << (c & 63)
		}
	}
	return s
}

func (s *charset) has(c byte) bool { return c < utf8.RuneSelf && s[c>>6&1]>>(c&63)&1 != 0 }

// AppendName appends the name of an event or a host as one word of the text form: as a string
// in quotes where it would not be read back otherwise.
func AppendName(b []byte, name string) []byte {
	if bare(name, &wordChars) && (name[0] < '0' || name[0] > '9') {
		return append(b, name...)
	}
	return strconv.AppendQuote(b, name)
}

// Printable is a name with a space in the place of each break, and U+FFFD in that of what no name shows: what a terminal takes for a command, or what turns
// the sentences that a page says about it.
func Printable(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsPrint(r):
			return r
		}
		return utf8.RuneError
	}, name)
}

// appendName is AppendName for the name of a field.
func appendName(b []byte, name string) []byte {
	if bare(name, &pathChars) {
		return append(b, name...)
	}
	return strconv.AppendQuote(b, name)
}

func bare(name string, chars *charset) bool {
	for i := 0; i < len(name); i++ {
		if !chars.has(name[i]) {
			return utf8.ValidString(name) && strings.IndexFunc(name, func(r rune) bool {
				return r < utf8.RuneSelf && !chars.has(byte(r)) || !unicode.IsPrint(r)
			}) < 0
		}
	}
	return name != ""
}
