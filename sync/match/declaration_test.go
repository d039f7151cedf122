package match

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"synchroscope/trace/tracetest"
)

// "parse": a text, and what is wrong with it, with its line. "extract": events behind a text and "--", and
// which of them have equal keys and equal ports, by letters in order of first sight.
func TestDeclarations(t *testing.T) {
	datadriven.RunTest(t, "testdata/declarations", func(t *testing.T, d *datadriven.TestData) string {
		text, events, _ := strings.Cut(d.Input, "--\n")
		declared, err := ParseDeclarations("file", text)
		if err != nil {
			return err.Error() + "\n"
		}
		if d.Cmd == "parse" {
			return fmt.Sprintf("%s\n", fields(len(declared.list)))
		}
		name := "here"
		d.MaybeScanArgs(t, "host", &name)
		x := NewExtractor(0)
		x.Declare(declared, name)
		letters := make(map[any]string)
		letter := func(v any) string {
			if letters[v] == "" {
				letters[v] = string(rune('A' + len(letters)))
			}
			return letters[v]
		}
		var out strings.Builder
		for _, ev := range tracetest.Parse(t, events) {
			e, ok := x.Extract(ev)
			if !ok {
				out.WriteString("none\n")
				continue
			}
			fmt.Fprintf(&out, "%s key %s", [...]string{"send", "receive"}[e.Direction], letter(e.Key))
			if e.Port != 0 {
				fmt.Fprintf(&out, " port %s", letter(e.Port))
			}
			fmt.Fprintf(&out, " %d bytes\n", e.Bytes)
		}
		return out.String()
	})
}

func FuzzParseDeclarations(f *testing.F) {
	f.Add(builtin)
	f.Add("message x # y\nsend a* key=b,c peer=d\nreceive [a-b] key=b,c peer=e end=f\n")
	f.Fuzz(func(t *testing.T, text string) {
		d, err := ParseDeclarations("file", text)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "file") {
				t.Fatalf("%q does not name the file", err)
			}
			return
		}
		d.find("a")
		if both, err := ParseDeclarations("file", text+"\n"+text); len(text) < MaxDeclarations/2 && len(d.list) <= maxDeclaredEvents/2 && (err != nil || len(both.list) != 2*len(d.list)) {
			t.Fatalf("a text said twice: %v", err)
		}
	})
}
