package views

import (
	"strings"
	"testing"
)

func TestNamesThatTurnStandApart(t *testing.T) {
	for name, want := range map[string]string{
		"shop":               "shop",
		"a\u202Ebc":          "\u2068a\u202Ebc\u2069",
		"a\u2069\u202Eb":     "\u2068a\u202Eb\u2069",
		"a\u2067\u2066b":     "\u2068a\u2067\u2066b\u2069\u2069\u2069",
		"\u05e9\u05dc\u05d5": "\u2068\u05e9\u05dc\u05d5\u2069",
	} {
		if got := apart(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	var page strings.Builder
	if err := Viewer("id", "a\u202Ebc").Render(t.Context(), &page); err != nil || !strings.Contains(page.String(), "<title>\u2068a\u202Ebc\u2069 · Synchroscope</title>") {
		t.Errorf("%v: %.300s", err, page.String())
	}
}
