package tsdl

import (
	"strings"

	"synchroscope/trace"
)

type byteOrder uint8

const (
	orderNative byteOrder = iota // that of the trace
	orderLittle
	orderBig
)

var byteOrders = map[string]byteOrder{"native": orderNative, "le": orderLittle, "be": orderBig, "network": orderBig}

var bases = map[string]uint8{
	"decimal": 10, "dec": 10, "d": 10, "i": 10, "u": 10,
	"hexadecimal": 16, "hex": 16, "x": 16, "X": 16, "p": 16,
	"octal": 8, "oct": 8, "o": 8,
	"binary": 2, "bin": 2, "b": 2,
}

var encodings = map[string]bool{"none": false, "utf8": true, "ascii": true}

// maxIntegerBits bounds integers that are wider than a word; they are read as bytes.
const maxIntegerBits = 1 << 16

func (p *parser) integerType(at token) *trace.Type {
	t := &trace.Type{Kind: trace.Integer}
	order, size := orderNative, uint64(0)
	p.once(func(a attribute) {
		switch a.key {
		case "size":
			if size = p.unsigned(a); size == 0 || size > maxIntegerBits {
				p.fail(a.at, "an integer must have 1 to %d bits", maxIntegerBits)
			}
		case "align":
			t.Align = p.alignment(a)
		case "signed":
			t.Signed = p.boolean(a)
		case "base":
			t.Base = p.base(a)
		case "encoding":
			t.Text = p.encoding(a)
		case "byte_order":
			order = p.byteOrder(a)
		case "map":
			t.Clock = p.clockOf(a)
		}
	})
	if size == 0 {
		p.fail(at, "an integer has no size")
	}
	if t.Align == 0 {
		t.Align = defaultAlign(size)
	}
	if size <= 64 {
		t.Size = uint32(size)
		p.ordered(t, order)
		return t
	}
	if size%8 != 0 {
		p.fail(at, "an integer of %d bits is not supported", size)
	}
	return wide(size, t.Align)
}

// wide is the type of what is larger than a word: its bytes.
func wide(bits uint64, align uint32) *trace.Type {
	t := trace.NewArray(&trace.Type{Kind: trace.Integer, Size: 8, Align: 1, Base: 16}, bits/8, nil)
	t.Align = align
	return t
}

// defaultAlign is the alignment of what does not say.
func defaultAlign(size uint64) uint32 {
	if size%8 == 0 {
		return 8
	}
	return 1
}

// ordered sets the byte order of t, or notes that it is known only at the end.
func (p *parser) ordered(t *trace.Type, o byteOrder) {
	t.BigEndian = o == orderBig
	if o == orderNative {
		p.native[t] = true
	}
}

func (p *parser) byteOrder(a attribute) byteOrder {
	o, ok := byteOrders[a.text]
	if !ok || a.kind != valPath {
		p.fail(a.at, "byte_order must be le, be, network or native")
	}
	return o
}

func (p *parser) base(a attribute) uint8 {
	b := bases[a.text]
	if a.kind == valInt {
		switch a.value {
		case 2, 8, 10, 16:
			b = uint8(a.value)
		}
	}
	if b == 0 || a.kind == valString {
		p.fail(a.at, "a base must be 2, 8, 10, 16 or a word such as hex")
	}
	return b
}

func (p *parser) encoding(a attribute) bool {
	text, ok := encodings[strings.ToLower(a.text)]
	if !ok || a.kind != valPath {
		p.fail(a.at, "an encoding must be one of the words none, UTF8 and ASCII")
	}
	return text
}

// A mapped notes where an integer says that it is a time of a clock.
type mapped struct {
	at    token
	clock string
}

// clockOf reads the value of map: clock.NAME.value.
func (p *parser) clockOf(a attribute) string {
	clock, ok := strings.CutPrefix(a.text, "clock.")
	clock, ok2 := strings.CutSuffix(clock, ".value")
	switch {
	case a.kind == valInt || a.kind == valType:
		p.fail(a.at, "map must name what the integer is mapped to, such as clock.NAME.value")
	case !ok || !ok2:
		return "" // something this program does not know
	}
	p.mapped = append(p.mapped, mapped{a.at, clock})
	return clock
}

func (p *parser) floatType(at token) *trace.Type {
	t := &trace.Type{Kind: trace.Float}
	order, exponent, mantissa := orderNative, uint64(0), uint64(0)
	p.once(func(a attribute) {
		switch a.key {
		case "exp_dig":
			exponent = p.unsigned(a)
		case "mant_dig":
			mantissa = p.unsigned(a)
		case "align":
			t.Align = p.alignment(a)
		case "byte_order":
			order = p.byteOrder(a)
		}
	})
	if t.Align == 0 {
		t.Align = 8
	}
	switch size := exponent + mantissa; {
	case exponent == 5 && mantissa == 11, exponent == 8 && mantissa == 24, exponent == 11 && mantissa == 53:
		t.Size = uint32(size)
	case exponent == 0 || mantissa == 0 || exponent > maxIntegerBits || mantissa > maxIntegerBits:
		p.fail(at, "a floating point number cannot have %d digits of exponent and %d of mantissa", exponent, mantissa)
	case size <= 64 || size > maxIntegerBits || size%8 != 0:
		p.fail(at, "a floating point number of %d and %d bits is not supported", exponent, mantissa)
	default:
		return wide(size, t.Align)
	}
	p.ordered(t, order)
	return t
}

func (p *parser) stringType(token) *trace.Type {
	if p.is("{") {
		p.once(func(a attribute) {
			if a.key == "encoding" {
				p.encoding(a)
			}
		})
	}
	return &trace.Type{Kind: trace.String, Align: 8}
}
