package writer_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"synchroscope/trace"
	"synchroscope/trace/ctf"
	"synchroscope/trace/ctf/schema"
	"synchroscope/trace/ctf/tsdl"
	"synchroscope/trace/ctf/writer"
)

const (
	traceUUID = "00010203-0405-0607-0809-0a0b0c0d0e0f"
	clockUUID = "10111213-1415-1617-1819-1a1b1c1d1e1f"
)

// kernel is a trace with the kinds of fields that LTTng's kernel events have.
func kernel() *schema.Trace {
	t := writer.LTTng("web", traceUUID, clockUUID, 1_000_000_000)
	word := func(base uint8) *trace.Type {
		u := writer.Uint(32, false)
		u.Base = base
		return u
	}
	bits := func(n uint32) *trace.Type {
		return &trace.Type{Kind: trace.Integer, Size: n, Align: 1, BigEndian: true}
	}
	kind := writer.Uint(8, false)
	kind.Labels = []trace.Mapping{{Label: "_unknown", High: 5}, {Label: "_tcp", Low: 6, High: 6}, {Label: "_unknown", Low: 7, High: 255}}
	ref := func(name string) *trace.Ref { return &trace.Ref{Path: []string{name}} }
	t.Streams[0].EventContext = trace.NewStruct(1, []trace.Member{{Name: "_prio", Type: writer.Int(8, false)}})
	t.Streams[0].Events = []*schema.Event{
		{ID: 0, Name: "sched_switch", Payload: trace.NewStruct(1, []trace.Member{
			{Name: "_prev_comm", Type: writer.Chars(16)},
			{Name: "_prev_tid", Type: writer.Int(32, false)},
			{Name: "_prev_state", Type: word(16)},
			{Name: "_next_tid", Type: writer.Int(32, false)},
		})},
		{ID: 70000, Name: "net", Context: trace.NewStruct(1, []trace.Member{{Name: "_comm", Type: writer.Text()}}), Payload: trace.NewStruct(1, []trace.Member{
			{Name: "_saddr_length", Type: writer.Uint(16, false)},
			{Name: "_saddr", Type: trace.NewArray(writer.Uint(8, false), 0, ref("_saddr_length"))},
			{Name: "_kind", Type: kind},
			{Name: "_header", Type: &trace.Type{Kind: trace.Variant, Align: 1, Ref: ref("_kind"), Members: []trace.Member{
				{Name: "_unknown", Type: trace.NewStruct(8, nil)},
				{Name: "_tcp", Type: trace.NewStruct(8, []trace.Member{
					{Name: "_offset", Type: bits(4)}, {Name: "_reserved", Type: bits(3)}, {Name: "_flags", Type: bits(9)},
					{Name: "_ratio", Type: &trace.Type{Kind: trace.Float, Size: 64, Align: 8}},
				})},
			}}},
			{Name: "_n", Type: writer.Uint(8, false)},
			{Name: "_args", Type: trace.NewArray(trace.NewStruct(1, []trace.Member{
				{Name: "_k", Type: writer.Text()}, {Name: "_v", Type: writer.Int(64, true)},
			}), 0, ref("_n"))},
		})},
	}
	return t
}

// fill writes some of these events, in several packets.
func fill(t testing.TB, d *writer.Dir) {
	t.Helper()
	s, err := d.Stream("channel0_0", writer.StreamOptions{CPU: 3, PacketSize: 4096, PacketAlign: 4096})
	if err != nil {
		t.Fatal(err)
	}
	sw, net := d.Class(0, "sched_switch"), d.ClassByID(0, 70000)
	for i := range 200 {
		now := uint64(1e9 + i*1e7)
		if i >= 100 {
			now += 5e9 // more than 32 bits
		}
		s.Begin(sw, now)
		s.Int(int64(i%100) - 50)
		s.String(fmt.Sprint("task-", i))
		s.Int(int64(-i))
		s.Int(int64(i))
		s.Int(1 << 30)
		if err := s.End(); err != nil {
			t.Fatal(err)
		}
		s.Begin(net, now+1)
		s.Int(-1)
		s.String("bash")
		s.Int(4)
		s.Bytes([]byte{10, 0, 0, byte(i)})
		if i%2 == 0 {
			s.Int(6)
			s.Int(5)
			s.Int(7)
			s.Int(300)
			s.Float(0.5)
		} else {
			s.Int(17)
		}
		s.Int(int64(i % 3))
		for k := range i % 3 {
			s.String(strings.Repeat("x", k))
			s.Int(int64(-k))
		}
		if err := s.End(); err != nil {
			t.Fatal(err)
		}
		switch i {
		case 50:
			s.Discard(7)
		case 150:
			s.Lose(2)
		}
	}
}

// read returns the events, losses and anomalies of a trace as text.
func read(t testing.TB, dir string) string {
	t.Helper()
	tr, err := ctf.Open(dir)
	if err != nil {
		b, _ := os.ReadFile(filepath.Join(dir, "metadata"))
		t.Fatalf("%v\n%s", err, b)
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
			b = fmt.Appendf(b, "lost %d on cpu %d from %d to %d\n", l.Count, l.CPU, l.Begin, l.End)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		b = trace.AppendTime(b, e.Recorded)
		b = fmt.Appendf(b, " cpu=%d %s {%s} %s\n", e.CPU, e.Class.Name, e.AppendContext(nil), e.AppendText(nil))
	}
	for _, a := range r.Anomalies() {
		b = fmt.Appendf(b, "%d× %s: %s\n", a.Count, a.Kind, a.Message)
	}
	return string(b)
}

// write writes the trace above in a new directory.
func write(t testing.TB, m *schema.Trace, o writer.Options) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "trace")
	d, err := writer.Create(dir, m, o)
	if err != nil {
		t.Fatal(err)
	}
	fill(t, d)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// What is written is read back.
func TestWriter(t *testing.T) {
	text := read(t, write(t, kernel(), writer.Options{}))
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, want := range []string{
		`lost 7 on cpu 3 from 2000000000 to 2510000001`,
		`2.000000000 cpu=3 sched_switch {prio=-50} prev_comm="task-0" prev_tid=0 prev_state=0x0 next_tid=1073741824`,
		`2.000000001 cpu=3 net {prio=-1 comm="bash"} saddr_length=4 saddr=[10,0,0,0] kind=6:"_tcp" header={tcp={offset=5 reserved=7 flags=300 ratio=0.5}} n=0 args=[]`,
		`2.010000000 cpu=3 sched_switch {prio=-49} prev_comm="task-1" prev_tid=-1 prev_state=0x1 next_tid=1073741824`,
		`2.010000001 cpu=3 net {prio=-1 comm="bash"} saddr_length=4 saddr=[10,0,0,1] kind=17:"_unknown" header={unknown={}} n=1 args=[{k="" v=0}]`,
	} {
		if lines[i] != want {
			t.Errorf("line %d is\n%s, want\n%s", i, lines[i], want)
		}
	}
	if n := strings.Count(text, " cpu="); n != 400 {
		t.Errorf("%d events, want 400", n)
	}
	if want := "1× lost-packets: packets "; !strings.Contains(text, want) {
		t.Errorf("no %q in %s", want, lines[len(lines)-1])
	}
	if !strings.Contains(text, "8.990000001 cpu=3 net") { // behind more than 32 bits of time
		t.Error("the last event has another time")
	}
}

// The packets, the index and the other format change nothing of what is read.
func TestForms(t *testing.T) {
	want := read(t, write(t, kernel(), writer.Options{}))
	for _, o := range []writer.Options{
		{Packets: true},
		{Index: true},
		{Format: writer.CTF2},
		{Format: writer.CTF2, Index: true},
	} {
		if got := read(t, write(t, kernel(), o)); got != want {
			t.Errorf("%+v: read %s, want %s", o, got, want)
		}
	}
}

// The metadata that is written means what it was written from.
func TestMetadata(t *testing.T) {
	m := kernel()
	b, err := writer.TSDL(m)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := tsdl.Parse(string(b))
	if err != nil {
		t.Fatalf("%v in\n%s", err, b)
	}
	again, err := writer.TSDL(parsed)
	if err != nil || string(again) != string(b) {
		t.Errorf("%v: from what was parsed comes\n%s, it was\n%s", err, again, b)
	}
}

// Errors name the field and the value.
func TestErrors(t *testing.T) {
	for _, test := range []struct {
		name, want string
		write      func(s *writer.Stream, c *writer.Class)
	}{
		{"kind", `field "prio" is given a string and is none`, func(s *writer.Stream, c *writer.Class) { s.Begin(c, 1); s.String("x") }},
		{"size", `field "prio": 128 does not fit into 8 bits`, func(s *writer.Stream, c *writer.Class) { s.Begin(c, 1); s.Int(128) }},
		{"early", `an event ends before field "prev_comm" has a value`, func(s *writer.Stream, c *writer.Class) { s.Begin(c, 1); s.Int(1) }},
		{"late", `an integer is given and no field is left`, func(s *writer.Stream, c *writer.Class) {
			s.Begin(c, 1)
			s.Int(1)
			s.String("x")
			for i := range 4 {
				s.Int(int64(i))
			}
		}},
		{"long", `field "prev_comm": 17 characters for 16 elements`, func(s *writer.Stream, c *writer.Class) {
			s.Begin(c, 1)
			s.Int(1)
			s.String("12345678901234567")
		}},
		{"never", `an event ends that has not begun`, func(s *writer.Stream, c *writer.Class) {}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w, err := writer.New(kernel(), writer.CTF18)
			if err != nil {
				t.Fatal(err)
			}
			s, err := w.NewStream(io.Discard, writer.StreamOptions{})
			if err != nil {
				t.Fatal(err)
			}
			test.write(s, w.Class(0, "sched_switch"))
			if err := s.End(); err == nil || err.Error() != test.want {
				t.Errorf("error %v, want %s", err, test.want)
			}
			if err := s.Close(); err == nil {
				t.Error("the stream has lost its error")
			}
		})
	}
}

// A cut stream lacks the end of its last packet.
func TestCut(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "trace")
	d, err := writer.Create(dir, kernel(), writer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := d.Stream("s", writer.StreamOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		s.Begin(d.Class(0, "sched_switch"), uint64(i))
		s.Int(0)
		s.String("x")
		for range 3 {
			s.Int(1)
		}
		if err := s.End(); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Cut(1); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	text := read(t, dir)
	if n := strings.Count(text, "sched_switch"); n != 2 || !strings.Contains(text, "truncated") {
		t.Errorf("%d events are left, want 2, in %s", n, text)
	}
}

// What the formats have no words for is refused, and said.
func TestRefused(t *testing.T) {
	for want, payload := range map[string]*trace.Type{
		`field "no name" is no name`:              {Kind: trace.Struct, Members: []trace.Member{{Name: "no name", Type: writer.Text()}}},
		`field "int" is no name`:                  {Kind: trace.Struct, Members: []trace.Member{{Name: "int", Type: writer.Text()}}},
		`no type like a boolean`:                  {Kind: trace.Struct, Members: []trace.Member{{Name: "_b", Type: &trace.Type{Kind: trace.Boolean, Size: 8}}}},
		`field "v": no field "tag" stands before`: {Kind: trace.Struct, Members: []trace.Member{{Name: "_v", Type: trace.NewArray(writer.Text(), 0, &trace.Ref{Path: []string{"tag"}})}}},
	} {
		m := kernel()
		m.Streams[0].Events[0].Payload = payload
		if _, err := writer.New(m, writer.CTF18); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}
