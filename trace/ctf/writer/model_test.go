package writer_test

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/trace"
	"synchroscope/trace/ctf"
	"synchroscope/trace/ctf/schema"
	"synchroscope/trace/ctf/text"
	"synchroscope/trace/ctf/writer"
)

// A draw makes types and values. Names say what values a field may have: _n… are lengths, _e… selectors.
type draw struct {
	*rapid.T
	two     bool // also what only CTF 2 has
	plain   bool // only what every program writes in the same way
	big     bool // the byte order of fields that may share a byte with others, which must be one
	count   int
	lengths []string // fields that may be lengths where a type stands
	enums   []*trace.Type
	names   []string // of enums
	flags   []string // booleans
}

func (d *draw) int(low, high int) int { return rapid.IntRange(low, high).Draw(d.T, "int") }
func (d *draw) bool() bool            { return rapid.Bool().Draw(d.T, "bool") }

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (d *draw) align(from uint32) uint32 { return from << d.int(0, 3) }

func (d *draw) integer() *trace.Type {
	t := &trace.Type{Kind: trace.Integer, Size: uint32(d.int(1, 64)), Align: d.align(1), Signed: d.bool(), BigEndian: d.big}
	if d.bool() {
		t.Size, t.Align, t.BigEndian = []uint32{8, 16, 32, 64}[d.int(0, 3)], 8, d.bool()
	}
	if t.Base = []uint8{0, 2, 8, 16}[d.int(0, 3)]; d.plain {
		t.Base = 0
	}
	if d.two && d.int(0, 3) == 0 {
		*t = trace.Type{Kind: trace.Integer, Size: 64, Align: 8, Variable: true, Signed: t.Signed}
	}
	t.Reversed = d.two && !t.Variable && d.int(0, 3) == 0
	return t
}

// members draws the fields of a struct; what is declared in it can be seen in it only.
func (d *draw) members(depth int) []trace.Member {
	before := *d
	var ms []trace.Member
	for range d.int(0, 5) {
		d.count++
		name, t := fmt.Sprintf("_f%d", d.count), (*trace.Type)(nil)
		switch k := d.int(0, 7); {
		case k == 0:
			name = fmt.Sprintf("_n%d", d.count)
			t = &trace.Type{Kind: trace.Integer, Size: uint32(d.int(2, 64)), Align: d.align(1), BigEndian: d.big}
			d.lengths = append(d.lengths, name)
		case k == 1:
			name = fmt.Sprintf("_e%d", d.count)
			t = &trace.Type{Kind: trace.Integer, Size: uint32(d.int(4, 16)), Align: d.align(1), Signed: d.bool(), BigEndian: d.big}
			t.Labels = []trace.Mapping{{Label: "_a", High: 1}, {Label: "_b", Low: 2, High: 2}, {Label: "_a", Low: 3, High: 4}}
			d.enums, d.names = append(d.enums, t), append(d.names, name)
		case k == 2 && d.two:
			name = fmt.Sprintf("_b%d", d.count)
			t = &trace.Type{Kind: trace.Boolean, Size: uint32(d.int(1, 64)), Align: d.align(1), BigEndian: d.big}
			d.flags = append(d.flags, name)
		default:
			t = d.typ(depth)
		}
		ms = append(ms, trace.Member{Name: name, Type: t})
	}
	count := d.count
	*d = before
	d.count = count
	return ms
}

func (d *draw) ref(names []string) *trace.Ref {
	return &trace.Ref{Path: []string{names[d.int(0, len(names)-1)]}}
}

func (d *draw) typ(depth int) *trace.Type {
	chars := &trace.Type{Kind: trace.Integer, Size: 8, Align: 8, Text: true}
	text := &trace.Type{Kind: trace.String, Align: 8}
	if d.two {
		text.Encoding = trace.Encoding(d.int(0, int(trace.Encodings)-1))
	}
	switch k := d.int(0, 9); {
	case k == 0:
		return text
	case k == 1:
		return &trace.Type{Kind: trace.Float, Size: []uint32{32, 64}[d.int(0, 1)], Align: d.align(8), BigEndian: d.bool()}
	case k == 2:
		return trace.NewArray(chars, uint64(d.int(bit(d.plain), 9)), nil)
	case k == 3 && depth > 0:
		return trace.NewStruct(d.align(1), d.members(depth-1))
	case k == 4 && depth > 0:
		return trace.NewArray(d.typ(depth-1), uint64(d.int(0, 3)), nil)
	case k == 5 && depth > 0 && len(d.lengths) > 0:
		ref := d.ref(d.lengths)
		return trace.NewArray(d.typ(depth-1), 0, ref)
	case k == 6 && depth > 0 && len(d.enums) > 0:
		return &trace.Type{Kind: trace.Variant, Align: 1, Ref: d.ref(d.names), Members: []trace.Member{
			{Name: "_b", Type: d.typ(depth - 1)}, {Name: "_a", Type: d.typ(depth - 1)},
		}}
	case k == 7 && depth > 0 && len(d.flags) > 0:
		return &trace.Type{Kind: trace.Optional, Ref: d.ref(d.flags), Elem: d.integer()}
	case k == 8 && d.two:
		return &trace.Type{Kind: trace.BitMap, Size: 16, Align: 1, BigEndian: d.big, Labels: []trace.Mapping{{Label: "x", Low: 0, High: 3}, {Label: "y", Low: 5, High: 15}}}
	}
	return d.integer()
}

// clock draws one that shows seconds since 1970.
func (d *draw) clock() schema.Clock {
	frequencies := []uint64{1e9, 1e9, 3_290_000_000, 999e6, 24e6}
	if !d.plain { // others divide in doubles where it is wrong
		frequencies = append(frequencies, 1e6)
	}
	c := schema.Clock{Name: "c", Frequency: rapid.SampledFrom(frequencies).Draw(d.T, "frequency"), Seconds: 5, Absolute: true}
	c.Offset = rapid.Int64Range(0, int64(c.Frequency-1)).Draw(d.T, "origin")
	return c
}

func (d *draw) schema() *schema.Trace {
	big := d.bool()
	d.big = big
	m := &schema.Trace{
		UUID:      "00010203-0405-0607-0809-0a0b0c0d0e0f",
		BigEndian: big,
		Clocks:    []schema.Clock{d.clock()},
	}
	if d.bool() {
		m.PacketHeader = writer.PacketHeader(big)
	}
	s := &schema.Stream{ID: 0}
	if d.bool() {
		s.PacketContext = writer.PacketContext(big, "c")
	} else {
		s.PacketContext = trace.NewStruct(1, []trace.Member{
			{Name: "content_size", Type: &trace.Type{Kind: trace.Integer, Size: 29, Align: 1, BigEndian: big}, Role: trace.ContentSize},
			{Name: "packet_size", Type: &trace.Type{Kind: trace.Integer, Size: 35, Align: 1, BigEndian: big}, Role: trace.PacketSize},
		})
	}
	s.EventHeader = []func(bool, string) *trace.Type{writer.CompactHeader, writer.LargeHeader}[d.int(0, 1)](big, "c")
	if d.bool() {
		s.EventContext = trace.NewStruct(1, d.members(1))
	}
	for i := range d.int(1, 3) {
		e := &schema.Event{ID: uint64(i * d.int(1, 40)), Name: fmt.Sprint("event", i), Payload: trace.NewStruct(1, d.members(4))}
		if d.bool() {
			e.Context = trace.NewStruct(d.align(1), d.members(1))
		}
		if i > 0 && e.ID == 0 {
			e.ID = uint64(1000 + i)
		}
		s.Events = append(s.Events, e)
	}
	slices.SortFunc(s.Events, func(a, b *schema.Event) int { return int(a.ID) - int(b.ID) })
	s.Events = slices.CompactFunc(s.Events, func(a, b *schema.Event) bool { return a.ID == b.ID })
	m.Streams = []*schema.Stream{s}
	return m
}

// event writes an event of random values and returns what they look like.
func (d *draw) event(s *writer.Stream, c *writer.Class, cycles uint64) []string {
	s.Begin(c, cycles)
	var values []string
	for {
		t, bits, path, room, ok := s.Waiting()
		if !ok {
			return values
		}
		values = append(values, d.value(s, t, bits, path[strings.LastIndexByte(path, '.')+1:], room))
	}
}

// value gives the writer the next value.
func (d *draw) value(s *writer.Stream, t *trace.Type, size uint32, name string, room uint64) string {
	switch {
	case t.Kind == trace.String || t.Text:
		text := rapid.StringMatching(`[a-zé€𝄞"\\ |^]{0,5}`).Draw(d.T, "text")
		if uint64(len(text)) > room || d.plain && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz") != "" {
			text = ""
		}
		s.String(text)
		return strconv.Quote(text)
	case t.Kind == trace.Float:
		v := float64(rapid.Float32().Draw(d.T, "float"))
		if d.plain {
			v = float64(d.int(-4000, 4000)) / 4
		}
		s.Float(v)
		return strconv.FormatFloat(v, 'g', -1, 64)
	case t.Kind == trace.Boolean:
		v := d.int(0, 1)
		s.Int(int64(v))
		return strconv.FormatBool(v == 1)
	case strings.HasPrefix(name, "n"):
		v := d.int(0, 3)
		s.Int(int64(v))
		return strconv.Itoa(v)
	case strings.HasPrefix(name, "e"):
		v := d.int(0, 4)
		s.Int(int64(v))
		return strconv.Itoa(v)
	}
	v := rapid.Int64().Draw(d.T, "value")
	if drop := 64 - size; t.Signed {
		v = v << drop >> drop
		s.Int(v)
	} else {
		v = int64(uint64(v) << drop >> drop)
		s.Uint(uint64(v))
	}
	bits := uint64(v) << (64 - size) >> (64 - size)
	switch {
	case t.Kind == trace.BitMap || t.Base == 16:
		return fmt.Sprintf("%#x", bits)
	case t.Base == 8:
		return fmt.Sprintf("0o%o", bits)
	case t.Base == 2:
		return fmt.Sprintf("%#b", bits)
	case t.Signed:
		return fmt.Sprint(v)
	}
	return fmt.Sprint(uint64(v))
}

var (
	label = regexp.MustCompile(`^(:"(?:[^"\\]|\\.)*")+`)
	leaf  = regexp.MustCompile(`^(?:"(?:[^"\\]|\\.)*"|[-+0-9a-zA-Z.]+)`)
)

// leaves are the values in the text of an event.
func leaves(t *rapid.T, text string) []string {
	var values []string
	for i := 0; i < len(text); {
		switch c := text[i]; c {
		case '=', ',', '[':
			i++
			if v := leaf.FindString(text[i:]); v != "" {
				values = append(values, v)
				i += len(v)
				i += len(label.FindString(text[i:]))
			}
		default:
			i++
		}
	}
	for i, v := range values {
		if f, err := strconv.ParseFloat(v, 64); err == nil && strings.ContainsAny(v, ".eNI") && !strings.HasPrefix(v, "0x") {
			values[i] = strconv.FormatFloat(f, 'g', -1, 64)
		}
	}
	return values
}

// What is written with any types and values is what is read, in both formats; and the
// trace as text is the same trace.
func TestModel(t *testing.T) {
	for _, two := range []bool{false, true} {
		t.Run(map[bool]string{false: "both", true: "CTF2"}[two], func(t *testing.T) {
			base, n := t.TempDir(), 0
			next := func() string {
				n++
				return filepath.Join(base, strconv.Itoa(n))
			}
			rapid.Check(t, func(t *rapid.T) {
				d := &draw{T: t, two: two}
				m, dir := d.schema(), next()
				format := writer.CTF18
				if two {
					format = writer.CTF2
				}
				want := d.write(m, dir, format)
				check := func(what, dir string) {
					if got := readValues(t, dir); !slices.Equal(got, want) {
						t.Fatalf("%s: read\n%q, written\n%q", what, got, want)
					}
				}
				check("written", dir)
				if !two {
					twin := next()
					d.copy(m, twin, dir)
					check("twin", twin)
					checkText(t, twin, next())
				}
				again := next()
				checkText(t, dir, again)
				check("text", again)
			})
		})
	}
}

// write writes a few random events and returns what is to be read.
func (d *draw) write(m *schema.Trace, dir string, f writer.Format) []string {
	out, err := writer.Create(dir, m, writer.Options{Format: f})
	if err != nil {
		d.Fatal(err)
	}
	s, err := out.Stream("s", writer.StreamOptions{PacketSize: 200})
	if err != nil {
		d.Fatal(err)
	}
	now := rapid.Uint64Range(0, 1<<40).Draw(d.T, "time")
	var want []string
	for range d.int(1, 5) {
		name := m.Streams[0].Events[d.int(0, len(m.Streams[0].Events)-1)].Name
		now += uint64(d.int(0, math.MaxInt32))
		want = append(want, fmt.Sprint(m.Clocks[0].Time(now)), name)
		want = append(want, d.event(s, out.Class(0, name), now)...)
		if err := s.End(); err != nil {
			d.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		d.Fatal(err)
	}
	return want
}

// copy writes the events of one trace as CTF 2, value by value, as they are read from it.
func (d *draw) copy(m *schema.Trace, dir, from string) {
	out, err := writer.Create(dir, m, writer.Options{Format: writer.CTF2})
	if err != nil {
		d.Fatal(err)
	}
	s, err := out.Stream("s", writer.StreamOptions{PacketSize: 200})
	if err != nil {
		d.Fatal(err)
	}
	each(d.T, from, func(e *trace.Event) {
		cycles, ok := m.Clocks[0].Cycles(e.Recorded)
		if !ok {
			d.Fatalf("%d has no cycles", e.Recorded)
		}
		s.Begin(out.Class(0, e.Class.Name), cycles)
		for _, v := range append(leaves(d.T, " "+string(e.AppendContext(nil))), leaves(d.T, " "+string(e.AppendText(nil)))...) {
			again(s, v)
		}
		if err := s.End(); err != nil {
			d.Fatal(err)
		}
	})
	if err := out.Close(); err != nil {
		d.Fatal(err)
	}
}

// checkText writes the text of a trace as another one, whose text must be the same.
func checkText(t *rapid.T, dir, to string) {
	var first, second bytes.Buffer
	if err := text.Print(&first, dir); err != nil {
		t.Fatal(err)
	}
	if err := text.Write(to, "text", first.String()); err != nil {
		t.Fatalf("%v in\n%s", err, first.String())
	}
	if err := text.Print(&second, to); err != nil {
		t.Fatal(err)
	}
	if first.String() != second.String() {
		t.Fatalf("the text\n%s\nbecomes\n%s", first.String(), second.String())
	}
}

func readValues(t *rapid.T, dir string) []string {
	var values []string
	each(t, dir, func(e *trace.Event) {
		values = append(values, fmt.Sprint(e.Recorded), e.Class.Name)
		values = append(values, leaves(t, " "+string(e.AppendContext(nil)))...)
		values = append(values, leaves(t, " "+string(e.AppendText(nil)))...)
	})
	return values
}

func each(t *rapid.T, dir string, f func(*trace.Event)) {
	tr, err := ctf.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	r, err := ctf.NewReader([]*ctf.Trace{tr}, ctf.Options{Window: 4096})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		e, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		f(e)
	}
	for _, a := range r.Anomalies() {
		t.Fatalf("%s: %s", a.Kind, a.Message)
	}
}

// again gives the writer a value that has been read.
func again(s *writer.Stream, v string) {
	t, size, _, _, _ := s.Waiting()
	if text, err := strconv.Unquote(v); err == nil {
		s.String(text)
		return
	}
	if t != nil && t.Kind == trace.Float {
		f, _ := strconv.ParseFloat(v, 64)
		s.Float(f)
		return
	}
	n, err := strconv.ParseInt(v, 0, 64)
	if err != nil {
		u, _ := strconv.ParseUint(v, 0, 64)
		n = int64(u)
	}
	if t != nil && t.Signed && t.Base != 0 && t.Base != 10 {
		n = n << (64 - size) >> (64 - size)
	}
	s.Int(n)
}
