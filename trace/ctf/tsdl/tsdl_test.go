package tsdl

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"synchroscope/trace"
	"synchroscope/trace/ctf/schema"
)

// The files in testdata are metadata texts, and what they mean or where they are wrong.
func TestParse(t *testing.T) {
	datadriven.Walk(t, "testdata/parse", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			input := d.Input
			if d.Cmd == "types" || d.Cmd == "check" { // only declarations, in a trace that is otherwise in order
				input += "\ntrace { major = 1; minor = 8; byte_order = le; };"
			}
			m, err := Parse(input)
			if err != nil {
				return "error: " + err.Error() + "\n"
			}
			if d.Cmd == "check" {
				return "accepted\n"
			}
			return dump(m)
		})
	})
}

// The CPU is told by its name in the packet context, also by the one that babeltrace2 gives it in a copy.
func TestCPU(t *testing.T) {
	for name, want := range map[string]trace.Role{"cpu_id": trace.CPU, "_cpu_id": trace.CPU, "__cpu_id": 0, "cpu": 0} {
		m, err := Parse("trace { major = 1; minor = 8; byte_order = le; }; stream { packet.context := struct { integer { size = 32; } " + name + "; }; };")
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Streams[0].PacketContext.Members[0].Role; got != want {
			t.Errorf("%s has the role %v, want %v", name, got, want)
		}
	}
}

// seedTexts are the inputs of those files.
func seedTexts(t testing.TB) []string {
	files, err := filepath.Glob("testdata/parse/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no texts: %v", err)
	}
	var texts []string
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for part := range strings.SplitSeq(string(b), "\n\n") {
			_, text, _ := strings.Cut(part, "\n")
			text, _, _ = strings.Cut(text, "----")
			texts = append(texts, text)
		}
	}
	return texts
}

// dump writes a model, one thing per line.
func dump(m *schema.Trace) string {
	var b strings.Builder
	order := "le"
	if m.BigEndian {
		order = "be"
	}
	fmt.Fprintf(&b, "trace %s %s\n", order, m.UUID)
	for _, v := range m.Env {
		fmt.Fprintf(&b, "env %s = %q\n", v.Name, v.String())
	}
	for _, c := range m.Clocks {
		fmt.Fprintf(&b, "clock %s: %d Hz, %d s + %d, absolute %v\n", c.Name, c.Frequency, c.Seconds, c.Offset, c.Absolute)
	}
	scope := func(name string, t *trace.Type) {
		if t != nil {
			fmt.Fprintf(&b, "%s %s\n", name, dumpType(t))
		}
	}
	scope("packet header", m.PacketHeader)
	for _, s := range m.Streams {
		fmt.Fprintf(&b, "stream %d\n", s.ID)
		scope("  packet context", s.PacketContext)
		scope("  event header", s.EventHeader)
		scope("  event context", s.EventContext)
		for _, e := range s.Events {
			fmt.Fprintf(&b, "  event %d %q\n", e.ID, e.Name)
			scope("    context", e.Context)
			scope("    fields", e.Payload)
		}
	}
	return b.String()
}

func dumpType(t *trace.Type) string {
	var b strings.Builder
	switch t.Kind {
	case trace.Integer:
		fmt.Fprintf(&b, "%c%d", "ui"[bit(t.Signed)], t.Size)
		if t.BigEndian {
			b.WriteString("be")
		}
		if t.Base != 0 && t.Base != 10 {
			fmt.Fprintf(&b, " base %d", t.Base)
		}
		if t.Text {
			b.WriteString(" text")
		}
		if t.Clock != "" {
			b.WriteString(" clock " + t.Clock)
		}
		for _, l := range t.Labels {
			fmt.Fprintf(&b, " %q=%d...%d", l.Label, l.Low, l.High)
		}
	case trace.Float:
		fmt.Fprintf(&b, "f%d", t.Size)
	case trace.String:
		b.WriteString("string")
	case trace.Struct, trace.Variant:
		b.WriteString([]string{"struct", "variant"}[bit(t.Kind == trace.Variant)])
		if t.Ref != nil {
			fmt.Fprintf(&b, "<%s>", dumpRef(t.Ref))
		}
		b.WriteString(" {")
		for _, m := range t.Members {
			fmt.Fprintf(&b, " %s: %s;", m.Name, dumpType(m.Type))
		}
		b.WriteString(" }")
	case trace.Array:
		length := fmt.Sprint(t.Count)
		if t.Ref != nil {
			length = dumpRef(t.Ref)
		}
		fmt.Fprintf(&b, "[%s]%s", length, dumpType(t.Elem))
	}
	if t.Align > 1 {
		fmt.Fprintf(&b, "@%d", t.Align)
	}
	return b.String()
}

func dumpRef(r *trace.Ref) string {
	s := strings.Join(r.Path, ".")
	if r.Scope != trace.Lexical {
		s = r.Scope.String() + ":" + s
	}
	return s
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

func packed(content string, order func([]byte, uint32) []byte, size int) []byte {
	b := order(nil, packetMagic)
	b = append(b, make([]byte, 16+4)...)
	b = order(b, uint32(packetHeader+len(content))*8)
	b = order(b, uint32(size)*8)
	b = append(b, 0, 0, 0, 1, 8)
	b = append(b, content...)
	return append(b, make([]byte, max(0, size-len(b)))...)
}
