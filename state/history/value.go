package history

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
)

// A Kind says which sort of thing a Value holds. The numbers are stored.
type Kind uint8

const (
	KindNull Kind = iota
	KindInt
	KindFloat
	KindBool
	KindString
	kinds // number of kinds
)

// Value is what an attribute can hold: null, an integer, a float, a boolean
// or a string (by its number in the tree's dictionary). It is comparable with
// ==, which compares floats by their bits. The zero Value is null.
type Value struct {
	kind Kind
	bits uint64
}

// Null is the value of an attribute that has none.
func Null() Value { return Value{} }

// Int makes an integer value.
func Int(n int64) Value { return Value{KindInt, uint64(n)} }

// Float makes a floating-point value.
func Float(x float64) Value { return Value{KindFloat, math.Float64bits(x)} }

// Bool makes a boolean value.
func Bool(b bool) Value {
	if b {
		return Value{KindBool, 1}
	}
	return Value{KindBool, 0}
}

// text is string number n of the dictionary.
func text(n uint32) Value { return Value{KindString, uint64(n)} }

// order compares by kind and then by bits: an order of no meaning that is the same everywhere.
func order(a, b Value) int {
	if a.kind != b.kind {
		return cmp.Compare(a.kind, b.kind)
	}
	return cmp.Compare(a.bits, b.bits)
}

// Kind tells what v holds.
func (v Value) Kind() Kind { return v.kind }

// IsNull tells whether v is null.
func (v Value) IsNull() bool { return v.kind == KindNull }

// IsString tells whether v is a string; [History.String] resolves it.
func (v Value) IsString() bool { return v.kind == KindString }

// Int returns the integer v holds, and whether it holds one.
func (v Value) Int() (n int64, ok bool) {
	if v.kind != KindInt {
		return 0, false
	}
	return int64(v.bits), true
}

// Float returns the floating-point number v holds, and whether it holds one.
func (v Value) Float() (x float64, ok bool) {
	if v.kind != KindFloat {
		return 0, false
	}
	return math.Float64frombits(v.bits), true
}

// Bool returns the boolean v holds, and whether it holds one.
func (v Value) Bool() (b, ok bool) {
	if v.kind != KindBool {
		return false, false
	}
	return v.bits != 0, true
}

// Text returns the number in the dictionary of the string v holds, and whether it holds one.
func (v Value) Text() (n uint32, ok bool) {
	if v.kind != KindString {
		return 0, false
	}
	return uint32(v.bits), true
}

// AppendValue writes v as it stands in a tree (docs/format/history.md, Columns); a string is its number.
func AppendValue(b []byte, v Value) []byte { return appendValue(b, v) }

// TakeValue takes a value that AppendValue wrote from the front of b, and returns what is left; ok is false if there is none.
func TakeValue(b []byte) (v Value, rest []byte, ok bool) {
	d := decoder{b: b}
	v = d.value()
	return v, b[d.i:], !d.bad
}

// String writes v without a dictionary: a string appears as its number.
func (v Value) String() string {
	switch v.kind {
	case KindNull:
		return "null"
	case KindInt:
		return strconv.FormatInt(int64(v.bits), 10)
	case KindFloat:
		return strconv.FormatFloat(math.Float64frombits(v.bits), 'g', -1, 64)
	case KindBool:
		return strconv.FormatBool(v.bits != 0)
	case KindString:
		return "#" + strconv.FormatUint(v.bits, 10)
	}
	return fmt.Sprintf("kind %d", v.kind)
}
