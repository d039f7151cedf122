package ctf

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// Whoever opens a trace again shares what its metadata says, wherever it is; metadata that says another thing is read, and what cannot be read is
// not known afterwards either.
func TestDeclaredOnce(t *testing.T) {
	write := func(dir, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, metadataName), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	text := func(host string) string {
		return fmt.Sprintf("/* CTF 1.8 */ trace { major = 1; minor = 8; byte_order = le; }; env { hostname = %q; }; stream { event.header := struct { integer { size = 8; } id; }; };", host)
	}
	open := func(dir string) *Trace {
		t.Helper()
		tr, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		return tr
	}
	first, other := t.TempDir(), t.TempDir()
	write(first, text("a"))
	write(other, text("a"))
	a := open(first)
	if again := open(first); again.plan != a.plan {
		t.Error("of the same trace the metadata was read twice")
	}
	if b := open(other); b.plan != a.plan || b.Dir() != other || b.Info().Hostname != "a" {
		t.Errorf("%s: %+v", b.Dir(), b.Info())
	}
	write(first, text("b"))
	if b := open(first); b.plan == a.plan || b.Info().Hostname != "b" {
		t.Errorf("the metadata was changed: %+v", b.Info())
	}
	for range 2 {
		write(first, "/* CTF 1.8 */ nonsense")
		if _, err := Open(first); err == nil {
			t.Error("nonsense was opened")
		}
	}
}

// Of what was opened the last is kept, as much as there is room for, and none that is too large.
func TestSharingIsBounded(t *testing.T) {
	var s sharing
	read := 0
	ask := func(first byte, size int) {
		t.Helper()
		b := make([]byte, size)
		b[0] = first
		if _, err := s.get(b, func() (*declared, error) { read++; return new(declared), nil }); err != nil {
			t.Fatal(err)
		}
	}
	const third = maxShared / 3
	for i, step := range []struct {
		first byte
		size  int
		read  int // so far
	}{{1, third, 1}, {2, third, 2}, {3, third, 3}, {1, third, 3}, {4, third, 4}, {1, third, 4}, {3, third, 4}, {2, third, 5}, {5, maxShared + 1, 6}, {5, maxShared + 1, 7}, {2, third, 7}, {6, maxShared, 8}, {2, third, 9}} {
		if ask(step.first, step.size); read != step.read {
			t.Fatalf("step %d: read %d times, want %d", i, read, step.read)
		}
	}
	if _, err := s.get([]byte{9}, func() (*declared, error) { return nil, errors.New("odd") }); err == nil {
		t.Error("what cannot be read is known")
	}
}
