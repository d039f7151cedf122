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

// holding fills in the interval of a column that holds t, up to a limit; where there is none, into may hold anything. The quick way is for numbers of at most eight
// bytes and values of one or two, that do not stand at the end of what is in memory; any other goes from the front again.
func (k *block) holding(column []byte, t, limit int64, into *kept) reach {
	const ahead = 24 // bytes that are looked at from one interval to the next
	b := column[:cap(column)]
	if len(b) < ahead {
		return k.holdingSlowly(column, t, limit, into)
	}
	x := word(b, 0)
	n := bits.TrailingZeros64(^x & tops) // to the end of a number
	first, i := squeeze(x&(1<<(n&63)-1)), n>>3+1
	x = word(b, i)
	m := bits.TrailingZeros64(^x & tops)
	length, i := squeeze(x&(1<<(m&63)-1)), i+m>>3+1
	room := uint64(k.end) - uint64(k.start)
	if (n|m) >= 64 || first > room || length == 0 {
		return k.holdingSlowly(column, t, limit, into)
	}
	leaf := k.kind == leafBlock
	start := k.start + int64(first)
	end := start + int64(length)
	if leaf && length > room-first {
		return heldBadly
	}
	if !leaf {
		start, end = start-int64(length), start
		if length > uint64(end)-1<<63 {
			return heldBadly
		}
	}
	for end <= t {
		if i >= len(column) {
			return heldBadly
		}
		_, next, ok := briefAt(b, i)
		if i = next; i == len(column) && ok {
			return heldNone
		}
		if !ok || i+ahead > len(b) {
			return k.holdingSlowly(column, t, limit, into)
		}
		if start, n = end, 0; !leaf {
			x = word(b, i)
			n = bits.TrailingZeros64(^x & tops)
			gap := squeeze(x & (1<<(n&63) - 1))
			if i += n>>3 + 1; gap > uint64(k.end)-uint64(start) {
				return k.holdingSlowly(column, t, limit, into)
			}
			start += int64(gap)
		}
		x = word(b, i)
		m = bits.TrailingZeros64(^x & tops)
		if length, i = squeeze(x&(1<<(m&63)-1)), i+m>>3+1; (n | m) >= 64 {
			return k.holdingSlowly(column, t, limit, into)
		}
		if length-1 >= uint64(k.end)-uint64(start) {
			return heldBadly
		}
		end = start + int64(length)
	}
	u, next, ok := briefAt(b, i)
	if !ok || next > len(column) {
		return k.holdingSlowly(column, t, limit, into)
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
	leaf := k.kind == leafBlock
	start, end := k.start, k.start
	if leaf {
		start = d.after(start, k.end)
		end = d.after(start, k.end)
	} else {
		end = d.after(end, k.end)
		start = d.before(end)
	}
	for end > start && end <= t {
		d.skipValue()
		if !d.more() {
			if d.bad {
				return heldBadly
			}
			return heldNone
		}
		start = end
		if !leaf {
			start = d.after(end, k.end)
		}
		end = d.after(start, k.end)
	}
	if d.bad || end <= start {
		return heldBadly
	}
	if start > t {
		return heldLater
	}
	v := d.value()
	if d.bad {
		return heldBadly
	}
	into.start, into.end, into.bits, into.kind = start, min(end, limit), v.bits, v.kind
	return heldFound
}
