package ctf2

import (
	"math"
	"strings"

	"synchroscope/trace"
)

// maxBits bounds integers that are wider than a word; they are read as bytes.
const maxBits = 1 << 16

// bits reads what all fixed-length bit arrays have.
//
// The byte order says from which end of a byte bits are taken, and the bit order whether the first bit taken is
// the first (the least significant) of the value or the last. Where nothing is said they go together: in
// big-endian fields the last bit comes first.
func bits(v *value, k trace.Kind) *trace.Type {
	t := &trace.Type{Kind: k, Align: v.alignment("alignment")}
	t.Size = uint32(v.need("length").unsigned(1, maxBits))
	t.BigEndian = v.need("byte-order").oneOf("little-endian", "big-endian") == "big-endian"
	if o := v.get("bit-order"); o != nil {
		t.Reversed = (o.oneOf("first-to-last", "last-to-first") == "first-to-last") == t.BigEndian
	}
	return t
}

// word refuses what does not fit into 64 bits.
func word(v *value, t *trace.Type) *trace.Type {
	v.get("length").unsigned(1, 64)
	return t
}

func (p *parser) bitMap(v *value) class {
	t := word(v, bits(v, trace.BitMap))
	t.Base = 16
	if v.get("type").text == "fixed-length-bit-map" {
		flags := v.need("flags")
		if t.Labels = labels(flags, false); len(t.Labels) == 0 {
			flags.fail("expected at least one flag")
		}
		for _, m := range t.Labels {
			if uint64(m.High) >= uint64(t.Size) {
				flags.fail("flag %q has bit %d, and the field has %d bits", m.Label, uint64(m.High), t.Size)
			}
		}
	}
	return class{typ: t}
}

func (p *parser) boolean(v *value) class {
	return class{typ: word(v, bits(v, trace.Boolean))}
}

func (p *parser) float(v *value) class {
	t := bits(v, trace.Float)
	switch {
	case t.Size == 16 || t.Size == 32 || t.Size == 64:
		return class{typ: t}
	case t.Size < 128 || t.Size%32 != 0:
		v.get("length").expect("16, 32, 64, 128 or a larger multiple of 32: the length of a floating point number")
	}
	return class{typ: wide(t)}
}

// wide is the type of what is larger than a word: its bytes.
func wide(t *trace.Type) *trace.Type {
	w := trace.NewArray(&trace.Type{Kind: trace.Integer, Size: 8, Align: 1, Base: 16}, uint64(t.Size)/8, nil)
	w.Align = t.Align
	return w
}

// fixed reads an integer of fixed length.
func (p *parser) fixed(v *value) class {
	t := bits(v, trace.Integer)
	r := p.integer(v, t)
	if t.Size > 64 && (t.Size%8 != 0 || r != 0 || t.Labels != nil) {
		v.get("length").fail("an integer of %d bits is not supported", t.Size)
	}
	if r&trace.Magic != 0 && t.Size != 32 {
		v.get("length").fail("a magic number must have 32 bits, found %d", t.Size)
	}
	if t.Size > 64 {
		t = wide(t)
	}
	return class{t, r}
}

// variable reads an integer in LEB128. Those above 64 bits are refused where they are met.
func (p *parser) variable(v *value) class {
	t := &trace.Type{Kind: trace.Integer, Size: 64, Align: 8, Variable: true}
	r := p.integer(v, t)
	if r&trace.Magic != 0 {
		v.get("roles").fail("a magic number must be of fixed length")
	}
	return class{t, r}
}

// integer reads what all integers have, and returns the roles.
func (p *parser) integer(v *value, t *trace.Type) trace.Role {
	t.Signed = strings.Contains(v.get("type").text, "-signed-")
	if b := v.get("preferred-display-base"); b != nil {
		switch base := b.unsigned(0, math.MaxUint64); base {
		case 2, 8, 10, 16:
			t.Base = uint8(base)
		default:
			b.expect("one of 2, 8, 10, 16")
		}
	}
	if m := v.get("mappings"); m != nil {
		t.Labels = labels(m, t.Signed)
	}
	allowed := roles
	if t.Signed {
		allowed = nil
	}
	return rolesOf(v, allowed)
}
