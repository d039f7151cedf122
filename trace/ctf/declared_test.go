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

// The machines of a set declare the same, but for who they are and what their clocks show: of what is laid out they have one, and the times are their own.
func TestLaidOutOnce(t *testing.T) {
	text := func(host string, offset int, field string) string {
		return fmt.Sprintf(`/* CTF 1.8 */
trace { major = 1; minor = 8; byte_order = le; uuid = "00000000-0000-0000-0000-0000000000%02d"; packet.header := struct { integer { size = 8; } uuid[16]; }; };
env { hostname = %q; };
clock { name = monotonic; freq = 1000000000; offset = %d; };
stream { event.header := struct { integer { size = 8; } id; integer { size = 64; map = clock.monotonic.value; } timestamp; }; };
event { name = "a"; id = 0; fields := struct { integer { size = 8; } %s; }; };
`, offset, host, offset, field)
	}
	open := func(text string) *Trace {
		t.Helper()
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, metadataName), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		tr, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		return tr
	}
	a, b, c := open(text("a", 10, "x")), open(text("b", 20, "x")), open(text("c", 30, "y"))
	for i, tr := range []*Trace{a, b, c} {
		k := tr.plan.streams[0]
		at := int64(10 * (i + 1))
		if tr.Info().Hostname != string(rune('a'+i)) || tr.plan.uuid[15] != byte(i+1)<<4 || k.stamps[0].clock.time(0) != at || k.beginClock.time(5) != at+5 {
			t.Errorf("%s: %+v, %v, from %d", tr.Dir(), tr.Info(), tr.plan.uuid, k.stamps[0].clock.time(0))
		}
	}
	if a.Classes()[0] != b.Classes()[0] {
		t.Error("of two machines that declare the same all was laid out twice")
	}
	if a.Classes()[0] == c.Classes()[0] || c.Classes()[0].Field("y") == nil || c.Classes()[0].Field("x") != nil {
		t.Error("two machines that declare different things share what is laid out")
	}
}
