package ctf

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// compared are traces that babeltrace reads wholly. Its times of mpi_allreduce, whose clock runs
// at 3.29 GHz, are rounded another way.
var compared = map[string]int64{ // ns that times may differ by
	"scp.tar.gz":                      0,
	"hello-lost.tar.gz":               0,
	"multi-domains.tar.gz":            0,
	"context-switches-ust.tar.gz":     0,
	"lttng-tracefile-rotation.tar.gz": 0,
	"session-rotation.tar.gz":         0,
	"uneven-streams.tar.gz":           0,
	"mpi_allreduce.tar.gz":            1,
}

// Names, times and all field values are those that babeltrace reads.
func TestBabeltrace(t *testing.T) {
	tool, err := exec.LookPath("babeltrace")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("babeltrace is not installed, but this run is to compare with it")
		}
		t.Skip("babeltrace is not installed")
	}
	if testing.Short() {
		t.Skip("compares all fields of 260 000 events")
	}
	for name, slack := range compared {
		t.Run(strings.TrimSuffix(name, ".tar.gz"), func(t *testing.T) {
			t.Parallel()
			for _, tr := range openAll(t, unpack(t, name)) {
				cmd := exec.Command(tool, "--clock-seconds", "--no-delta", tr.Dir())
				out, err := cmd.StdoutPipe()
				if err != nil {
					t.Fatal(err)
				}
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				theirs := readTheirs(t, out, tr.Info().Hostname)
				cmd.Wait()
				compare(t, readOurs(t, tr), theirs, slack)
			}
		})
	}
}

// A line is an event as both sides say it.
type line struct {
	time   int64
	text   string // name and fields
	source string
}

func compare(t *testing.T, ours, theirs []line, slack int64) {
	t.Helper()
	if len(ours) != len(theirs) {
		t.Fatalf("%d events, babeltrace reads %d", len(ours), len(theirs))
	}
	// Events of one time may come in another order.
	order := func(a, b line) int { return strings.Compare(a.text, b.text) }
	slices.SortStableFunc(ours, order)
	slices.SortStableFunc(theirs, order)
	for i := range ours {
		if ours[i].text != theirs[i].text {
			t.Fatalf("event\n%s\nis\n%s\nto babeltrace\n%s", ours[i].source, ours[i].text, theirs[i].text)
		}
		if d := ours[i].time - theirs[i].time; d > slack || d < -slack {
			t.Fatalf("event %s is %d ns off", ours[i].source, d)
		}
	}
}

func readOurs(t *testing.T, tr *Trace) []line {
	var lines []line
	for r := newReader(t, []*Trace{tr}); ; {
		e, err := r.Next()
		if err == io.EOF {
			return lines
		}
		if err != nil {
			t.Fatal(err)
		}
		text := string(e.AppendText(nil))
		lines = append(lines, line{e.Recorded, e.Class.Name + "\n" + flatten(t, text, false), string(appendEvent(nil, e))})
	}
}

// readTheirs reads lines such as [12.000000001] host name: { cpu_id = 0 }, { field = 1 }.
func readTheirs(t *testing.T, out io.Reader, host string) []line {
	var lines []line
	s := bufio.NewScanner(out)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		stamp, rest, ok := strings.Cut(strings.TrimPrefix(s.Text(), "["), "] ")
		name, fields, ok2 := strings.Cut(rest, ": {")
		if !ok || !ok2 {
			t.Fatalf("line %q", s.Text())
		}
		whole, frac, _ := strings.Cut(stamp, ".")
		ns, err := strconv.ParseInt(whole+frac, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		if host != "" && strings.HasPrefix(name, host) { // host, or host:program:pid
			_, name, _ = strings.Cut(name, " ")
		}
		groups := strings.Split("{"+fields, " }, {")
		payload := strings.TrimSuffix(strings.TrimPrefix(groups[len(groups)-1], "{"), "}")
		lines = append(lines, line{ns, name + "\n" + flatten(t, payload, true), s.Text()})
	}
	return lines
}

// flatten writes fields, in our text or theirs, as one "path value" per line.
// Labels are left out, numbers made decimal, and floats rounded. In raw text strings have no escapes.
func flatten(t *testing.T, text string, raw bool) string {
	f := &flattener{rest: text, raw: raw}
	f.fields("", 0)
	if f.err != nil {
		t.Fatalf("%v in %s", f.err, text)
	}
	return f.out.String()
}

type flattener struct {
	rest string
	raw  bool // theirs: strings are not escaped
	out  strings.Builder
	err  error
}

func (f *flattener) space() { f.rest = strings.TrimLeft(f.rest, " ,") }

func (f *flattener) take(c byte) bool {
	f.space()
	if f.rest != "" && f.rest[0] == c {
		f.rest = f.rest[1:]
		return true
	}
	return false
}

func (f *flattener) word() string {
	f.space()
	i := strings.IndexAny(f.rest, " =,]}:)")
	if i < 0 {
		i = len(f.rest)
	}
	w := f.rest[:i]
	f.rest = f.rest[i:]
	return w
}

func (f *flattener) fields(path string, end byte) {
	for f.space(); f.rest != "" && f.err == nil && !(end != 0 && f.take(end)); f.space() {
		name := f.word()
		if !f.take('=') {
			f.err = fmt.Errorf("no = behind %q", name)
			return
		}
		f.value(path + "." + name)
	}
}

func (f *flattener) value(path string) {
	f.space()
	switch {
	case f.take('{'):
		f.fields(path, '}')
	case f.take('['):
		for i := 0; !f.take(']') && f.rest != "" && f.err == nil; i++ {
			if f.take('[') { // theirs: [0] = 1
				f.word()
				f.take(']')
				f.take('=')
			}
			f.value(fmt.Sprintf("%s[%d]", path, i))
		}
	case f.take('('): // theirs: ( "label" : container = 1 )
		_, rest, _ := strings.Cut(f.rest, ": container = ")
		f.rest = rest
		f.value(path)
		f.take(')')
	case strings.HasPrefix(f.rest, `"`):
		fmt.Fprintf(&f.out, "%s %q\n", path, f.text())
	default:
		f.number(path)
	}
}

// text reads a string. Without escapes it ends at the first quote that something may follow.
func (f *flattener) text() string {
	if f.raw {
		for i := 1; i < len(f.rest); i++ {
			if f.rest[i] == '"' && (i+1 == len(f.rest) || strings.IndexByte(", ", f.rest[i+1]) >= 0) {
				s := f.rest[1:i]
				f.rest = f.rest[i+1:]
				return s
			}
		}
	}
	q, err := strconv.QuotedPrefix(f.rest)
	if err != nil {
		f.err = err
		return ""
	}
	f.rest = f.rest[len(q):]
	s, _ := strconv.Unquote(q)
	return s
}

func (f *flattener) number(path string) {
	word := f.word()
	for strings.HasPrefix(f.rest, `:"`) { // ours: 1:"label"
		q, _ := strconv.QuotedPrefix(f.rest[1:])
		f.rest = f.rest[1+len(q):]
	}
	if v, err := strconv.ParseInt(word, 0, 64); err == nil {
		fmt.Fprintf(&f.out, "%s %d\n", path, v)
	} else if v, err := strconv.ParseUint(word, 0, 64); err == nil {
		fmt.Fprintf(&f.out, "%s %d\n", path, v)
	} else if v, err := strconv.ParseFloat(word, 64); err == nil {
		fmt.Fprintf(&f.out, "%s %.5g\n", path, v)
	} else {
		f.err = err
	}
}
