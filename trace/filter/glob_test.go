package filter_test

import (
	"strings"
	"testing"

	"synchroscope/trace/filter"
)

func TestGlob(t *testing.T) {
	for _, test := range []struct {
		glob, fits, not string
	}{
		{"", "", "a"},
		{"*", " a /x .y", ""},
		{"/dev/*", "/dev/ /dev/a/b", "/de"},
		{"?", "a ä", "ab"},
		{"[a-c]x", "ax cx", "dx x"},
		{"[!a-c]x", "dx -x", "ax"},
		{"[^a]", "b", "a"},
		{"[]]", "]", "["},
		{"[a-]", "a -", "b"},
		{`[\]-]`, "] -", `\`},
		{"[ä-ö]", "ä ö", "a"},
		{`\*`, "*", "a"},
		{`a\[b`, "a[b", "ab"},
		{"a*b*c", "abc axbxc abcbc", "ab acb"},
		{"*a?c*", "abc xxabcx aabcc", "ac"},
	} {
		g, err := filter.NewGlob(test.glob)
		if err != nil {
			t.Errorf("%q: %v", test.glob, err)
			continue
		}
		for _, s := range strings.Split(test.fits, " ") {
			if !g.Match([]byte(s)) {
				t.Errorf("%q does not fit %q", s, test.glob)
			}
		}
		if test.not == "" {
			continue
		}
		for _, s := range strings.Split(test.not, " ") {
			if g.Match([]byte(s)) {
				t.Errorf("%q fits %q", s, test.glob)
			}
		}
	}
	for _, glob := range []string{"[", "[a", "[]", "[!]", "[b-a]", `[\`, `[a-`, `\`, `a\`} {
		if _, err := filter.NewGlob(glob); err == nil {
			t.Errorf("%q is taken for a pattern", glob)
		}
	}
}
