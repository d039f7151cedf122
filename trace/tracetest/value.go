package tracetest

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

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

// add makes another part of that name. There may be two: _a and a are two names, of which the text shows one.
func (v *value) add(name string) (*value, error) {
	m := &value{}
	same := 0
	for _, n := range v.names {
		if n == name {
			same++
		}
	}
	if same > 1 {
		return nil, fmt.Errorf("there are more than two fields called %q", name)
	}
	v.names, v.parts = append(v.names, name), append(v.parts, m)
	return m, nil
}

// split divides the parts into those ahead of the first name that comes again, and the others; nil
// where there are none.
func (v *value) split() (first, rest *value) {
	at := len(v.names)
	for i, n := range v.names {
		if slices.Contains(v.names[:i], n) {
			at = i
			break
		}
	}
	if at > 0 {
		first = &value{kind: v.kind, names: v.names[:at], parts: v.parts[:at]}
	}
	if at < len(v.names) {
		rest = &value{kind: v.kind, names: v.names[at:], parts: v.parts[at:]}
	}
	return first, rest
}

// like reports whether w can stand in a list with v. Integers may have different labels, and be
// written in different bases: the list has that of its first.
func (v *value) like(w *value) bool {
	if v.kind != w.kind || len(v.parts) != len(w.parts) && v.kind != trace.String || !slices.Equal(v.names, w.names) {
		return false
	}
	for i, p := range v.parts {
		if !p.like(w.parts[i]) {
			return false
		}
	}
	return true
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
			name := recorded(v.names[i])
			if slices.Contains(v.names[:i], v.names[i]) {
				name = v.names[i]
			}
			t.Members = append(t.Members, trace.Member{Name: name, Type: p.typ()})
		}
	case trace.Array:
		t.Count = uint64(len(v.parts))
		t.Elem = &trace.Type{Kind: trace.Integer, Size: 64, Align: 8, Signed: true}
		if len(v.parts) > 0 {
			t.Elem = v.union().typ()
		}
	}
	return t
}

// union stands for all elements of a list: its type is one that every one of them has.
func (v *value) union() *value {
	u := *v.parts[0]
	u.parts = slices.Clone(u.parts)
	for i := range u.parts {
		kids := &value{}
		for _, p := range v.parts {
			kids.parts = append(kids.parts, p.parts[i])
		}
		u.parts[i] = kids.union()
	}
	u.label = nil
	for _, p := range v.parts {
		u.big = u.big || p.big
		for _, l := range p.label {
			if !slices.Contains(u.label, l) {
				u.label = append(u.label, l)
			}
		}
	}
	return &u
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
