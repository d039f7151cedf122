package declared_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"synchroscope/state/declared"
	"synchroscope/trace/ctf"
)

// A trace of which each event may have a key, or have none.
const optional = `/* CTF 1.8 */
typealias integer { size = 8; align = 8; } := u8;
typealias integer { size = 32; align = 8; } := u32;
typealias integer { size = 64; align = 8; byte_order = be; } := u64;
trace { major = 1; minor = 8; byte_order = le; };
stream { event.header := struct { u8 id; }; event.context := struct { u32 vtid; }; };
event { name = "begin"; id = 0; fields := struct { enum : u8 { none = 0, some = 1 } tag; variant <tag> { struct { } none; struct { u32 key; } some; } v; string name; }; };
event { name = "end"; id = 1; fields := struct { enum : u8 { none = 0, some = 1 } tag; variant <tag> { struct { } none; struct { u32 key; } some; } v; string name; }; };
event { name = "wide"; id = 2; fields := struct { u8 tag; u64 row; }; };
`

// handled is what a model makes of events of that trace, each an id, the key (0 for none) and a name.
func handled(t *testing.T, declarations string, events ...any) string {
	t.Helper()
	dir, b := t.TempDir(), new(bytes.Buffer)
	for i := 0; i < len(events); i += 3 {
		key := uint32(events[i+1].(int))
		b.Write([]byte{byte(events[i].(int)), 10, 0, 0, 0, byte(min(key, 1))})
		if key > 0 {
			b.Write(binary.LittleEndian.AppendUint32(nil, key))
		}
		b.WriteString(events[i+2].(string) + "\x00")
	}
	for name, text := range map[string]string{"metadata": optional, "events": b.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	d, err := declared.Parse("declarations", declarations)
	if err != nil {
		t.Fatal(err)
	}
	tr, err := ctf.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	r, err := ctf.NewReader([]*ctf.Trace{tr}, ctf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	h := newHost(t, d)
	n := int64(len(events) / 3)
	for at := range n {
		ev, err := r.Next()
		if err != nil {
			t.Fatalf("event %d of %d: %v, %v", at+1, n, err, r.Anomalies())
		}
		ev.Time = at + 1
		if err := h.model.Handle(ev); err != nil {
			t.Fatal(err)
		}
	}
	h.finish(t, n+1)
	var kept []string
	for line := range strings.Lines(h.Dump(t)) {
		if strings.Contains(line, "/Function:") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

// An event without the field that says whose it is, or which span, is none; a row is a number.
func TestAbsentFields(t *testing.T) {
	for name, c := range map[string]struct {
		declarations string
		want         string
	}{
		"row":  {"calls work\nbegin begin row=v.some.key what=name\nend end row=v.some.key", "Threads/4194306/Function: 0 -, 0.000000002 \"b\", 0.000000004 -\n"},
		"id":   {"spans work\nbegin begin id=v.some.key what=name\nend end id=v.some.key", "Threads/4194306/Function: 0 -, 0.000000002 \"b\", 0.000000004 -\n"},
		"text": {"calls work\nbegin begin row=name what=name\nend end row=name", ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := handled(t, c.declarations, 0, 0, "a", 0, 7, "b", 1, 0, "a", 1, 7, "b"); got != c.want {
				t.Errorf("%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// A row of 2⁶³ or more is none: the numbers of rows are signed, and it would be that of another.
func TestRowsBeyondNumbers(t *testing.T) {
	const large, small = "\xff\xff\xff\xff\xff\xff\xff", "\x00\x00\x00\x00\x00\x00\x01" // and a zero, the most significant byte first
	got := handled(t, "calls work\nbegin wide row=row\nend end row=v.some.key", 2, 0, large, 2, 0, small)
	if want := "Threads/4194306/Function: 0 -, 0.000000002 \"work\"\n"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
