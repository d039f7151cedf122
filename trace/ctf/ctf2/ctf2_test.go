package ctf2

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"synchroscope/trace"
	"synchroscope/trace/ctf/schema"
)

// The files in testdata are metadata texts, and what they mean or where they are wrong. Each line that
// begins with { begins a fragment; "class" takes one field class, for the payload of an event that has u8, s8 and flag
// before it.
func TestParse(t *testing.T) {
	datadriven.Walk(t, "testdata/parse", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			m, err := Parse(textOf(d.Cmd, d.Input))
			if err != nil {
				return "error: " + err.Error() + "\n"
			}
			if d.Cmd == "class" {
				payload := m.Streams[0].Events[0].Payload
				s := dumpType(payload.Members[3].Type)
				if r := payload.Members[3].Role; r != 0 {
					s += fmt.Sprintf(" role %#x", r)
				}
				if _, err := new(trace.Layout).Class("e", 0, nil, nil, payload); err != nil {
					s += "\nlayout: " + err.Error()
					var at *trace.RefError
					if errors.As(err, &at) {
						s += fmt.Sprintf(" (%d:%d)", at.Ref.Line, at.Ref.Column)
					}
				}
				return s + "\n"
			}
			return dump(m)
		})
	})
}

const (
	classBefore = `{"type": "preamble", "version": 2}
{"type": "data-stream-class"}
{"type": "event-record-class", "name": "e", "payload-field-class": {"type": "structure", "member-classes": [
{"name": "u8", "field-class": {"type": "fixed-length-unsigned-integer", "length": 8, "byte-order": "little-endian"}},
{"name": "s8", "field-class": {"type": "fixed-length-signed-integer", "length": 8, "byte-order": "little-endian"}},
{"name": "flag", "field-class": {"type": "fixed-length-boolean", "length": 8, "byte-order": "little-endian"}},
{"name": "x", "field-class": `
	classBehind = `}]}}`
)

// textOf makes the metadata of a test. A class stands on the seventh line.
func textOf(command, input string) string {
	if command == "class" {
		fragments := strings.Split(classBefore, "\n")
		for i := range 3 {
			fragments[i] = "\x1e" + fragments[i]
		}
		return strings.Join(fragments, "\n") + input + classBehind
	}
	if strings.HasPrefix(input, "{") {
		input = "\x1e" + strings.ReplaceAll(input, "\n{", "\n\x1e{")
	}
	return input
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
			command, input, _ := strings.Cut(part, "\n")
			input, _, _ = strings.Cut(input, "----")
			texts = append(texts, textOf(command, input))
		}
	}
	return texts
}

// dump writes a model, one thing per line.
func dump(m *schema.Trace) string {
	var b strings.Builder
	fmt.Fprintf(&b, "trace %s\n", m.UUID)
	for _, v := range m.Env {
		fmt.Fprintf(&b, "env %s = %q\n", v.Name, v.String())
	}
	for i := range m.Clocks {
		c := &m.Clocks[i]
		fmt.Fprintf(&b, "clock %s: %d Hz, %d s + %d, epoch %v, precision %d, accuracy %d, identity %s\n", c.Name, c.Frequency, c.Seconds, c.Offset, c.Absolute, c.Precision, c.Accuracy, c.Identity())
	}
	scope := func(name string, t *trace.Type) {
		if t != nil {
			fmt.Fprintf(&b, "%s %s\n", name, dumpType(t))
		}
	}
	scope("packet header", m.PacketHeader)
	for _, s := range m.Streams {
		fmt.Fprintf(&b, "stream %d", s.ID)
		if s.HasClock {
			fmt.Fprintf(&b, " clock %s", s.Clock)
		}
		b.WriteByte('\n')
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

var kinds = map[trace.Kind]string{
	trace.Integer: "int", trace.Float: "float", trace.String: "string", trace.Struct: "struct", trace.Array: "array",
	trace.Variant: "variant", trace.Optional: "optional", trace.Boolean: "boolean", trace.BitMap: "bits",
}

// dumpType writes all of a type that is not zero.
func dumpType(t *trace.Type) string {
	var b strings.Builder
	b.WriteString(kinds[t.Kind])
	put := func(is bool, format string, args ...any) {
		if is {
			fmt.Fprintf(&b, " "+format, args...)
		}
	}
	put(t.Size > 0, "%d", t.Size)
	put(t.Signed, "signed")
	put(t.BigEndian, "be")
	put(t.Reversed, "reversed")
	put(t.Variable, "variable")
	put(t.Base > 0, "base %d", t.Base)
	put(t.Text, "text")
	put(t.Encoding > 0, "%v", t.Encoding)
	put(t.Media != "", "media %s", t.Media)
	for _, l := range append(t.Labels, t.Select...) {
		put(true, "%q=%d...%d", l.Label, l.Low, l.High)
	}
	put(t.Negative, "negative")
	put(t.Above, "above")
	if r := t.Ref; r != nil {
		put(true, "<%v", r.Scope)
		put(r.Up > 0, "up %d", r.Up)
		put(true, "%s>", strings.Join(r.Path, "."))
	}
	put(t.Kind == trace.Array && t.Ref == nil, "[%d]", t.Count)
	put(t.Align > 1, "align %d", t.Align)
	if t.Elem != nil {
		put(true, "of %s", dumpType(t.Elem))
	}
	if t.Kind == trace.Struct || t.Kind == trace.Variant {
		b.WriteString(" {")
		for _, m := range t.Members {
			put(true, "%s: %s", m.Name, dumpType(m.Type))
			for _, r := range m.Select {
				put(true, "%d...%d", r.Low, r.High)
			}
			put(m.Role != 0, "role %#x", m.Role)
			b.WriteByte(';')
		}
		b.WriteString(" }")
	}
	return b.String()
}
