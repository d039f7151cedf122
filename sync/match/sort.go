package match

import "slices"

// sortRanged orders segments by stream and sequence number, and what is equal in both by compare; scratch is memory to be used.
// Segments are many and their numbers small, so they are dealt out digit by digit.
func sortRanged(list, scratch []ranged, compare func(p, q ranged) int) (sorted, free []ranged) {
	if len(list) < 1<<9 {
		slices.SortFunc(list, compare)
		return list, scratch
	}
	scratch = slices.Grow(scratch[:0], len(list))[:len(list)]
	for digit := range uint(8) {
		var place [256]int
		for i := range list {
			place[list[i].digit(digit)]++
		}
		at := 0
		for i, n := range place {
			place[i], at = at, at+n
		}
		for _, r := range list {
			d := r.digit(digit)
			scratch[place[d]] = r
			place[d]++
		}
		list, scratch = scratch, list
	}
	sortEqual(list, compare)
	return list, scratch
}

// digit is one of eight of 8 bits: those of the sequence number, and half of those of the stream.
func (r *ranged) digit(n uint) uint8 {
	if n < 4 {
		return uint8(r.begin >> (8 * n))
	}
	return uint8(r.stream >> (8 * (n - 4)))
}

// sortEqual sorts what is equal in all digits, and all of several streams that are.
func sortEqual(list []ranged, compare func(p, q ranged) int) {
	for len(list) > 0 {
		n, mixed := 1, false
		for n < len(list) && uint32(list[n].stream) == uint32(list[0].stream) {
			mixed = mixed || list[n].stream != list[0].stream
			n++
		}
		if mixed {
			slices.SortFunc(list[:n], compare)
		}
		for stream := list[:n]; !mixed && len(stream) > 1; {
			k := 1
			for k < len(stream) && stream[k].begin == stream[0].begin {
				k++
			}
			if k > 1 {
				slices.SortFunc(stream[:k], compare)
			}
			stream = stream[k:]
		}
		list = list[n:]
	}
}
