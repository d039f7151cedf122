package ctf

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"synchroscope/internal/peer"
	"synchroscope/trace"
)

// The files in testdata/packets are traces written by hand, and what is read of them.
//
//	metadata           the text of the metadata file; the output is what Open says of it. In that of CTF 2 each
//	                   line that begins with { is a fragment.
//	stream name=NAME   a stream file, as words: u8=1 u16=2 u32=0xc1fc1fc1 u64=3 (b16= b32= b64= big-endian),
//	                   hex bytes, "text" (with its zero byte), zeros=N; a word behind # is left out.
//	                   With append, the file is continued.
//	read               events, losses and anomalies; window=N sets the bytes held at once. With like=PROGRAM the
//	                   events are also compared with what that one reads, where it is installed; context says that
//	                   it shows the packet's context. With resumed, reading is also interrupted before each event.
func TestPackets(t *testing.T) {
	datadriven.Walk(t, "testdata/packets", func(t *testing.T, path string) {
		dir := filepath.Join(t.TempDir(), "trace")
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "metadata":
				write(t, filepath.Join(dir, "metadata"), marked(d.Input), false)
				return describeTrace(dir)
			case "stream":
				var name string
				d.ScanArgs(t, "name", &name)
				b, err := assemble(d.Input)
				if err != nil {
					d.Fatalf(t, "%v", err)
				}
				write(t, filepath.Join(dir, name), b, d.HasArg("append"))
				return ""
			case "read":
				o := Options{}
				d.MaybeScanArgs(t, "window", &o.Window)
				for _, a := range d.CmdArgs {
					if a.Key == "like" {
						for _, program := range a.Vals {
							readLike(t, dir, program, d.HasArg("context"))
						}
					}
				}
				text := readAll(t, dir, o)
				if d.HasArg("resumed") {
					readResumed(t, dir, sorted(text))
				}
				return text
			}
			d.Fatalf(t, "unknown command %q", d.Cmd)
			return ""
		})
	})
}

// marked puts the mark of CTF 2 before each line that begins with an object.
func marked(text string) []byte {
	if strings.HasPrefix(text, "{") {
		text = "\x1e" + strings.ReplaceAll(text, "\n{", "\n\x1e{")
	}
	return []byte(text)
}

func write(t *testing.T, path string, b []byte, more bool) {
	flag := os.O_CREATE | os.O_WRONLY | os.O_TRUNC
	if more {
		flag = os.O_APPEND | os.O_WRONLY
	}
	f, err := os.OpenFile(path, flag, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(b); err != nil {
		t.Fatal(err)
	}
}

func describeTrace(dir string) string {
	tr, err := Open(dir)
	if err != nil {
		return strings.ReplaceAll(err.Error(), filepath.Dir(dir)+string(filepath.Separator), "") + "\n"
	}
	defer tr.Close()
	return fmt.Sprintf("%s: %s\n", tr.Info().Format, strings.Join(tr.Info().Classes, " "))
}

// assemble turns words into bytes.
func assemble(text string) ([]byte, error) {
	var b []byte
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
			if line[0] == '"' {
				q, err := strconv.QuotedPrefix(line)
				if err != nil {
					return nil, fmt.Errorf("%s: %v", line, err)
				}
				s, _ := strconv.Unquote(q)
				b, line = append(append(b, s...), 0), line[len(q):]
				continue
			}
			word, rest, _ := strings.Cut(line, " ")
			line = rest
			kind, number, isNumber := strings.Cut(word, "=")
			if !isNumber {
				kind, number = "u8", "0x"+word
			}
			v, err := strconv.ParseUint(number, 0, 64)
			if err != nil {
				return nil, err
			}
			switch kind {
			case "u8":
				b = append(b, byte(v))
			case "u16":
				b = binary.LittleEndian.AppendUint16(b, uint16(v))
			case "u32":
				b = binary.LittleEndian.AppendUint32(b, uint32(v))
			case "u64":
				b = binary.LittleEndian.AppendUint64(b, v)
			case "b16":
				b = binary.BigEndian.AppendUint16(b, uint16(v))
			case "b32":
				b = binary.BigEndian.AppendUint32(b, uint32(v))
			case "b64":
				b = binary.BigEndian.AppendUint64(b, v)
			case "zeros":
				b = append(b, make([]byte, v)...)
			default:
				return nil, fmt.Errorf("unknown word %q", word)
			}
		}
	}
	return b, nil
}

// Where events have no time their lines begin with the name, and one writes 0 before it.
var (
	timeless = regexp.MustCompile(`(?m)^\b`)
	zero     = regexp.MustCompile(`(?m)^(\[.*?\] )0 `)
)

// readLike compares with another program.
func readLike(t *testing.T, dir, program string, context bool) {
	tool, ok := peer.Program(t, program)
	if !ok {
		return
	}
	out, err := exec.Command(tool, "--clock-seconds", "--no-delta", dir).Output()
	if err != nil {
		t.Fatalf("%s: %v: %.800s", program, err, stderr(err))
	}
	tr, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	out = zero.ReplaceAll(timeless.ReplaceAll(out, []byte("[0.000000000] ")), []byte("$1"))
	c := comparison{t: t, packets: context || program == "babeltrace", values: program == "babeltrace2"}
	c.run(newReader(t, []*Trace{tr}), bytes.NewReader(out), "")
}

// readAll reads a trace to its end: twice, the second time decoding ahead.
func readAll(t *testing.T, dir string, o Options) string {
	o.Ahead = -1
	text := readOnce(t, dir, o)
	o.Ahead = 1
	if ahead := readOnce(t, dir, o); ahead != text {
		t.Errorf("decoding ahead it is\n%s", ahead)
	}
	return text
}

// readResumed holds what one reader has given before each event, and another goes on with, against the lines of both.
func readResumed(t *testing.T, dir, lines string) {
	tr, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	for n := 0; ; n++ {
		var out strings.Builder
		r := newReader(t, []*Trace{tr})
		for range n {
			e, err := r.Next()
			if err != nil {
				return
			}
			writeLosses(r, &out)
			out.Write(appendEvent(nil, e))
		}
		s := newReader(t, []*Trace{tr})
		if err := s.Seek(r.Position()); err != nil {
			t.Fatalf("after %d events: %v", n, err)
		}
		drain(t, s, &out)
		if got := sorted(out.String()); got != lines {
			t.Errorf("resumed after %d events, %s", n, difference(got, lines))
		}
	}
}

func readOnce(t *testing.T, dir string, o Options) string {
	tr, err := Open(dir)
	if err != nil {
		return err.Error()
	}
	defer tr.Close()
	r, err := NewReader([]*Trace{tr}, o)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var out strings.Builder
	drain(t, r, &out)
	if r.Bytes() != tr.Info().Bytes {
		fmt.Fprintf(&out, "%d of %d bytes consumed\n", r.Bytes(), tr.Info().Bytes)
	}
	return out.String()
}

// drain writes what a reader has yet to give, and all anomalies.
func drain(t testing.TB, r *Reader, out io.Writer) {
	for {
		e, err := r.Next()
		for _, l := range r.Losses() {
			what := fmt.Sprint(l.Count)
			switch {
			case l.Packets > 0:
				what = fmt.Sprintf("%d packets", l.Packets)
			case l.Count == 0 && l.Begin == math.MinInt64:
				fmt.Fprintf(out, "not known on cpu %d before %d\n", l.CPU, l.End)
				continue
			case l.Count == 0 && l.End == math.MaxInt64:
				fmt.Fprintf(out, "not known on cpu %d from %d on\n", l.CPU, l.Begin)
				continue
			case l.Count == 0:
				what = "what cannot be read"
			}
			fmt.Fprintf(out, "lost %s on cpu %d from %d to %d\n", what, l.CPU, l.Begin, l.End)
		}
		for _, l := range r.Placed() {
			fmt.Fprintf(out, "lost %d and %d packets on cpu %d from %d to %d, told behind %d\n", l.Count, l.Packets, l.CPU, l.Begin, l.End, l.At)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		out.Write(appendEvent(nil, e))
	}
	for _, a := range r.Anomalies() {
		fmt.Fprintf(out, "%d× %s in %s at %d: %s\n", a.Count, a.Kind, a.Stream, a.Offset, a.Message)
	}
}

func appendEvent(b []byte, e *trace.Event) []byte {
	b = trace.AppendTime(b, e.Time)
	if e.Recorded != e.Time {
		b = append(b, '~')
		b = trace.AppendTime(b, e.Recorded)
	}
	if e.CPU >= 0 {
		b = fmt.Appendf(b, " cpu=%d", e.CPU)
	}
	b = fmt.Appendf(b, " %s", e.Class.Name)
	if c := e.AppendContext(nil); len(c) > 0 {
		b = fmt.Appendf(b, " {%s}", c)
	}
	if p := e.AppendText(nil); len(p) > 0 {
		b = fmt.Appendf(b, " %s", p)
	}
	return append(b, '\n')
}

// stderr is what a program that failed wrote there.
func stderr(err error) []byte {
	var e *exec.ExitError
	if errors.As(err, &e) {
		return e.Stderr
	}
	return nil
}
