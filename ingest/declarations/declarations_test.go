package declarations

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What lies beside several traces is taken once, in the order of paths; what cannot be used is told of and left out, and so are links.
func TestFind(t *testing.T) {
	const one = "calls one\nbegin a\nend b\n"
	const two = "calls two\nbegin a\nend b\n"
	dir := t.TempDir()
	for place, text := range map[string]string{
		"a": "\ufeff" + two, "b": "\ufeff" + one, "c": two, // again
		"d": "# a remark\ncalls two\nbegin c\nend d\n", // twice
		"e": "nonsense\n",
		"f": strings.Repeat("#", 65537),
		"g": strings.Repeat("#", 65500),
	} {
		if err := os.Mkdir(filepath.Join(dir, place), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, place, States.Name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	outside := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(outside, []byte("calls three\nbegin a\nend b\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, States.Name)); err != nil {
		t.Fatal(err)
	}
	text, errs := States.Find(dir, "")
	if want := two + "\n" + one; text != want {
		t.Errorf("found %q, want %q", text, want)
	}
	var got []string
	for _, err := range errs {
		got = append(got, strings.TrimPrefix(err.Error(), dir+string(filepath.Separator)))
	}
	for i, want := range []string{"d/synchroscope-states does not go with what is declared elsewhere: line 2: two is declared twice", "e/synchroscope-states:1: ", "f/synchroscope-states has more than 65536 bytes",
		"g/synchroscope-states does not go with what is declared elsewhere: together they have more than 65536 bytes"} {
		if len(got) != 4 || !strings.HasPrefix(got[i], want) {
			t.Fatalf("errors %q, the one of number %d should begin with %q", got, i, want)
		}
	}
}
