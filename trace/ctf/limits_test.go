package ctf

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"synchroscope/internal/raced"
)

// openText opens a trace that is nothing but metadata.
func openText(t testing.TB, text string) (*Trace, error) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "metadata"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return Open(dir)
}

const minimal = "trace { major = 1; minor = 8; byte_order = le; };\n"

// Metadata that says little in order to ask for much is refused, and quickly.
func TestHostileMetadata(t *testing.T) {
	raced.Alone(t)
	var doubling strings.Builder
	doubling.WriteString(minimal + "struct s0 { integer { size = 8; } x; };\n")
	for i := range 40 {
		fmt.Fprintf(&doubling, "struct s%d { struct s%d a; struct s%d b; };\n", i+1, i, i)
	}
	var many strings.Builder
	many.WriteString(minimal + "struct wide { string a0; ")
	for i := range 3000 {
		fmt.Fprintf(&many, "string b%d;", i)
	}
	many.WriteString("};\n")
	for i := range 1000 {
		fmt.Fprintf(&many, "event { name = e; id = %d; fields := struct wide; };", i)
	}
	for want, text := range map[string]string{
		"too large":                           doubling.String() + "event { name = e; fields := struct s40; };",
		"more than 1048576 fields":            many.String(),
		"nested deeper than":                  minimal + "typealias " + strings.Repeat("struct { ", 1e6),
		"an alignment must be":                minimal + "typealias integer { size = 8; align = 1099511627776; } := x;",
		"elements are too many":               minimal + "event { name = e; fields := struct { integer { size = 64; } x[18446744073709551615]; }; };",
		"metadata is larger than":             strings.Repeat(" ", maxMetadata+1),
		"declares no data stream class":       "\x1e{\"type\":\"preamble\",\"version\":2}\n",
		"expected a declaration or a block":   "a text file",
		"found the end of the metadata":       "trace { major = 1; minor",
		"an integer must have 1 to":           minimal + "typealias integer { size = 0; } := x;",
		"no field \"len\" stands before it":   minimal + "event { name = e; fields := struct { string s[len]; }; };",
		"event \"e\": payload: length of seq": minimal + "event { name = e; fields := struct { string s[len]; }; };",
	} {
		_, err := openText(t, text)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "metadata") {
			t.Errorf("error %.300v, want one that names the file and says %q", err, want)
		}
	}
}

// Event ids may lie anywhere.
func TestEventIDs(t *testing.T) {
	tr, err := openText(t, minimal+`stream { event.header := struct { integer { size = 64; } id; }; };
event { name = high; id = 1500; }; event { name = low; id = 0; }; event { name = far; id = 0xffffffffffffffff; }; event { name = mid; id = 1000; };`)
	if err != nil {
		t.Fatal(err)
	}
	c := tr.plan.streams[0]
	for id, want := range map[uint64]int{1500: 0, 0: 1, 1<<64 - 1: 2, 1000: 3, 1: -1, 1499: -1, 1 << 40: -1} {
		if got := c.find(id); got != want {
			t.Errorf("id %d is class %d, want %d", id, got, want)
		}
	}
}
