package trace

import (
	"strings"
	"testing"
)

func uintType(size, align uint32) *Type { return &Type{Kind: Integer, Size: size, Align: align} }

func be(t *Type) *Type {
	t.BigEndian = true
	return t
}

func lexical(path ...string) *Ref { return &Ref{Path: path} }

// The TCP header as lttng-modules writes it: big-endian fields of 4, 3 and 9
// bits inside a little-endian trace.
func TestBigEndianBitFields(t *testing.T) {
	payload := NewStruct(1, []Member{
		{Name: "_len", Type: uintType(32, 8)},
		{Name: "_data_offset", Type: be(uintType(4, 4))},
		{Name: "_reserved", Type: be(uintType(3, 1))},
		{Name: "_flags", Type: be(uintType(9, 1))},
		{Name: "_window", Type: be(uintType(16, 8))},
	})
	b := append([]byte{0x34, 0x12, 0, 0, 0x80, 0x18, 0x01, 0xf5}, make([]byte, Spare)...)
	c, err := new(Layout).Class("net", 0, nil, nil, payload)
	if err != nil {
		t.Fatal(err)
	}
	var e Event
	if end, err := e.DecodeBody(c, b, 0, 64); end != 64 || err != nil {
		t.Fatalf("ends at bit %d: %v", end, err)
	}
	if got, want := string(e.AppendText(nil)), "len=4660 data_offset=8 reserved=0 flags=24 window=501"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A length may stand in any scope written before, and is looked for from the inside outwards.
func TestReferences(t *testing.T) {
	text := &Type{Kind: String, Align: 8}
	n := func(name string) Member { return Member{Name: name, Type: uintType(8, 8)} }
	seq := func(r *Ref) Member { return Member{Name: "s", Type: NewArray(uintType(8, 8), 0, r)} }
	header := NewStruct(1, []Member{n("a"), n("n")})     // 1 2
	packet := NewStruct(1, []Member{n("p"), n("n")})     // 3 4
	eventHeader := NewStruct(1, []Member{n("h")})        // 1
	stream := NewStruct(1, []Member{n("c"), n("inner")}) // 2 3
	inner := NewStruct(1, []Member{{Name: "n", Type: text}, n("m"), seq(lexical("n"))})
	for _, test := range []struct {
		name    string
		payload *Type
		want    string // length of s, or the error
	}{
		{"packet header", NewStruct(1, []Member{seq(&Ref{Scope: PacketHeader, Path: []string{"a"}})}), "1"},
		{"packet context", NewStruct(1, []Member{seq(&Ref{Scope: PacketContext, Path: []string{"n"}})}), "4"},
		{"event header", NewStruct(1, []Member{seq(&Ref{Scope: EventHeader, Path: []string{"h"}})}), "1"},
		{"stream context", NewStruct(1, []Member{seq(lexical("c"))}), "2"},
		{"nearest scope", NewStruct(1, []Member{seq(lexical("n"))}), "4"},
		{"sibling", NewStruct(1, []Member{n("n"), seq(lexical("n"))}), "5"},
		{"outer struct, past a string of that name", NewStruct(1, []Member{n("n"), {Name: "in", Type: inner}}), "5"},
		{"no such field", NewStruct(1, []Member{seq(lexical("x"))}), `no field "x" stands before it`},
		{"itself", NewStruct(1, []Member{seq(lexical("s"))}), `no field "s" stands before it`},
		{"behind it", NewStruct(1, []Member{seq(lexical("z")), n("z")}), `no field "z" stands before it`},
		{"a string", NewStruct(1, []Member{{Name: "x", Type: text}, seq(lexical("x"))}), `field "x" is not an integer`},
		{"a signed length", NewStruct(1, []Member{{Name: "x", Type: &Type{Kind: Integer, Size: 8, Align: 8, Signed: true}}, seq(lexical("x"))}), `"x" is signed`},
	} {
		t.Run(test.name, func(t *testing.T) {
			var l Layout
			if err := l.Packet(header, packet); err != nil {
				t.Fatal(err)
			}
			if err := l.Header(eventHeader); err != nil {
				t.Fatal(err)
			}
			c, err := l.Class("e", 0, stream, nil, test.payload)
			if err != nil {
				if !strings.Contains(err.Error(), test.want) {
					t.Fatalf("error %q does not say %q", err, test.want)
				}
				return
			}
			var e Event
			e.Prepare(c.Slots())
			spare := make([]byte, Spare+16)
			if _, err := e.DecodePacket(&l, append([]byte{1, 2, 3, 4}, spare...), 32); err != nil {
				t.Fatal(err)
			}
			b := append([]byte{1, 2, 3, 5, 'x', 0, 9, 7, 7, 7, 7, 7}, spare...)
			pos, err := e.DecodeHeader(&l, b, 0, 96)
			if err != nil || pos != 8 {
				t.Fatalf("the header ends at bit %d: %v", pos, err)
			}
			if _, err := e.DecodeBody(c, b, pos, 12*8); err != nil {
				t.Fatal(err)
			}
			f := c.Field("s")
			if f == nil {
				f = c.Field("in.s")
			}
			if got := e.Len(f); got != int(test.want[0]-'0') || len(test.want) != 1 {
				t.Errorf("%d elements, want %s", got, test.want)
			}
		})
	}
}

func TestLayoutRefuses(t *testing.T) {
	deep := NewStruct(1, nil)
	for range maxDepth + 1 {
		deep = NewStruct(1, []Member{{Name: "x", Type: deep}})
	}
	wide := NewStruct(1, []Member{{Name: "x", Type: uintType(8, 8)}})
	for range 20 { // 2²⁰ fields of 20 types
		wide = NewStruct(1, []Member{{Name: "a", Type: wide}, {Name: "b", Type: wide}})
	}
	labels := &Type{Kind: Integer, Size: 8, Align: 8, Labels: []Mapping{{"other", 0, 1}}}
	options := []Member{{Name: "one", Type: uintType(8, 8)}}
	for want, payload := range map[string]*Type{
		"nested deeper than":          deep,
		"too large":                   wide,
		"is not a struct":             uintType(8, 8),
		"65 bits is not supported":    NewStruct(1, []Member{{Name: "x", Type: uintType(65, 8)}}),
		"is not a power of two":       NewStruct(1, []Member{{Name: "x", Type: &Type{Kind: Integer, Size: 8, Align: 3}}}),
		"has no type":                 NewStruct(1, []Member{{Name: "x", Type: &Type{Align: 1}}}),
		"elements are too many":       NewStruct(1, []Member{{Name: "x", Type: NewArray(uintType(64, 64), 1<<60, nil)}}),
		"has no selector":             NewStruct(1, []Member{{Name: "x", Type: &Type{Kind: Variant, Members: options}}}),
		"no label of its selector":    NewStruct(1, []Member{{Name: "t", Type: labels}, {Name: "x", Type: &Type{Kind: Variant, Members: options, Ref: lexical("t")}}}),
		"no field \"t\" stands befor": NewStruct(1, []Member{{Name: "x", Type: &Type{Kind: Variant, Members: options, Ref: lexical("t")}}}),
	} {
		if _, err := new(Layout).Class("e", 0, nil, nil, payload); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that says %q", err, want)
		}
	}
}

// Counts are compared with what is left before anything is read.
func TestHostileCounts(t *testing.T) {
	long := func(elem *Type) *Type {
		return NewStruct(1, []Member{{Name: "n", Type: uintType(64, 8)}, {Name: "x", Type: NewArray(elem, 0, lexical("n"))}})
	}
	b := make([]byte, 64+Spare)
	for i := range 8 {
		b[i] = 0xff
	}
	for name, payload := range map[string]*Type{
		"integers": long(uintType(8, 8)),
		"bits":     long(uintType(1, 1)),
		"structs":  long(NewStruct(1, []Member{{Name: "y", Type: uintType(3, 1)}})),
		"strings":  long(&Type{Kind: String, Align: 8}),
	} {
		c, err := new(Layout).Class("e", 0, nil, nil, payload)
		if err != nil {
			t.Fatal(err)
		}
		var e Event
		if _, err := e.DecodeBody(c, b, 0, 64*8); err != ErrShort {
			t.Errorf("2⁶⁴-1 %s: %v, want %v", name, err, ErrShort)
		}
	}
}

func TestFieldPaths(t *testing.T) {
	payload := NewStruct(1, []Member{
		{Name: "_a", Type: NewStruct(1, []Member{{Name: "b.c", Type: uintType(8, 8)}, {Name: "__d", Type: uintType(8, 8)}})},
		{Name: "_", Type: uintType(8, 8)},
		{Name: "list", Type: NewArray(NewStruct(1, []Member{{Name: "x", Type: uintType(8, 8)}}), 2, nil)},
	})
	c, err := new(Layout).Class("e", 0, nil, NewStruct(1, []Member{{Name: "a", Type: uintType(8, 8)}, {Name: "ctx", Type: uintType(8, 8)}}), payload)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{
		"a": true, "a.b.c": true, "a._d": true, "_": true, "list": true, "ctx": true,
		"a.b": false, "a.d": false, "_a": false, "list.x": false, "": false, "a.": false, "ctx.x": false,
	} {
		if got := c.Field(path) != nil; got != want {
			t.Errorf("field %q found: %v, want %v", path, got, want)
		}
	}
	if k := c.Field("a").Type().Kind; k != Struct {
		t.Error("the payload does not come before the context")
	}
}

// What takes no space may be there any number of times, and costs nothing.
func TestNothingManyTimes(t *testing.T) {
	nothing := NewStruct(1, nil)
	for range 20 {
		nothing = NewArray(nothing, 1<<60, nil)
	}
	c, err := new(Layout).Class("e", 0, nil, nil, NewStruct(1, []Member{{Name: "x", Type: nothing}, {Name: "y", Type: uintType(8, 8)}}))
	if err != nil {
		t.Fatal(err)
	}
	var e Event
	if end, err := e.DecodeBody(c, make([]byte, 1+Spare), 0, 8); end != 8 || err != nil {
		t.Fatalf("ends at bit %d: %v", end, err)
	}
	if got := string(e.AppendText(nil)); !strings.HasSuffix(got, "…] y=0") || len(got) > 2*maxListText {
		t.Errorf("a text of %d bytes ends in %q", len(got), got[max(0, len(got)-20):])
	}
}
