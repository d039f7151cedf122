package text

import (
	"strconv"

	"synchroscope/trace"
)

// maxDepth bounds the nesting of types.
const maxDepth = 64

// A typeReader reads types in the notation of docs/format/text.md.
type typeReader struct {
	*cursor
	big   bool // the byte order of what does not say
	depth int
}

var roleNames = []struct {
	role trace.Role
	name string
}{
	{trace.Magic, "magic"},
	{trace.TraceID, "trace-id"},
	{trace.StreamClass, "stream-class"},
	{trace.StreamInstance, "stream-instance"},
	{trace.PacketSize, "packet-size"},
	{trace.ContentSize, "content-size"},
	{trace.PacketBegin, "packet-begin"},
	{trace.PacketEnd, "packet-end"},
	{trace.Discarded, "discarded"},
	{trace.Sequence, "sequence"},
	{trace.CPU, "cpu"},
	{trace.EventClass, "event-class"},
	{trace.Timestamp, "timestamp"},
}

var scopeNames = map[string]trace.Scope{
	"packet-header": trace.PacketHeader, "packet-context": trace.PacketContext, "event-header": trace.EventHeader,
	"event-context": trace.StreamContext, "context": trace.EventContext, "fields": trace.Payload,
}

var numbers = []struct {
	prefix string
	kind   trace.Kind
}{
	{"bool", trace.Boolean}, {"bits", trace.BitMap}, {"u", trace.Integer}, {"i", trace.Integer}, {"f", trace.Float},
}

// read reads one type.
func (r *typeReader) read() *trace.Type {
	if r.depth++; r.depth > maxDepth {
		r.fail(r.at, "types are nested deeper than %d", maxDepth)
	}
	defer func() { r.depth-- }()
	r.blank()
	switch {
	case r.peek() == '{':
		t := trace.NewStruct(1, r.members(&trace.Type{}))
		t.Align = r.alignment(t.Align)
		return t
	case r.peek() == '[':
		return r.array()
	case r.accept("variant<"):
		t := &trace.Type{Kind: trace.Variant, Ref: r.ref()}
		r.expect(">", "behind the selector")
		t.Members = r.members(t)
		t.Align = r.alignment(1)
		return t
	case r.accept("optional<"):
		t := &trace.Type{Kind: trace.Optional, Ref: r.ref()}
		t.Select = r.ranges(t, '>')
		r.expect(">", "behind the selector")
		t.Elem = r.read()
		return t
	case r.accept("string"):
		t := &trace.Type{Kind: trace.String}
		if r.accept(":") {
			t.Encoding = r.encoding()
		}
		t.Align = r.alignment(8)
		return t
	}
	return r.number()
}

// members reads the body of a struct, or of a variant, whose options may have ranges behind their names.
func (r *typeReader) members(of *trace.Type) []trace.Member {
	r.expect("{", "at the beginning of the fields")
	var members []trace.Member
	for r.blank(); !r.accept("}"); r.blank() {
		if len(members) > 0 {
			r.expect(";", "between fields")
			r.blank()
		}
		m := trace.Member{Name: r.ident("the name of a field or }", special)}
		if of.Kind == trace.Variant && r.accept("(") {
			m.Select = r.ranges(of, ')')
			r.expect(")", "behind the values that select the option")
		}
		m.Type = r.read()
		r.space()
		if r.accept("as ") {
			m.Role = r.roles()
		}
		members = append(members, m)
	}
	return members
}

func (r *typeReader) roles() (role trace.Role) {
	for {
		at := r.at
		name := r.word(special)
		known := trace.NoRole
		for _, n := range roleNames {
			if n.name == name {
				known = n.role
			}
		}
		if known == trace.NoRole {
			r.fail(at, "%q is no role", name)
		}
		if role |= known; !r.accept(",") {
			return role
		}
	}
}

// alignment reads an alignment that is not the usual one.
func (r *typeReader) alignment(usual uint32) uint32 {
	at := r.at
	if !r.accept("@") {
		return usual
	}
	a := r.unsigned("an alignment in bits")
	if a&(a-1) != 0 || a == 0 || a > trace.MaxAlign {
		r.fail(at, "an alignment must be a power of two up to %d", trace.MaxAlign)
	}
	return uint32(a)
}

// array reads [count]element, with a length or what it is read from, an alignment, and a media type.
func (r *typeReader) array() *trace.Type {
	r.expect("[", "at the beginning of an array")
	var count uint64
	var ref *trace.Ref
	if c := r.peek(); '0' <= c && c <= '9' {
		count = r.unsigned("a length")
	} else {
		ref = r.ref()
	}
	at := r.at
	align, media := r.alignment(0), ""
	if r.space(); r.peek() == '"' {
		media = r.quoted()
	}
	r.expect("]", "behind the length")
	t := trace.NewArray(r.read(), count, ref)
	t.Media = media
	if align > 0 {
		if t.Align > align {
			r.fail(at, "an array is aligned at least as its elements are, to %d bits", t.Align)
		}
		t.Align = align
	}
	return t
}

// ref reads where a length or a selector is found.
func (r *typeReader) ref() *trace.Ref {
	ref := &trace.Ref{}
	for r.accept("~") {
		if ref.Located {
			ref.Up++
		}
		ref.Located = true
	}
	at := r.at
	name := r.ident("the name of a field", special)
	if scope, ok := scopeNames[name]; ok && r.text[at] != '"' && r.accept(":") {
		if ref.Up > 0 {
			r.fail(at, "a way from the root of a scope does not lead further out")
		}
		ref.Scope = scope
		name = r.ident("the name of a field", special)
	}
	for ref.Path = []string{name}; r.accept("."); {
		ref.Path = append(ref.Path, r.ident("the name of a field", special))
	}
	return ref
}

// ranges reads values such as 1 3..5, up to the byte end, and notes what kind of selector can have them.
func (r *typeReader) ranges(of *trace.Type, end byte) []trace.Mapping {
	var ms []trace.Mapping
	for r.space(); r.peek() != end; r.space() {
		at := r.at
		m, negative, above := r.span()
		of.Negative, of.Above = of.Negative || negative, of.Above || above
		if above && uint64(m.Low) > uint64(m.High) || !above && m.Low > m.High {
			r.fail(at, "a range ends before it begins")
		}
		ms = append(ms, m)
	}
	return ms
}

func (r *typeReader) span() (m trace.Mapping, negative, above bool) {
	m.Low, negative, above = r.signed("an integer")
	m.High = m.Low
	if r.accept("..") {
		var n, a bool
		m.High, n, a = r.signed("an integer")
		negative, above = negative || n, above || a
	}
	return m, negative, above
}

func (r *typeReader) encoding() trace.Encoding {
	at := r.at
	name := r.word(special)
	for e := range trace.Encodings {
		if e.String() == name {
			return e
		}
	}
	r.fail(at, "%q is no encoding", name)
	return 0
}

// number reads u8, i32be, f64, bool8, bits16, uvar, ivar and what follows them.
func (r *typeReader) number() *trace.Type {
	t, at := &trace.Type{}, r.at
	for _, n := range numbers {
		if r.accept(n.prefix) {
			t.Kind = n.kind
			t.Signed = n.prefix == "i"
			break
		}
	}
	switch begin := r.at; {
	case t.Kind == 0:
		r.fail(at, "expected a type, found %s", r.found())
	case t.Kind == trace.Integer && r.accept("var"):
		t.Size, t.Variable = 64, true
	default:
		for '0' <= r.peek() && r.peek() <= '9' {
			r.at++
		}
		size, err := strconv.ParseUint(r.text[begin:r.at], 10, 8)
		if err != nil || size == 0 || size > 64 || t.Kind == trace.Float && size != 16 && size != 32 && size != 64 {
			r.at = at
			r.fail(at, "%s is no type of a size that there is", r.found())
		}
		t.Size, t.BigEndian = uint32(size), r.big
		if r.accept("be") {
			t.BigEndian = true
		} else if r.accept("le") {
			t.BigEndian = false
		}
	}
	t.Align = r.alignment(usualAlign(t))
	for r.accept(":") {
		r.modifier(t)
	}
	if r.peek() == '{' {
		r.labels(t)
	}
	return t
}

// usualAlign is the alignment of numbers that have no other written.
func usualAlign(t *trace.Type) uint32 {
	if t.Variable || t.Size%8 == 0 {
		return 8
	}
	return 1
}

var bases = map[string]uint8{"hex": 16, "oct": 8, "bin": 2, "dec": 10}

func (r *typeReader) modifier(t *trace.Type) {
	at := r.at
	word := r.word(special)
	switch {
	case bases[word] != 0:
		t.Base = bases[word]
	case word == "char":
		t.Text = true
		if r.accept("(") {
			t.Encoding = r.encoding()
			r.expect(")", "behind the encoding")
		}
	case word == "reversed" && !t.Variable:
		t.Reversed = true
	case word == "clock":
		r.expect("(", "and the name of a clock")
		t.Clock = r.ident("the name of a clock", ")"+special)
		r.expect(")", "behind the name of a clock")
	default:
		r.fail(at, "%q is nothing that a number can be", word)
	}
}

// labels reads {"label"=3..5 "other"=7}.
func (r *typeReader) labels(t *trace.Type) {
	r.expect("{", "at the beginning of labels")
	for r.blank(); !r.accept("}"); r.blank() {
		label := r.ident("a label or }", special)
		r.expect("=", "behind the label")
		at := r.at
		m, negative, above := r.span()
		m.Label = label
		switch {
		case t.Kind == trace.BitMap && (m.Low < 0 || m.High < m.Low || m.High >= int64(t.Size)):
			r.fail(at, "a flag must name some of the bits 0 to %d", t.Size-1)
		case t.Kind == trace.Float || t.Kind == trace.Boolean:
			r.fail(at, "only integers and bit maps have labels")
		case t.Kind == trace.Integer && (t.Signed && above || !t.Signed && negative || !within(t, m.Low) || !within(t, m.High)):
			r.fail(at, "a label is for values that the integer cannot have")
		case t.Signed && m.Low > m.High || !t.Signed && uint64(m.Low) > uint64(m.High):
			r.fail(at, "a range ends before it begins")
		}
		t.Labels = append(t.Labels, m)
	}
}

// within reports whether an integer of type t can have the value v.
func within(t *trace.Type, v int64) bool {
	drop := 64 - t.Size
	if t.Signed {
		return v<<drop>>drop == v
	}
	return uint64(v)<<drop>>drop == uint64(v)
}
