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

// AppendName appends the name of an event or a host as one word of the text form: as a string
// in quotes where it would not be read back otherwise.
func AppendName(b []byte, name string) []byte {
	if bare(name, notInWords) && (name[0] < '0' || name[0] > '9') {
		return append(b, name...)
	}
	return strconv.AppendQuote(b, name)
}

// appendName is the same for the name of a field.
func appendName(b []byte, name string) []byte {
	if bare(name, notInPaths) {
		return append(b, name...)
	}
	return strconv.AppendQuote(b, name)
}

func bare(name, without string) bool {
	for i := 0; i < len(name); i++ {
		if c := name[i]; c >= utf8.RuneSelf {
			return utf8.ValidString(name) && !strings.ContainsAny(name, without) && strings.IndexFunc(name, odd) < 0
		} else if c <= ' ' || c == 0x7f || strings.IndexByte(without, c) >= 0 {
			return false
		}
	}
	return name != ""
}

func odd(r rune) bool { return !unicode.IsPrint(r) }
