package views

import (
	"strings"
	"unicode"
)

// apart is a name such that words beside it stay where they are, whatever is in it: marks around it have it laid out for itself.
func apart(name string) string {
	turns := func(r rune) bool {
		return unicode.In(r, unicode.Bidi_Control, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko)
	}
	if strings.IndexFunc(name, turns) < 0 {
		return name
	}
	const begin, end = '\u2068', '\u2069'
	var inner strings.Builder
	open := 0
	for _, r := range name {
		switch {
		case r == end && open == 0:
			continue // it would end the whole
		case r == end:
			open--
		case r >= '\u2066' && r <= begin:
			open++
		}
		inner.WriteRune(r)
	}
	return string(begin) + inner.String() + strings.Repeat(string(end), open+1)
}
