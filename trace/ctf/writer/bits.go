package writer

import (
	"encoding/binary"
	"math/bits"
)

// slack is the number of bytes that the packet's buffer has behind the place where something is written.
const slack = 16

// maxVariable is how many bytes an integer of variable length takes at most, and where it is patched.
const maxVariable = 10

// put writes the low bits of v at the next place for o.
func (s *Stream) put(o *op, v uint64) {
	if o.variable {
		s.putVariable(o, v, 1)
		return
	}
	pos := (s.pos + o.mask) &^ o.mask
	end := pos + uint64(o.size)
	if end>>3+slack > uint64(len(s.buf)) && !s.room(end) {
		return
	}
	s.pos = end
	store(s.buf, pos, o, v)
}

// store writes the low bits of v at bit pos of b. Integers that are not whole bytes are
// added to what is there, bit by bit without carry: it is zero, or changed by storing the difference.
func store(b []byte, pos uint64, o *op, v uint64) {
	b = b[pos>>3:]
	if o.variable {
		leb128(b, v, o.signed, maxVariable)
		return
	}
	if !o.whole {
		storeBits(b, pos&7, o, v)
		return
	}
	if o.bigEndian {
		switch o.size {
		case 8:
			b[0] = byte(v)
		case 16:
			binary.BigEndian.PutUint16(b, uint16(v))
		case 32:
			binary.BigEndian.PutUint32(b, uint32(v))
		default:
			binary.BigEndian.PutUint64(b, v)
		}
		return
	}
	switch o.size {
	case 8:
		b[0] = byte(v)
	case 16:
		binary.LittleEndian.PutUint16(b, uint16(v))
	case 32:
		binary.LittleEndian.PutUint32(b, uint32(v))
	default:
		binary.LittleEndian.PutUint64(b, v)
	}
}

// storeBits writes an integer of any size at any bit. Bits are counted from the least
// significant one of each byte in little-endian fields and from the most significant
// one in big-endian fields.
func storeBits(b []byte, shift uint64, o *op, v uint64) {
	size := uint64(o.size)
	v = v << (64 - size) >> (64 - size)
	if o.reversed {
		v = bits.Reverse64(v) >> (64 - size)
	}
	if o.bigEndian {
		top := v << (64 - size)
		binary.BigEndian.PutUint64(b, binary.BigEndian.Uint64(b)^top>>shift)
		if shift+size > 64 {
			b[8] ^= byte(top << (64 - shift) >> 56)
		}
		return
	}
	binary.LittleEndian.PutUint64(b, binary.LittleEndian.Uint64(b)^v<<shift)
	if shift+size > 64 {
		b[8] ^= byte(v >> (64 - shift))
	}
}

// putVariable writes an integer in LEB128, in at least that many bytes.
func (s *Stream) putVariable(o *op, v uint64, least int) {
	pos := (s.pos + o.mask) &^ o.mask
	if !s.room(pos) {
		return
	}
	s.pos = pos + uint64(leb128(s.buf[pos>>3:], v, o.signed, least))*8
}

// leb128 writes v to b, seven bits to a byte, and returns how many bytes it took.
func leb128(b []byte, v uint64, signed bool, least int) int {
	for n := 0; ; n++ {
		b[n] = byte(v) & 0x7f
		if signed {
			v = uint64(int64(v) >> 7)
		} else {
			v >>= 7
		}
		last := v == 0 && (!signed || b[n]&0x40 == 0) || signed && v == ^uint64(0) && b[n]&0x40 != 0
		if last && n+1 >= least {
			return n + 1
		}
		b[n] |= 0x80
	}
}

// maxPacket bounds a packet, in bytes.
const maxPacket = 1 << 28

// room makes sure that the buffer has room for so many bits, and slack. It fails where a packet would be
// too large.
func (s *Stream) room(bits uint64) bool {
	need := bits>>3 + slack
	if need <= uint64(len(s.buf)) {
		return true
	}
	if need > maxPacket {
		s.fail("a packet has more than %d bytes", maxPacket)
		return false
	}
	b := make([]byte, max(2*uint64(len(s.buf)), need))
	copy(b, s.buf)
	s.buf = b
	return true
}

func roundUp(n, align uint64) uint64 { return (n + align - 1) &^ (align - 1) }
