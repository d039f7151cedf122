package tracetest

import (
	"encoding/binary"
	"math"

	"synchroscope/trace"
)

// A value is one parsed field value.
type value struct {
	kind  trace.Kind
	num   int64 // Integer, Boolean; the bits of a Float
	big   bool  // an Integer above the largest signed one
	base  uint8
	label []trace.Mapping
	text  string
	names []string // of parts, in a Struct
	parts []*value
}

// member returns the part of that name, made if need be.
func (v *value) member(name string) *value {
	for i, n := range v.names {
		if n == name {
			return v.parts[i]
		}
	}
	m := &value{}
	v.names, v.parts = append(v.names, name), append(v.parts, m)
	return m
}

func (v *value) typ() *trace.Type {
	t := &trace.Type{Kind: v.kind, Align: 8}
	switch v.kind {
	case trace.Integer:
		t.Size, t.Signed, t.Base, t.Labels = 64, !v.big, v.base, v.label
	case trace.Float, trace.Boolean:
		t.Size = 64
	case trace.Struct:
		for i, p := range v.parts {
			t.Members = append(t.Members, trace.Member{Name: recorded(v.names[i]), Type: p.typ()})
		}
	case trace.Array:
		t.Count = uint64(len(v.parts))
		t.Elem = &trace.Type{Kind: trace.Integer, Size: 64, Align: 8, Signed: true}
		for i, p := range v.parts {
			if i == 0 || p.big {
				t.Elem = p.typ()
			}
		}
	}
	return t
}

// recorded puts back the underscore that a plain name has lost.
func recorded(name string) string { return "_" + name }

func (v *value) encode(b []byte) []byte {
	switch v.kind {
	case trace.Integer, trace.Float, trace.Boolean:
		return binary.LittleEndian.AppendUint64(b, uint64(v.num))
	case trace.String:
		return append(append(b, v.text...), 0)
	}
	for _, p := range v.parts {
		b = p.encode(b)
	}
	return b
}

func float(v float64) value {
	return value{kind: trace.Float, num: int64(math.Float64bits(v))}
}
