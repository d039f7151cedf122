package text

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"synchroscope/trace"
	"synchroscope/trace/ctf"
)

// printed returns the trace in a directory as text.
func printed(t testing.TB, dir string) string {
	t.Helper()
	var b bytes.Buffer
	if err := Print(&b, dir); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The files in testdata/traces are traces as text.
//
//	write  writes the text as a trace and reads it again; the output is the text that comes
//	       back, or "same", or the error
//	read   the events, losses and anomalies that package ctf reads from it
func TestTraces(t *testing.T) {
	datadriven.Walk(t, "testdata/traces", func(t *testing.T, path string) {
		n, dir := 0, ""
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "write":
				n++
				dir = filepath.Join(t.TempDir(), fmt.Sprint("trace", n))
				if err := Write(dir, "text", d.Input); err != nil {
					return err.Error() + "\n"
				}
				got := printed(t, dir)
				if strings.TrimSpace(got) == strings.TrimSpace(d.Input) {
					return "same\n"
				}
				return strings.ReplaceAll(got, "\n\n", "\n")
			case "read":
				return readAll(t, dir)
			}
			d.Fatalf(t, "unknown command %q", d.Cmd)
			return ""
		})
	})
}

// readAll returns what package ctf reads of a trace.
func readAll(t testing.TB, dir string) string {
	t.Helper()
	tr, err := ctf.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	r, err := ctf.NewReader([]*ctf.Trace{tr}, ctf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var b []byte
	for {
		e, err := r.Next()
		for _, l := range r.Losses() {
			b = fmt.Appendf(b, "lost %d on cpu %d from ", l.Count, l.CPU)
			b = append(trace.AppendTime(b, l.Begin), " to "...)
			b = append(trace.AppendTime(b, l.End), '\n')
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		b = trace.AppendTime(b, e.Recorded)
		if e.CPU >= 0 {
			b = fmt.Appendf(b, " cpu=%d", e.CPU)
		}
		b = trace.AppendName(append(b, ' '), e.Class.Name)
		if c := e.AppendContext(nil); len(c) > 0 {
			b = fmt.Appendf(b, " {%s}", c)
		}
		if p := e.AppendText(nil); len(p) > 0 {
			b = fmt.Appendf(b, " %s", p)
		}
		b = append(b, '\n')
	}
	for _, a := range r.Anomalies() {
		b = fmt.Appendf(b, "%d× %s\n", a.Count, a.Kind)
	}
	return string(b)
}

const head = "ctf 1.8 le\nclock c freq=10 seconds=1\nstream 0\npacket-context {timestamp_begin u64:clock(c); cpu_id u8}\nevent-header {id u8; timestamp u64:clock(c)}\n" +
	"event 1 a\n  fields {n u8; l [n]u8; e u8{x=1 y=2}; v variant<e>{x string; y f32}; s [4]u8:char}\nfile f\n"

// Errors name line and column, and what was expected there.
func TestErrors(t *testing.T) {
	const good = `1.0 a n=1 l=[5] e=1:"x" v={x="q"} s="abcd"`
	for _, test := range []struct{ text, want string }{
		{"", `text:1:1: the text is empty`},
		{"env a=1", `text:1:1: the first line must say which format it is: ctf 1.8 or ctf 2`},
		{"ctf 3", `text:1:5: the format is 1.8 or 2, not "3"`},
		{"ctf 2\nctf 2", `text:2:1: the format is given twice`},
		{"ctf 1.8 uuid=12", `text:1:14: "12" is no uuid in its canonical form`},
		{"ctf 1.8\nfoo", `text:2:1: a line cannot begin with "foo"`},
		{"ctf 1.8\nenv a=x", `text:2:7: a variable has an integer of 64 bits or a string in quotes for a value`},
		{"ctf 1.8\nclock c freq=0", `text:2:1: a clock cannot run at 0 Hz`},
		{"ctf 1.8\nstream 0\nevent-context {é u9@3}", `text:3:20: an alignment must be a power of two up to 65536`},
		{"ctf 1.8\nstream 0\nevent-context {a u65}", `text:3:18: "u65}" is no type of a size that there is`},
		{"ctf 1.8\nstream 0\nevent-context {a x}", `text:3:18: expected a type, found "x}"`},
		{"ctf 1.8\nstream 0\nevent-context {a u8{b=256}}", `text:3:23: a label is for values that the integer cannot have`},
		{"ctf 1.8\nstream 0\nevent-context {a u8", `text:3:20: expected ";" between fields, found nothing`},
		{"ctf 1.8\nstream 0\nevent 0 e\nfields {l [n]u8}\nfile f", `text:5:1: stream 0: event "e": payload: field "l": no field "n" stands before it`},
		{"ctf 2\nstream 0\nevent 0 e\nfields {l [~n]u8}\nfile f", `text:5:1: CTF 2: field "l": no field "n" stands before it`},
		{"ctf 1.8\n1.0 a", `text:2:1: an event is part of no file`},
		{head + "1.0 b", `text:9:5: stream 0 has no event "b"`},
		{head + "0.5 a", `text:9:1: clock "c" cannot have the time 0.500000000`},
		{head + "1.x a", `text:9:1: "1.x" is no time in seconds with up to nine decimals`},
		{head + "1.0 cpu=3 a", `text:9:9: the packet is not of CPU 3`},
		{head + "1.0 a", `text:9:6: expected field "n", found nothing`},
		{head + "1.0 a n=256", `text:9:9: field "n": 256 does not fit into 8 bits`},
		{head + "1.0 a n=x", `text:9:9: "x" is no integer that the field can have`},
		{head + "1.0 a n=1 l=[]", `text:9:15: expected field "e", found nothing`},
		{head + `1.0 a n=1 l=[] e=1 v={x="q"}`, `text:9:18: a value for "e", where one for "l" belongs`},
		{head + `1.0 a n=0 l=[5]`, `text:9:14: a value for "l", where one for "e" belongs`},
		{head + `1.0 a n=0 l=[] e=1:"y"`, `text:9:19: the labels of 1 are :"x", not :"y"`},
		{head + `1.0 a n=0 l=[] e=1 v={y=1.5}`, `text:9:25: a value for "v.y", where one for "v.x" belongs`},
		{head + `1.0 a n=0 l=[] e=3`, `text:9:18: variant "v" has no option for 3`},
		{head + `1.0 a n=0 l=[] e=1 v={x="q} s="a"`, `text:9:33: a string in double quotes does not end, or has an escape that is none`},
		{head + `1.0 a n=0 l=[] e=2 v={y=1.0} s="abcde"`, `text:9:32: field "s": 5 characters for 4 elements`},
		{head + good + " z=1", `text:9:44: no field is left for "z=1"`},
		{head + good + " | z=1", `text:9:46: no field is left for "z=1"`},
		{head + "packet end=1.0", `text:9:8: packets of this stream have no field for "end"`},
		{head + "packet colour=1", `text:9:8: "colour" is nothing that a packet has`},
		{head + "packet size=99999999999", `text:9:8: a packet has at most 67108864 bytes`},
		{head + "raw 0", `text:9:5: bytes are written as pairs of hexadecimal digits`},
		{head + good + "\ncut 1\npacket", `text:11:1: a packet is part of no file`},
		{head + "file f", `text:9:1: file "f" is written twice`},
	} {
		err := Write(filepath.Join(t.TempDir(), "trace"), "text", test.text)
		var at *Error
		if err == nil || !errors.As(err, &at) || at.Error() != test.want {
			t.Errorf("%q:\nerror %v, want\n      %s", test.text, err, test.want)
		}
	}
}

// The example in docs/format/text.md is a text that comes back.
func TestDocs(t *testing.T) {
	page, err := os.ReadFile("../../../docs/format/text.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(page), "```\nctf 1.8")
	example, _, ok := strings.Cut("ctf 1.8"+example, "```")
	if !ok {
		t.Fatal("the page has no example")
	}
	dir := filepath.Join(t.TempDir(), "trace")
	if err := Write(dir, "docs/format/text.md", example); err != nil {
		t.Fatal(err)
	}
	if got := printed(t, dir); got != example {
		t.Errorf("what comes back is\n%s", got)
	}
}

// The text of each trace that others have recorded becomes the same text, and the same events.
func TestShared(t *testing.T) {
	const shared = "../../../../shared/traces"
	if _, err := os.Stat(shared); err != nil {
		t.Skipf("the shared traces are not here: %v", err)
	}
	for _, name := range []string{
		"CTF2-7.0-lttng-crash", "CTF2-7.0-smalltrace", "CTF2-7.0-succeed1", "CTF2-7.0-trace-with-index", "CTF2-vl-ints",
		"lttng-crash", "trace-with-index", "multi-domains", "session-rotation", "packet-seq-num", "ctf-sequence-empty", "mpi_allreduce",
	} {
		t.Run(name, func(t *testing.T) {
			dirs, err := ctf.Discover(unpack(t, filepath.Join(shared, name+".tar.gz")))
			if err != nil || len(dirs) == 0 {
				t.Fatalf("%d traces: %v", len(dirs), err)
			}
			for _, dir := range dirs {
				text, again := printed(t, dir), filepath.Join(t.TempDir(), filepath.Base(dir))
				if strings.Contains(text, "\n#") {
					t.Errorf("%s: something was left out: %s", dir, text)
				}
				if err := Write(again, "text", text); err != nil {
					t.Fatal(err)
				}
				if printed(t, again) != text {
					t.Errorf("%s: another text comes back", dir)
				}
				if readAll(t, again) != readAll(t, dir) {
					t.Errorf("%s: other events are read", dir)
				}
			}
		})
	}
}
