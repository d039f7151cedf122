package ctf

import (
	"bufio"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"synchroscope/internal/peer"
)

// An oracle is the program that reads an archive wholly.
type oracle struct {
	program string
	origin  bool // the clock's origin is beyond int64: theirs has wrapped, ours is left out
}

var oracles = map[string]oracle{
	"scp":                      {program: "babeltrace"},
	"hello-lost":               {program: "babeltrace"},
	"multi-domains":            {program: "babeltrace"},
	"context-switches-ust":     {program: "babeltrace"},
	"lttng-tracefile-rotation": {program: "babeltrace"},
	"session-rotation":         {program: "babeltrace"},
	"uneven-streams":           {program: "babeltrace"},
	"mpi_allreduce":            {program: "babeltrace"},
	"many-threads":             {program: "babeltrace"},
	"funky_trace":              {program: "babeltrace", origin: true},
	"ctfwriter_JF8nq3":         {program: "babeltrace", origin: true},
	"lttng-crash":              {program: "babeltrace"},
	"trace-with-index":         {program: "babeltrace"},
	"ust-3hosts":               {program: "babeltrace"},
	"http-3hosts":              {program: "babeltrace"},
	"drift-3hosts":             {program: "babeltrace"},
	"shop-4hosts":              {program: "babeltrace"},
	"ctf-sequence-empty":       {program: "babeltrace2"}, // where the other sees no empty sequence
	"packet-seq-num":           {program: "babeltrace2"}, // where the other prints times in another way
}

// sampled chooses, by the time of an event, whether all its fields are compared; names and
// times always are. In the race detector it is one in 16.
func sampled(time int64) bool {
	return !raceEnabled || uint64(time)*0x9e3779b97f4a7c15>>60 == 0
}

// Names, times and all field values, contexts included, are those that babeltrace reads.
func TestBabeltrace(t *testing.T) {
	if testing.Short() {
		t.Skip("compares two million events")
	}
	for name, o := range oracles {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tool, ok := peer.Program(t, o.program)
			if !ok {
				t.SkipNow()
			}
			for _, tr := range openAll(t, unpack(t, name+".tar.gz")) {
				cmd := exec.Command(tool, "--clock-seconds", "--no-delta", tr.Dir())
				out, err := cmd.StdoutPipe()
				if err != nil {
					t.Fatal(err)
				}
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				c := comparison{t: t, origin: o.origin, packets: o.program == "babeltrace"}
				c.run(newReader(t, []*Trace{tr}), out, tr.Info().Hostname)
				io.Copy(io.Discard, out)
				cmd.Wait()
			}
		})
	}
}

// A line is an event as one of the two says it.
type line struct {
	time int64
	name string
	text func() string // of the fields, one per line; nil if they are not compared
	said string
}

// A comparison reads both and pairs what is the same; events of one time may come in
// another order.
type comparison struct {
	t            *testing.T
	origin       bool
	packets      bool
	values       bool   // names are not compared: one of the programs leaves out those of options
	ours, theirs []line // that have no partner yet
}

// maxApart is how far apart partners may come.
const maxApart = 100

func (c *comparison) run(r *Reader, out io.Reader, host string) {
	c.t.Helper()
	s := bufio.NewScanner(out)
	s.Buffer(nil, 1<<20)
	var shift int64
	for n := 0; ; n++ {
		e, err := r.Next()
		more := s.Scan()
		if more != (err == nil) {
			c.t.Fatalf("after %d events: %v; babeltrace has more: %v", n, err, more)
		}
		if err == io.EOF {
			break
		}
		theirs := readTheir(c.t, s.Text(), host, c.packets)
		ours := line{time: e.Recorded, name: e.Class.Name}
		if n == 0 && c.origin {
			shift = theirs.time - ours.time
		}
		ours.time += shift
		if sampled(ours.time) {
			text := string(e.AppendText(append(e.AppendContext(nil), ' ')))
			ours.text = sync.OnceValue(func() string { return flatten(c.t, text, false) })
		}
		c.pair(ours, theirs)
	}
	if len(c.ours) > 0 {
		c.fail()
	}
}

// pair finds partners among what is left.
func (c *comparison) pair(ours, theirs line) {
	c.t.Helper()
	if len(c.ours) == 0 && c.same(&ours, &theirs) {
		return
	}
	c.ours, c.theirs = append(c.ours, ours), append(c.theirs, theirs)
	for i := 0; i < len(c.ours); {
		j := slices.IndexFunc(c.theirs, func(k line) bool { return c.same(&c.ours[i], &k) })
		if j < 0 {
			i++
			continue
		}
		c.ours, c.theirs = slices.Delete(c.ours, i, i+1), slices.Delete(c.theirs, j, j+1)
	}
	if len(c.ours) > maxApart {
		c.fail()
	}
}

func (c *comparison) fail() {
	c.t.Helper()
	o, n := &c.ours[0], &c.theirs[0]
	c.t.Fatalf("event %s at %d has no partner\n%s\nto babeltrace there is\n%s", o.name, o.time, o.fields(), n.said+"\n"+n.fields())
}

func (l *line) fields() string {
	if l.text == nil {
		return ""
	}
	return l.text()
}

func (c *comparison) same(ours, theirs *line) bool {
	return ours.time == theirs.time && ours.name == theirs.name && (ours.text == nil || theirs.text == nil || c.seen(ours.text()) == c.seen(theirs.text()))
}

// seen is what is compared of the fields.
func (c *comparison) seen(fields string) string {
	if c.values {
		fields = paths.ReplaceAllString(fields, "")
	}
	return fields
}

var paths = regexp.MustCompile(`(?m)^\S+ `)

// readTheir reads a line such as [12.000000001] host name: { cpu_id = 0 }, { field = 1 }. Where
// a packet has no context, one of the programs writes { } nevertheless: always.
func readTheir(t *testing.T, said, host string, always bool) line {
	t.Helper()
	stamp, rest, ok := strings.Cut(strings.TrimPrefix(said, "["), "] ")
	name, fields, ok2 := strings.Cut(rest, ": {")
	if !ok2 {
		name, ok2 = strings.CutSuffix(rest, ": ") // no fields at all
	}
	if !ok || !ok2 {
		t.Fatalf("line %q", said)
	}
	stamp = strings.TrimSpace(strings.Replace(stamp, ".", "", 1))
	ns, err := strconv.ParseUint(strings.TrimPrefix(stamp, "-"), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	if host != "" && strings.HasPrefix(name, host) { // host, or host:program:pid
		_, name, _ = strings.Cut(name, " ")
	}
	l := line{time: int64(ns), name: name, said: said}
	if !sampled(l.time) {
		return l
	}
	l.text = sync.OnceValue(func() string {
		groups := strings.Split("{"+fields, " }, {")
		for i, g := range groups {
			groups[i] = strings.TrimSuffix(strings.TrimPrefix(g, "{"), "}")
		}
		if len(groups) > 1 && (always || strings.HasPrefix(groups[0], " cpu_id = ")) {
			groups = groups[1:] // the packet's context
		}
		return flatten(t, strings.Join(groups, ", "), true)
	})
	return l
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

var named = regexp.MustCompile(`^(?:\w+ = |\})`)

func (f *flattener) value(path string) {
	f.space()
	switch {
	case f.take('{'):
		if f.space(); f.raw && !named.MatchString(f.rest) { // theirs: an option without its name
			f.value(path)
			f.take('}')
			return
		}
		f.fields(path, '}')
	case f.take('['):
		for i := 0; !f.take(']') && f.rest != "" && f.err == nil; i++ {
			if f.raw && f.take('[') { // theirs: [0] = 1
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
