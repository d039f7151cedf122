package declared_test

import (
	"encoding/binary"
	"math"
	"testing"

	"synchroscope/state/attribute"
	"synchroscope/state/declared"
	"synchroscope/state/kernel/kerneltest"
	"synchroscope/trace"
)

func integer(bits uint32) *trace.Type {
	return &trace.Type{Kind: trace.Integer, Size: bits, Align: 8}
}

func float(bits uint32) *trace.Type { return &trace.Type{Kind: trace.Float, Size: bits, Align: 8} }

// class makes one with the context vtid, if it is wanted, and a payload.
func class(t testing.TB, index int, name string, vtid bool, payload ...trace.Member) *trace.Class {
	t.Helper()
	var context *trace.Type
	if vtid {
		context = trace.NewStruct(8, []trace.Member{{Name: "vtid", Type: integer(32)}})
	}
	c, err := new(trace.Layout).Class(name, index, context, nil, trace.NewStruct(8, payload))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// either is a variant v, behind its tag: 0 means that it has x, 1 that it has y.
func either() []trace.Member {
	return []trace.Member{{Name: "tag", Type: integer(8)}, {Name: "v", Type: &trace.Type{
		Kind: trace.Variant, Ref: &trace.Ref{Path: []string{"tag"}}, Members: []trace.Member{
			{Name: "x", Type: integer(32), Select: []trace.Mapping{{Low: 0, High: 0}}},
			{Name: "y", Type: integer(32), Select: []trace.Mapping{{Low: 1, High: 1}}},
		},
	}}}
}

// event is one of a class with these bytes, at a second.
func event(t testing.TB, c *trace.Class, second int64, b []byte) kerneltest.Step {
	t.Helper()
	ev := &trace.Event{Time: second * 1e9, Class: c}
	ev.Prepare(c.Slots())
	if end, err := ev.DecodeBody(c, append(b, make([]byte, trace.Spare)...), 0, uint64(8*len(b))); err != nil || end != uint64(8*len(b)) {
		t.Fatalf("decoded to bit %d of %d: %v", end, 8*len(b), err)
	}
	return kerneltest.Step{Event: ev}
}

// now is what a row does, "-" for nothing.
func (h *host) now(path ...string) string {
	q := h.Writer.Attributes().Lookup(path...)
	if q == attribute.None {
		return "-"
	}
	if v, _ := h.Writer.Ongoing(q); !v.IsNull() {
		return h.Writer.History().String(v)
	}
	return "-"
}

// Of several lines the first holds whose fields the event has, which another event of the same class need not have.
func TestFirstThatTheEventHas(t *testing.T) {
	const thread = 12
	on := class(t, 0, "my:on", true, either()...)
	off := class(t, 1, "my:off", true, trace.Member{Name: "n", Type: integer(32)})
	back := class(t, 2, "my:back", true)
	le := binary.LittleEndian
	for _, c := range []struct {
		text string
		x, y string // what goes on after an event with each
		path []string
	}{
		{"spans s\nbegin my:on id=v.x text=one\nbegin my:on id=v.y text=two\nend my:off id=n", "one", "two", []string{"Threads", "4194306", "Function"}},
		{"spans s\nbegin my:on id=v.y text=two\nbegin my:on id=v.x text=one\nend my:off id=n", "one", "two", []string{"Threads", "4194306", "Function"}},
		{"calls r\nbegin my:on row=v.x text=one\nbegin my:on row=v.y text=two\nend my:off row=n", "one", "two", []string{"Threads", "4194306", "Function"}},
		{"spans s\nbegin my:on id=v.x text=one\nend my:off id=n\ncalls c\nbegin my:on text=two\nend my:back", "-", "two", []string{"Threads", "12", "Function"}},
		{"calls c\nbegin my:on text=two\nend my:off\nspans s\nbegin my:on id=v.x text=one\nend my:off id=n", "two", "two", []string{"Threads", "12", "Function"}},
		{"spans s\nbegin my:on id=v.x,v.y text=never\nbegin my:* id=vtid,v.x text=one\nend my:off id=vtid,n", "one", "-", []string{"Threads", "4194306", "Function"}},
	} {
		d, err := declared.Parse("d", c.text)
		if err != nil {
			t.Fatal(err)
		}
		for tag, want := range []string{c.x, c.y} {
			h := newHost(t, d)
			b := le.AppendUint32(append(le.AppendUint32(nil, thread), byte(tag)), 7)
			h.take(t, event(t, on, 1, b))
			if got := h.now(c.path...); got != want {
				t.Errorf("%q, tag %d: %q goes on, want %q", c.text, tag, got, want)
			}
			h.restart(t)
			h.take(t, event(t, off, 2, le.AppendUint32(le.AppendUint32(nil, thread), 7)))
			h.take(t, event(t, back, 3, le.AppendUint32(nil, thread)))
			if got := h.now(c.path...); got != "-" {
				t.Errorf("%q, tag %d: %q goes on after its end", c.text, tag, got)
			}
		}
	}
}

// A number with a fraction is the same however many bits it is written in.
func TestFloatsOfAnyWidth(t *testing.T) {
	bytes := map[uint32][]byte{
		64: binary.LittleEndian.AppendUint64(nil, math.Float64bits(1.5)),
		32: binary.LittleEndian.AppendUint32(nil, math.Float32bits(1.5)),
		16: binary.LittleEndian.AppendUint16(nil, 0x3e00),
	}
	d, err := declared.Parse("d", "spans s\nbegin my:on id=f\nend my:off id=f")
	if err != nil {
		t.Fatal(err)
	}
	for from, begin := range bytes {
		for to, end := range bytes {
			h := newHost(t, d)
			h.take(t, event(t, class(t, 0, "my:on", false, trace.Member{Name: "f", Type: float(from)}), 1, begin))
			if got := h.now("Threads", "4194305", "Function"); got != "s" {
				t.Errorf("%q goes on, want the span", got)
			}
			h.take(t, event(t, class(t, 1, "my:off", false, trace.Member{Name: "f", Type: float(to)}), 2, end))
			if got := h.now("Threads", "4194305", "Function"); got != "-" {
				t.Errorf("what began with 1.5 in %d bits does not end with it in %d", from, to)
			}
		}
	}
}
