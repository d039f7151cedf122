package trace

import (
	"strings"
	"testing"
)

func located(path ...string) *Ref { return &Ref{Located: true, Path: path} }

// Where a location leads nowhere, or to what cannot be a length or a selector, the layout says so.
func TestLocationRefuses(t *testing.T) {
	u8, text := uintType(8, 8), &Type{Kind: String, Align: 8}
	s8 := &Type{Kind: Integer, Size: 8, Align: 8, Signed: true}
	boolean := &Type{Kind: Boolean, Size: 8, Align: 8}
	seq := func(r *Ref) Member { return Member{Name: "seq", Type: NewArray(u8, 0, r)} }
	opt := func(r *Ref, ranges ...Mapping) Member {
		return Member{Name: "opt", Type: &Type{Kind: Optional, Elem: u8, Ref: r, Select: ranges, Negative: len(ranges) > 0 && ranges[0].Low < 0}}
	}
	one := Mapping{Low: 1, High: 1}
	variant := func(types ...*Type) Member {
		v := &Type{Kind: Variant, Ref: located("u")}
		for i, typ := range types {
			v.Members = append(v.Members, Member{Name: string(rune('a' + i)), Type: NewStruct(1, []Member{{Name: "n", Type: typ}}), Select: []Mapping{{Low: int64(i), High: int64(i)}}})
		}
		return Member{Name: "v", Type: v}
	}
	u, s, b := Member{Name: "u", Type: u8}, Member{Name: "s", Type: s8}, Member{Name: "b", Type: boolean}
	for _, test := range []struct {
		want    string // in the error; "" if there is none
		members []Member
	}{
		{"", []Member{u, seq(located("u"))}},
		{`no field "x" stands before it`, []Member{u, seq(located("x"))}},
		{`no field "seq" stands before it`, []Member{seq(located("seq"))}},
		{`no field "u" stands before it`, []Member{seq(located("u")), u}},
		{`leads out of the payload`, []Member{u, seq(&Ref{Located: true, Up: 1, Path: []string{"u"}})}},
		{`the stream context, in which "u" is to be, has not been read`, []Member{u, seq(&Ref{Located: true, Scope: StreamContext, Path: []string{"u"}})}},
		{`"t" is not an integer`, []Member{{Name: "t", Type: text}, seq(located("t"))}},
		{`no field "t.x" stands before it`, []Member{{Name: "t", Type: text}, seq(located("t", "x"))}},
		{`no field "l" stands before it`, []Member{{Name: "l", Type: NewArray(u8, 2, nil)}, seq(located("l"))}},
		{`"s" is signed`, []Member{s, seq(located("s"))}},
		{`"b" is a boolean`, []Member{b, seq(located("b"))}},
		{"", []Member{b, opt(located("b"))}},
		{"", []Member{u, opt(located("u"), one)}},
		{`must be a boolean where no ranges are given`, []Member{u, opt(located("u"))}},
		{`must be a boolean where no ranges are given`, []Member{b, opt(located("b"), one)}},
		{`"u" is unsigned, and a range holds negative`, []Member{u, opt(located("u"), Mapping{Low: -1, High: 3})}},
		{"", []Member{s, opt(located("s"), Mapping{Low: -1, High: 3})}},
		{"", []Member{u, variant(u8, uintType(16, 8)), seq(located("v", "n"))}},
		{`differ in kind or sign`, []Member{u, variant(u8, s8), seq(located("v", "n"))}},
		{`no field "v.a.n" stands before it`, []Member{u, variant(u8), seq(located("v", "a", "n"))}},
		{`"b" is a boolean, an integer is needed`, []Member{{Name: "b", Type: boolean}, {Name: "v", Type: &Type{Kind: Variant, Ref: located("b"), Members: []Member{{Name: "x", Type: u8, Select: []Mapping{one}}}}}}},
		{`no selector or no content`, []Member{{Name: "o", Type: &Type{Kind: Optional}}}},
	} {
		_, err := new(Layout).Class("e", 0, nil, nil, NewStruct(1, test.members))
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("error %v, want one that says %q", err, test.want)
		}
	}
}

// What a location may lead to is bounded, and so is the work to find out.
func TestHostileLocations(t *testing.T) {
	u8 := uintType(8, 8)
	v := &Type{Kind: Variant, Ref: located("u")}
	for i := range int64(maxAlternatives + 1) {
		v.Members = append(v.Members, Member{Name: "o", Type: NewStruct(1, []Member{{Name: "n", Type: u8}}), Select: []Mapping{{Low: i, High: i}}})
	}
	payload := NewStruct(1, []Member{{Name: "u", Type: uintType(16, 8)}, {Name: "v", Type: v}, {Name: "seq", Type: NewArray(u8, 0, located("v", "n"))}})
	if _, err := new(Layout).Class("e", 0, nil, nil, payload); err == nil || !strings.Contains(err.Error(), "too many fields may be") {
		t.Errorf("error %v", err)
	}
}

// A choice has the value of whichever of its fields is there.
func TestChoice(t *testing.T) {
	option := func(size uint32, at int64) Member {
		return Member{Name: string(rune('a' + at)), Type: NewStruct(1, []Member{{Name: "n", Type: uintType(size, 8), Role: ContentSize}}), Select: []Mapping{{Low: at, High: at}}}
	}
	context := NewStruct(1, []Member{
		{Name: "u", Type: uintType(8, 8)},
		{Name: "v", Type: &Type{Kind: Variant, Ref: located("u"), Members: []Member{option(8, 0), option(16, 1), {Name: "c", Type: NewStruct(1, nil), Select: []Mapping{{Low: 2, High: 2}}}}}},
	})
	var l Layout
	if err := l.Packet(nil, context); err != nil {
		t.Fatal(err)
	}
	f := l.Field(PacketContext, ContentSize)
	if l.Field(PacketContext, Magic) != nil {
		t.Error("a field that is not there is found")
	}
	for in, want := range map[string]int64{"\x00\x07\x00": 7, "\x01\x07\x01": 263, "\x02\x07\x00": -1} {
		var e Event
		if _, err := e.DecodePacket(&l, append([]byte(in), make([]byte, Spare)...), 24); err != nil {
			t.Fatal(err)
		}
		if got := e.Has(f); got != (want >= 0) {
			t.Errorf("% x: present %v", in, got)
		}
		if got := e.Int(f); got != max(want, 0) {
			t.Errorf("% x: %d, want %d", in, got, want)
		}
	}
}
