package texttest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"synchroscope/trace/ctf"
)

func TestDir(t *testing.T) {
	const one = `ctf 1.8 le
env hostname="NAME"
stream 0
event-header {timestamp u64}
event 0 tick
  fields {n u8}
file s
1.000000000 tick n=1
`
	dir := Dir(t, "\n-- a/kernel.trace --\n"+strings.Replace(one, "NAME", "a", 1)+"-- b.trace --\n"+strings.Replace(one, "NAME", "b", 1)+"-- b/notes.txt --\nhello\n")
	dirs, err := ctf.Discover(dir)
	if err != nil || len(dirs) != 2 || dirs[0] != filepath.Join(dir, "a", "kernel") || dirs[1] != filepath.Join(dir, "b") {
		t.Errorf("%v: traces in %q", err, dirs)
	}
	for i, d := range dirs {
		tr, err := ctf.Open(d)
		if err != nil {
			t.Fatal(err)
		}
		if got := tr.Info().Hostname; got != "ab"[i:i+1] {
			t.Errorf("the host of %s is %q", d, got)
		}
	}
	if b, err := os.ReadFile(filepath.Join(dir, "b", "notes.txt")); err != nil || string(b) != "hello\n" {
		t.Errorf("%v: notes are %q", err, b)
	}
	if dirs, err := ctf.Discover(Dir(t, one)); err != nil || len(dirs) != 1 {
		t.Errorf("%v: traces in %q", err, dirs)
	}
}
