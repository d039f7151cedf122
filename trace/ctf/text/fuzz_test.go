package text

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzWrite: no text makes Write panic, hang or fail without a place; and the text of what it
// writes comes back from it.
func FuzzWrite(f *testing.F) {
	files, err := filepath.Glob("testdata/traces/*")
	if err != nil || len(files) == 0 {
		f.Fatalf("no texts: %v", err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		_, text, _ := strings.Cut(string(b), "write\n")
		text, _, _ = strings.Cut(text, "----")
		f.Add(text)
	}
	f.Add(head + `1.0 a n=1 l=[5] e=1:"x" v={x="q"} s="abcd"`)
	f.Fuzz(func(t *testing.T, text string) {
		base := t.TempDir()
		dir := filepath.Join(base, "1")
		var at *Error
		if err := Write(dir, "text", text); errors.As(err, &at) {
			if lines := strings.Count(text, "\n") + 1; at.Line < 1 || at.Line > lines || at.Column < 1 || at.Message == "" {
				t.Fatalf("a mistake outside of %d lines: %v", lines, at)
			}
			return
		} else if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(text, "false-") || strings.Contains(text, "raw") || strings.Contains(text, "cut") || strings.Contains(text, "index") {
			printed(t, dir) // faults are not what they were
			return
		}
		first := printed(t, dir)
		if strings.Contains(first, "\n#") {
			return
		}
		again := filepath.Join(base, "2")
		if err := Write(again, "text", first); err != nil {
			t.Fatalf("%v in\n%s", err, first)
		}
		if second := printed(t, again); second != first {
			t.Fatalf("the text\n%s\nbecomes\n%s", first, second)
		}
	})
}
