package trace

import (
	"errors"
	"flag"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"
)

// A type has many corners: the model is cheap, so it is run often.
func TestMain(m *testing.M) {
	if f := flag.Lookup("rapid.checks"); f != nil {
		f.Value.Set("4000")
	}
	m.Run()
}

// A value is what the naive writer of this test puts into a field of some type.
type value struct {
	num    int64
	text   string
	option int
	parts  []value // none in an optional that is not there
	longer int     // bytes of LEB128 that say nothing
}

// A bitWriter writes fields as the CTF specification says, bit by bit.
type bitWriter struct {
	b   []byte
	pos uint64
}

func (w *bitWriter) align(a uint32) { w.grow(roundUp(w.pos, uint64(max(a, 1)))) }

func (w *bitWriter) grow(pos uint64) {
	w.pos = pos
	for uint64(len(w.b))*8 < pos {
		w.b = append(w.b, 0)
	}
}

func (w *bitWriter) bits(v uint64, n uint32, bigEndian bool) {
	at := w.pos
	w.grow(at + uint64(n))
	for i := range uint64(n) {
		p := at + i
		if bigEndian {
			w.b[p/8] |= byte(v>>(uint64(n)-1-i)&1) << (7 - p%8)
		} else {
			w.b[p/8] |= byte(v>>i&1) << (p % 8)
		}
	}
}

func (w *bitWriter) write(t *Type, v value) {
	w.align(t.Align)
	switch t.Kind {
	case Integer, Float, Boolean, BitMap:
		if t.Variable {
			w.variable(v)
			return
		}
		n := uint64(v.num)
		if t.Reversed {
			n = 0
			for i := range t.Size {
				n |= uint64(v.num) >> i & 1 << (t.Size - 1 - i)
			}
		}
		w.bits(n, t.Size, t.BigEndian)
	case String:
		for _, u := range units(v.text+"\x00", t.Encoding) {
			w.bits(u, uint32(8*t.Encoding.Unit()), t.Encoding == UTF16BE || t.Encoding == UTF32BE)
		}
	case Optional:
		for _, p := range v.parts {
			w.write(t.Elem, p)
		}
	case Struct:
		for i, m := range t.Members {
			w.write(m.Type, v.parts[i])
		}
	case Array:
		for _, p := range v.parts {
			w.write(t.Elem, p)
		}
	case Variant:
		w.write(t.Members[v.option].Type, v.parts[0])
	}
}

// units are the pieces of which a text consists.
func units(text string, c Encoding) (us []uint64) {
	switch c.Unit() {
	case 1:
		for _, b := range []byte(text) {
			us = append(us, uint64(b))
		}
	case 2:
		for _, u := range utf16.Encode([]rune(text)) {
			us = append(us, uint64(u))
		}
	case 4:
		for _, r := range text {
			us = append(us, uint64(r))
		}
	}
	return us
}

// variable writes LEB128 as it is defined: groups of seven bits, until only copies of the sign are left.
func (w *bitWriter) variable(v value) {
	for n := v.num; ; {
		group := uint64(n & 0x7f)
		n >>= 7
		if done := n == 0 && group&0x40 == 0 || n == -1 && group&0x40 != 0; done {
			for range v.longer {
				w.bits(group|0x80, 8, false)
				group = uint64(n & 0x7f)
			}
			w.bits(group, 8, false)
			return
		}
		w.bits(group|0x80, 8, false)
	}
}

// A typeMaker draws types of one byte order; those of the other keep to whole bytes.
type typeMaker struct {
	t         *rapid.T
	bigEndian bool
	names     int
}

func (g *typeMaker) name() string {
	g.names++
	return "_f" + strconv.Itoa(g.names)
}

func (g *typeMaker) integer() *Type {
	t := &Type{
		Kind:   Integer,
		Size:   uint32(rapid.IntRange(1, 64).Draw(g.t, "size")),
		Align:  rapid.SampledFrom([]uint32{1, 1, 2, 4, 8, 8, 16, 32, 64}).Draw(g.t, "align"),
		Signed: rapid.Bool().Draw(g.t, "signed"),
		Base:   rapid.SampledFrom([]uint8{0, 2, 8, 10, 16}).Draw(g.t, "base"),

		BigEndian: g.bigEndian,
		Reversed:  rapid.Bool().Draw(g.t, "reversed"),
	}
	if rapid.IntRange(0, 3).Draw(g.t, "variable") == 0 { // with sign, so that the naive writer needs but one form
		return &Type{Kind: Integer, Size: 64, Align: 8, Signed: true, Variable: true, Base: t.Base}
	}
	if rapid.Bool().Draw(g.t, "bytes") {
		t.Size, t.Align = (t.Size+7)&^7, max(t.Align, 8)
		t.BigEndian = rapid.Bool().Draw(g.t, "other order")
	}
	return t
}

// members draws the fields of a struct. A sequence or a variant comes with the integer it depends on.
func (g *typeMaker) members(depth int) *Type {
	var members []Member
	for range rapid.IntRange(0, 6).Draw(g.t, "members") {
		name := g.name()
		ref := func() *Ref { return &Ref{Path: []string{name}, Located: rapid.Bool().Draw(g.t, "located")} }
		switch kind := rapid.IntRange(0, 8).Draw(g.t, "kind"); {
		case kind == 6:
			length := &Type{Kind: Integer, Size: 5, Align: 1, BigEndian: g.bigEndian}
			members = append(members,
				Member{Name: name, Type: length},
				Member{Name: g.name(), Type: NewArray(g.element(depth+1), 0, ref())})
		case kind == 7 && depth < 3:
			v := &Type{Kind: Variant, Ref: ref()}
			tag := &Type{Kind: Integer, Size: 3, Align: 1, BigEndian: g.bigEndian}
			for i := range int64(rapid.IntRange(1, 4).Draw(g.t, "options")) {
				option := g.name()
				v.Members = append(v.Members, Member{Name: option, Type: g.element(depth + 1)})
				tag.Labels = append(tag.Labels, Mapping{option, 2 * i, 2*i + 1})
			}
			members = append(members, Member{Name: name, Type: tag}, Member{Name: g.name(), Type: v})
		case kind == 8:
			o := &Type{Kind: Optional, Ref: &Ref{Path: []string{name}, Located: true}, Elem: g.element(depth + 1)}
			sel := &Type{Kind: Boolean, Size: 3, Align: 1, BigEndian: g.bigEndian}
			if rapid.Bool().Draw(g.t, "ranges") {
				sel.Kind, o.Select = Integer, []Mapping{{Low: 4, High: 5}, {Low: 7, High: 7}}
			}
			members = append(members, Member{Name: name, Type: sel}, Member{Name: g.name(), Type: o})
		default:
			members = append(members, Member{Name: name, Type: g.element(depth + 1)})
		}
	}
	return NewStruct(rapid.SampledFrom([]uint32{1, 1, 8, 32}).Draw(g.t, "struct align"), members)
}

func (g *typeMaker) element(depth int) *Type {
	kind := rapid.IntRange(0, 7).Draw(g.t, "element")
	if depth > 3 && (kind == 4 || kind == 5) {
		kind -= 4
	}
	switch kind {
	case 0:
		return &Type{Kind: String, Align: 8, Encoding: Encoding(rapid.IntRange(0, int(Encodings)-1).Draw(g.t, "encoding"))}
	case 6, 7:
		t := g.integer()
		if t.Kind, t.Variable, t.Base, t.Signed = Boolean, false, 0, false; kind == 7 {
			t.Kind, t.Labels = BitMap, []Mapping{{"low", 0, 0}}
		}
		return t
	case 1:
		return &Type{Kind: Float, Size: rapid.SampledFrom([]uint32{16, 32, 64}).Draw(g.t, "float"), Align: 8, BigEndian: g.bigEndian}
	case 4:
		return NewArray(g.element(depth+1), uint64(rapid.IntRange(0, 3).Draw(g.t, "count")), nil)
	case 5:
		return g.members(depth + 1)
	}
	return g.integer()
}

// draw makes a value of type t; lengths and selectors are looked up among the siblings drawn before.
func draw(t *rapid.T, typ *Type, names []Member, siblings []value) value {
	sibling := func() int64 {
		for i := range siblings {
			if names[i].Name == typ.Ref.Path[0] {
				return siblings[i].num
			}
		}
		panic("no sibling")
	}
	switch typ.Kind {
	case Boolean, BitMap:
		v := rapid.Uint64().Draw(t, "bits") << (64 - typ.Size) >> (64 - typ.Size)
		if rapid.Bool().Draw(t, "none") {
			v = 0
		}
		return value{num: int64(v)}
	case Optional:
		n, sel := sibling(), value{}
		for i := range siblings { // of which kind the selector is
			if names[i].Name == typ.Ref.Path[0] && (names[i].Type.Kind == Boolean && n != 0 || typ.Select != nil && (n == 4 || n == 5 || n == 7)) {
				sel.parts = []value{draw(t, typ.Elem, nil, nil)}
			}
		}
		return sel
	case Integer:
		v := rapid.Int64().Draw(t, "int")
		if typ.Variable {
			v >>= rapid.IntRange(0, 63).Draw(t, "short")
			longer := 0
			if v > -1<<40 && v < 1<<40 { // six bytes at most
				longer = rapid.IntRange(0, 4).Draw(t, "longer")
			}
			return value{num: v, longer: longer}
		}
		if n := len(typ.Labels); n > 0 {
			v = rapid.Int64Range(0, int64(2*n-1)).Draw(t, "tag")
		} else if typ.Size == 5 {
			v = rapid.Int64Range(0, 3).Draw(t, "length")
		}
		drop := 64 - typ.Size
		if typ.Signed {
			return value{num: v << drop >> drop}
		}
		return value{num: int64(uint64(v) << drop >> drop)}
	case Float:
		return value{num: map[uint32]int64{16: 0x3e00, 32: 0x3fc00000, 64: 0x3ff8000000000000}[typ.Size]} // 1.5
	case String:
		return value{text: rapid.StringMatching(`[a-zéĀ😀"\\]{0,9}`).Draw(t, "text")}
	case Struct:
		v := value{}
		for _, m := range typ.Members {
			v.parts = append(v.parts, draw(t, m.Type, typ.Members, v.parts))
		}
		return v
	case Variant:
		i := int(sibling() / 2)
		return value{option: i, parts: []value{draw(t, typ.Members[i].Type, nil, nil)}}
	}
	n, v := typ.Count, value{}
	if typ.Ref != nil {
		n = uint64(sibling())
	}
	for range n {
		v.parts = append(v.parts, draw(t, typ.Elem, nil, nil))
	}
	return v
}

// text is the text form, written naively.
func text(t *Type, v value) string {
	var parts []string
	switch t.Kind {
	case Boolean:
		return fmt.Sprint(v.num != 0)
	case BitMap:
		s := fmt.Sprintf("%#x", uint64(v.num))
		if v.num&1 != 0 {
			s += `:"low"`
		}
		return s
	case Integer:
		u := uint64(v.num) << (64 - t.Size) >> (64 - t.Size)
		s := fmt.Sprint(u)
		switch {
		case t.Base == 2:
			s = fmt.Sprintf("0b%b", u)
		case t.Base == 8:
			s = fmt.Sprintf("0o%o", u)
		case t.Base == 16:
			s = fmt.Sprintf("0x%x", u)
		case t.Signed:
			s = fmt.Sprint(v.num)
		}
		if t.Labels != nil {
			s += ":" + strconv.Quote(t.Labels[v.num/2].Label)
		}
		return s
	case Float:
		return "1.5"
	case String:
		return strconv.Quote(v.text)
	case Struct:
		for i, m := range t.Members {
			typ, p := m.Type, v.parts[i]
			if typ.Kind == Optional {
				if p.parts == nil {
					continue
				}
				typ, p = typ.Elem, p.parts[0]
			}
			parts = append(parts, m.Name[1:]+"="+text(typ, p))
		}
		return "{" + strings.Join(parts, " ") + "}"
	case Variant:
		m := t.Members[v.option]
		return "{" + m.Name[1:] + "=" + text(m.Type, v.parts[0]) + "}"
	}
	for _, p := range v.parts {
		parts = append(parts, text(t.Elem, p))
	}
	return "[" + strings.Join(parts, ",") + "]"
}

// check compares what the accessors say of a field, and of all below it, with what was written.
func check(t *rapid.T, e *Event, c *Class, path string, typ *Type, v value) {
	f := c.Field(path)
	if typ.Kind == Optional && v.parts == nil {
		if f == nil || e.Has(f) || e.Int(f) != 0 || e.Len(f) != 0 || e.Bytes(f) != nil {
			t.Fatalf("optional %s is not there, and has a value", path)
		}
		return
	}
	if typ.Kind == Optional {
		typ, v = typ.Elem, v.parts[0]
	}
	if f == nil || !e.Has(f) {
		t.Fatalf("field %s is not there", path)
	}
	switch typ.Kind {
	case Integer, Boolean, BitMap:
		if got, want := e.Int(f), number(typ, v); got != want {
			t.Fatalf("%s = %d, want %d", path, got, want)
		}
	case Float:
		if got := e.Float(f); got != 1.5 {
			t.Fatalf("%s = %v, want 1.5", path, got)
		}
	case String:
		if got := string(e.Bytes(f)); got != v.text {
			t.Fatalf("%s = %q, want %q", path, got, v.text)
		}
	case Struct:
		for i, m := range typ.Members {
			check(t, e, c, path+"."+m.Name[1:], m.Type, v.parts[i])
		}
	case Variant:
		for i, m := range typ.Members {
			option := path + "." + m.Name[1:]
			if i == v.option {
				check(t, e, c, option, m.Type, v.parts[0])
			} else if f := c.Field(option); f == nil || e.Has(f) || e.Int(f) != 0 || e.Len(f) != 0 || e.Bytes(f) != nil {
				t.Fatalf("option %s is not selected, and has a value", option)
			}
		}
	case Array:
		if got := e.Len(f); got != len(v.parts) {
			t.Fatalf("%s has %d elements, want %d", path, got, len(v.parts))
		}
		if k := typ.Elem.Kind; k != Integer && k != Boolean && k != BitMap {
			return
		}
		for i, p := range v.parts {
			if got, want := e.At(f, i), number(typ.Elem, p); got != want {
				t.Fatalf("%s[%d] = %d, want %d", path, i, got, want)
			}
		}
		if e.At(f, len(v.parts)) != 0 || e.At(f, -1) != 0 {
			t.Fatalf("%s has a value outside of it", path)
		}
	}
}

// number is what an integer of some form is read as.
func number(t *Type, v value) int64 {
	if t.Kind == Boolean && v.num != 0 {
		return 1
	}
	return v.num
}

// Events of any type are laid out and read as a naive writer wrote them, wherever they begin.
func TestLayoutModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := &typeMaker{t: t, bigEndian: rapid.Bool().Draw(t, "big endian")}
		context, payload := g.members(0), g.members(0)
		contextValue, payloadValue := draw(t, context, nil, nil), draw(t, payload, nil, nil)

		var w bitWriter
		w.grow(uint64(rapid.IntRange(0, 70).Draw(t, "start")))
		start := w.pos
		w.write(context, contextValue)
		w.write(payload, payloadValue)

		class, err := new(Layout).Class("e", 0, nil, context, payload)
		if err != nil {
			t.Fatal(err)
		}
		b := append(w.b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)
		var e Event
		end, err := e.DecodeBody(class, b, start, w.pos)
		if err != nil || end != w.pos {
			t.Fatalf("the event ends at bit %d (%v), want %d", end, err, w.pos)
		}
		for i, m := range payload.Members {
			check(t, &e, class, m.Name[1:], m.Type, payloadValue.parts[i])
		}
		for i, m := range context.Members {
			check(t, &e, class, m.Name[1:], m.Type, contextValue.parts[i])
		}
		if got, want := "{"+string(e.AppendText(nil))+"}", text(payload, payloadValue); got != want {
			t.Fatalf("text\n%s, want\n%s", got, want)
		}
		if got, want := "{"+string(e.AppendContext(nil))+"}", text(context, contextValue); got != want {
			t.Fatalf("context\n%s, want\n%s", got, want)
		}
		checkJSON(t, e.AppendJSON(nil), payload, payloadValue)
		checkJSON(t, e.AppendContextJSON(nil), context, contextValue)
		for cut := start; cut < w.pos; cut++ {
			if end, err := e.DecodeBody(class, b, start, cut); !errors.Is(err, ErrShort) {
				t.Fatalf("cut at bit %d of %d, the event ends at %d (%v)", cut, w.pos, end, err)
			}
		}
	})
}
