package history

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// How a value begins: the low three bits of its first uvarint.
const (
	tagNull = iota
	tagInt
	tagFloat
	tagBool
	tagString
	tagWide // an integer too large for tagInt
)

func zigzag(n int64) uint64   { return uint64(n)<<1 ^ uint64(n>>63) }
func unzigzag(u uint64) int64 { return int64(u>>1) ^ -int64(u&1) }

func appendValue(b []byte, v Value) []byte {
	switch v.kind {
	case KindInt:
		if z := zigzag(int64(v.bits)); z < 1<<60 {
			return binary.AppendUvarint(b, z<<3|tagInt)
		}
		return binary.LittleEndian.AppendUint64(append(b, tagWide), v.bits)
	case KindFloat:
		return binary.LittleEndian.AppendUint64(append(b, tagFloat), v.bits)
	case KindBool:
		return append(b, byte(v.bits)<<3|tagBool)
	case KindString:
		return binary.AppendUvarint(b, v.bits<<3|tagString)
	}
	return append(b, tagNull)
}

func valueLen(v Value) int {
	switch v.kind {
	case KindInt:
		if z := zigzag(int64(v.bits)); z < 1<<60 {
			return uvarintLen(z << 3)
		}
		return 9
	case KindFloat:
		return 9
	case KindString:
		return uvarintLen(v.bits << 3)
	}
	return 1
}

// fixed tells whether the encoding of a value ends with 8 bytes as they are.
func (v Value) fixed() bool {
	return v.kind == KindFloat || v.kind == KindInt && zigzag(int64(v.bits)) >= 1<<60
}

func uvarintLen(u uint64) int { return (bits.Len64(u|1) + 6) / 7 }

// A decoder takes values from the front of a byte slice. Its error is sticky:
// several values may be taken before bad is looked at, and none may be used
// before that. After a failure every value is zero.
type decoder struct {
	b   []byte
	i   int
	bad bool
}

func (d *decoder) more() bool { return !d.bad && d.i < len(d.b) }

func (d *decoder) uvarint() uint64 {
	if d.i < len(d.b) && d.b[d.i] < 0x80 {
		d.i++
		return uint64(d.b[d.i-1])
	}
	return d.longUvarint()
}

// longUvarint takes up to eight bytes at once: the end is the first byte with
// a clear top bit, and three steps bring the groups of seven bits together. It
// may look at what stands in memory behind the slice, but takes nothing of it.
func (d *decoder) longUvarint() uint64 {
	if cap(d.b)-d.i >= 8 {
		x := word(d.b, d.i)
		if ends := ^x & tops; ends != 0 {
			n := bits.TrailingZeros64(ends)
			if d.i += n>>3 + 1; d.i > len(d.b) {
				d.fail()
				return 0
			}
			return squeeze(x & (1<<n - 1))
		}
	}
	u, n := binary.Uvarint(d.b[d.i:])
	if n <= 0 {
		d.fail()
		return 0
	}
	d.i += n
	return u
}

// word is the eight bytes of b from i on. The slice it takes has no room behind them: one that might be of no bytes at
// all would be made in steps that keep it from pointing behind b, and who goes from number to number waits for each.
func word(b []byte, i int) uint64 { return binary.LittleEndian.Uint64(b[i : i+8 : i+8]) }

// squeeze brings eight groups of seven bits together.
func squeeze(x uint64) uint64 {
	x = x&0x007f007f007f007f | x&0x7f007f007f007f00>>1
	x = x&0x00003fff00003fff | x&0x3fff00003fff0000>>2
	return x&0x000000000fffffff | x&0x0fffffff00000000>>4
}

// squeezeFour is squeeze for four groups.
func squeezeFour(x uint32) uint32 {
	x = x&0x007f007f | x&0x7f007f00>>1
	return x&0x00003fff | x&0x3fff0000>>2
}

// unsqueeze is the other way round, for 49 bits.
func unsqueeze(x uint64) uint64 {
	x = x&0x000000000fffffff | x&^0x000000000fffffff<<4
	x = x&0x00003fff00003fff | x&0x0fffc0000fffc000<<2
	return x&0x007f007f007f007f | x&0x3f803f803f803f80<<1
}

// shortInterval is a number and a value as they are encoded, and how many bytes those are, or 0 if more than
// eight or of another kind than nearly all.
func shortInterval(u uint64, v Value) (bytes uint64, size int) {
	value := brief(v)
	if value >= briefValues || u >= 1<<49 {
		return 0, 0
	}
	n := uint(uvarintLen(u)) * 8
	return unsqueeze(u) | tops&(1<<(n-8)-1) | value<<n, int(n/8) + 1
}

// tops are the top bits of eight bytes.
const tops = 0x8080808080808080

// below is uvarint for a number that must be less than limit.
func (d *decoder) below(limit uint64) uint64 {
	u := d.uvarint()
	if u >= limit {
		d.fail()
		return 0
	}
	return u
}

// after is the time u ns after t; a result beyond limit is a failure.
func (d *decoder) after(t, limit int64) int64 {
	u := d.uvarint()
	if t > limit || u > uint64(limit)-uint64(t) {
		d.fail()
		return t
	}
	return t + int64(u)
}

// before is the time u ns before t.
func (d *decoder) before(t int64) int64 {
	u := d.uvarint()
	if u > uint64(t)-1<<63 {
		d.fail()
		return t
	}
	return t - int64(u)
}

func (d *decoder) bytes(n uint64) []byte {
	if n > uint64(len(d.b)-d.i) {
		d.fail()
		return nil
	}
	p := d.b[d.i : d.i+int(n)]
	d.i += int(n)
	return p
}

func (d *decoder) fixed() uint64 {
	if p := d.bytes(8); p != nil {
		return binary.LittleEndian.Uint64(p)
	}
	return 0
}

func (d *decoder) value() Value { return d.rest(d.uvarint()) }

// rest takes what is left of a value that begins with u.
func (d *decoder) rest(u uint64) Value {
	switch u & 7 {
	case tagInt:
		return Int(unzigzag(u >> 3))
	case tagString:
		if u>>3 <= math.MaxUint32 {
			return Value{KindString, u >> 3}
		}
	case tagBool:
		if u>>3 <= 1 {
			return Value{KindBool, u >> 3}
		}
	case tagNull:
		if u == tagNull {
			return Value{}
		}
	case tagFloat:
		if u == tagFloat {
			return Value{KindFloat, d.fixed()}
		}
	case tagWide:
		if u == tagWide {
			return Value{KindInt, d.fixed()}
		}
	}
	d.fail()
	return Value{}
}

// skipValue goes over a value.
func (d *decoder) skipValue() {
	switch d.uvarint() & 7 {
	case tagFloat, tagWide:
		d.bytes(8)
	}
}

func (d *decoder) fail() {
	d.bad = true
	d.i = len(d.b)
}
