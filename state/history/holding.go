package history

import "math/bits"

// kept is an interval, of an attribute that is known.
type kept struct {
	start, end int64
	bits       uint64 // of the value
	kind       Kind
}

// A reach says what a column holds of an instant.
type reach int

const (
	heldBadly reach = -1 // the column does not decode
	heldNone  reach = 0
	heldLater reach = 1 // an interval that ends after the instant, and begins after it
	heldFound reach = 3 // an interval that holds it
)

// holding fills in the interval of a column that holds t, up to a limit; where there is none, into may hold anything.
func (k *block) holding(column []byte, t, limit int64, into *kept) reach {
	s, ok := k.opening(column)
	if !ok {
		return k.holdingSlowly(column, t, limit, into)
	}
	return k.holdingFrom(column, s, t, limit, into)
}

// A stop is an interval of a column, and where in it its value stands.
type stop struct {
	start, end int64
	value      uint32
}

const ahead = 24 // bytes that are looked at from one interval to the next

// opening is the first stop of a column, if its numbers are of at most eight bytes and it does not stand at the end of what is in memory.
func (k *block) opening(column []byte) (s stop, ok bool) {
	b := column[:cap(column)]
	if len(b) < ahead {
		return s, false
	}
	x := word(b, 0)
	n := bits.TrailingZeros64(^x & tops) // to the end of a number
	first, i := squeeze(x&(1<<(n&63)-1)), n>>3+1
	x = word(b, i)
	m := bits.TrailingZeros64(^x & tops)
	length, i := squeeze(x&(1<<(m&63)-1)), i+m>>3+1
	room := uint64(k.end) - uint64(k.start)
	if (n|m) >= 64 || first > room || length == 0 || i >= len(column) {
		return s, false
	}
	start := k.start + int64(first)
	if k.kind == leafBlock {
		return stop{start, start + int64(length), uint32(i)}, length <= room-first
	}
	return stop{start - int64(length), start, uint32(i)}, length <= uint64(start)-1<<63
}

// holdingFrom is holding from a stop on that does not begin after t, or the first. It is quick where numbers have at most eight bytes and values one or two,
// that do not stand at the end of what is in memory; from any other on it goes slowly.
func (k *block) holdingFrom(column []byte, s stop, t, limit int64, into *kept) reach {
	b, leaf := column[:cap(column)], k.kind == leafBlock
	start, end, i, n := s.start, s.end, int(s.value), 0
	for end <= t {
		if i >= len(column) {
			return heldBadly
		}
		_, next, ok := briefAt(b, i)
		if ok && next == len(column) {
			return heldNone
		}
		if !ok || next+ahead > len(b) {
			return k.goOnSlowly(column, stop{start, end, uint32(i)}, t, limit, into)
		}
		i = next
		if start, n = end, 0; !leaf {
			x := word(b, i)
			n = bits.TrailingZeros64(^x & tops)
			gap := squeeze(x & (1<<(n&63) - 1))
			if i += n>>3 + 1; gap > uint64(k.end)-uint64(start) {
				return k.goOnSlowly(column, s, t, limit, into)
			}
			start += int64(gap)
		}
		x := word(b, i)
		m := bits.TrailingZeros64(^x & tops)
		length := squeeze(x & (1<<(m&63) - 1))
		if i += m>>3 + 1; (n | m) >= 64 {
			return k.goOnSlowly(column, s, t, limit, into)
		}
		if length-1 >= uint64(k.end)-uint64(start) {
			return heldBadly
		}
		end = start + int64(length)
	}
	u, next, ok := briefAt(b, i)
	if i > len(column) {
		return heldBadly
	}
	if !ok || next > len(column) {
		return k.goOnSlowly(column, stop{start, end, uint32(i)}, t, limit, into)
	}
	// What is later is filled in for nothing, since no branch could foretell it.
	number := u >> 3
	into.start, into.end, into.kind = start, min(end, limit), briefKinds[u&7]
	into.bits = number ^ (number^uint64(unzigzag(number)))&briefSigned[u&7]
	how := heldLater
	if start <= t {
		how = heldFound
	}
	return how
}

// briefAt takes the encoding of a value of one or two bytes, and returns where it ends. There are two at i.
func briefAt(b []byte, i int) (u uint64, next int, ok bool) {
	one, two := uint64(b[i]), uint64(b[i+1])
	long := one >> 7
	u = one&0x7f | two&-long<<7
	return u, i + 1 + int(long), u>>3 < briefBelow[u&7] && two&-long < 0x80
}

// What a value of one or two bytes is, by the low bits of its encoding: its kind, whether the others are zig-zag encoded, and what
// they are below.
var (
	briefKinds  = [8]Kind{tagInt: KindInt, tagBool: KindBool, tagString: KindString}
	briefSigned = [8]uint64{tagInt: 1<<64 - 1}
	briefBelow  = [8]uint64{tagNull: 1, tagInt: 1 << 60, tagBool: 2, tagString: 1 << 32}
)

// holdingSlowly is holding for any numbers and values.
func (k *block) holdingSlowly(column []byte, t, limit int64, into *kept) reach {
	d := decoder{b: column}
	start, end := k.start, k.start
	if k.kind == leafBlock {
		start = d.after(start, k.end)
		end = d.after(start, k.end)
	} else {
		end = d.after(end, k.end)
		start = d.before(end)
	}
	if d.bad || end <= start {
		return heldBadly
	}
	return k.goOnSlowly(column, stop{start, end, uint32(d.i)}, t, limit, into)
}

// goOnSlowly is holdingFrom for any numbers and values.
func (k *block) goOnSlowly(column []byte, s stop, t, limit int64, into *kept) reach {
	d := decoder{b: column, i: int(s.value)}
	for s.end <= t {
		d.skipValue()
		if !d.more() {
			if d.bad {
				return heldBadly
			}
			return heldNone
		}
		if !k.advance(&d, &s) {
			return heldBadly
		}
	}
	if s.start > t {
		return heldLater
	}
	v := d.value()
	if d.bad {
		return heldBadly
	}
	into.start, into.end, into.bits, into.kind = s.start, min(s.end, limit), v.bits, v.kind
	return heldFound
}

// advance takes the numbers of the interval that follows in a column, up to its value. It returns false where they do not decode.
func (k *block) advance(d *decoder, s *stop) bool {
	if s.start = s.end; k.kind != leafBlock {
		s.start = d.after(s.end, k.end)
	}
	s.end = d.after(s.start, k.end)
	s.value = uint32(d.i)
	return !d.bad && s.end > s.start
}

// forward moves a stop some intervals further. It returns false where the column ends or does not decode before.
func (k *block) forward(column []byte, s *stop, intervals int) bool {
	d := decoder{b: column, i: int(s.value)}
	for range intervals {
		if d.skipValue(); !d.more() || !k.advance(&d, s) {
			return false
		}
	}
	return true
}
