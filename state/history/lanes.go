package history

import (
	"math/bits"
	"slices"
)

// laneValues of a row are summed side by side.
const laneValues = 8

// A lane is the time of each of the row's first values in one column.
type lane [laneValues]int64

// lanes are the first values of a row, in order of appearance.
type lanes struct {
	known  int
	values [laneValues]Value
	briefs [256]lanePlace // by the encoding of a value of one byte
}

// A lanePlace is where a value is among the first of a row: its place, and above laneBits a bit for it, so that those of
// several values may be gathered. It is 0 for one not looked for yet, and noLane if there is no place left.
type lanePlace int32

const (
	laneBits           = 8
	noLane   lanePlace = -1
)

func placeOf(i int) lanePlace { return 1<<(laneBits+i) | lanePlace(i) }

// of returns the place in a lane, of a value that has one.
func (p lanePlace) of() uint8 { return uint8(p) & (laneValues - 1) }

// used are the bits gathered.
func (p lanePlace) used() uint8 { return uint8(p >> laneBits) }

// briefValues are the encodings of values that take one byte.
const briefValues = 0x80

// of returns the place of a value, which it gets if there is one left; laneValues if not.
func (l *lanes) of(v Value) int {
	u := brief(v)
	if u < briefValues {
		if p := l.briefs[u]; p > 0 {
			return int(p.of())
		} else if p == noLane {
			return laneValues
		}
	}
	i := slices.Index(l.values[:l.known], v)
	if i < 0 {
		if i = l.known; i < laneValues {
			l.values[i] = v
			l.known++
		}
	}
	switch {
	case u >= briefValues:
	case i < laneValues:
		l.briefs[u] = placeOf(i)
	default:
		l.briefs[u] = noLane
	}
	return i
}

// brief is the encoding of a value if that is one byte, else at least briefValues.
func brief(v Value) uint64 {
	switch v.kind {
	case KindInt:
		if v.bits < briefValues>>4 {
			return v.bits<<4 | tagInt
		}
	case KindString:
		if v.bits < briefValues>>3 {
			return v.bits<<3 | tagString
		}
	case KindBool:
		return v.bits<<3 | tagBool
	case KindNull:
		return tagNull
	}
	return briefValues
}

// ascending returns the places of the values by value.
func (l *lanes) ascending() []uint8 {
	places := make([]uint8, l.known, laneValues)
	for i := range places {
		places[i] = uint8(i)
	}
	slices.SortFunc(places, func(a, b uint8) int { return order(l.values[a], l.values[b]) })
	return places
}

// sum adds the times of the intervals of a leaf that stand in b from i on, while they end in what is left of some time,
// and their numbers and values are of the sizes nearly all have. It returns where it stopped, what is left then, and which values it
// has added to.
func (l *lanes) sum(b []byte, i int, left uint64, times *lane) (next int, rest uint64, used uint8) {
	gathered := lanePlace(0)
	for i+8 <= cap(b) {
		x := word(b, i)
		end := ^x & tops // the top bits of last bytes, the first of which is that of the length
		if end == 0 {
			break
		}
		value := i + bits.TrailingZeros64(end)>>3 + 1
		if uint(value) >= uint(len(b)) {
			break
		}
		at := l.briefs[b[value]]
		if x = x &^ end & (end - 1); x < 1<<31 {
			x = uint64(squeezeFour(uint32(x)))
		} else {
			x = squeeze(x)
		}
		if at <= 0 || x-1 >= left { // or it is 0
			break
		}
		times[at.of()] += int64(x)
		gathered |= at
		left -= x
		i = value + 1
	}
	return i, left, gathered.used()
}

// next takes the number and the value that stand in b at i, if the value is of one byte and known. Else it returns
// no place.
func (l *lanes) next(b []byte, i int) (length uint64, next int, at lanePlace) {
	if i+8 > cap(b) {
		return 0, 0, 0
	}
	x := word(b, i)
	end := ^x & tops
	value := i + bits.TrailingZeros64(end)>>3 + 1
	if end == 0 || uint(value) >= uint(len(b)) {
		return 0, 0, 0
	}
	return squeeze(x &^ end & (end - 1)), value + 1, l.briefs[b[value]]
}

// last takes the number and the value that end at i, of which w are the last eight bytes, if the value is of one byte and
// known, and the number begins behind the first of the eight.
func (l *lanes) last(w uint64, i int) (length uint64, next int, at lanePlace) {
	before := ^w & (tops >> 16) // the last bytes of what is before the two
	if w>>55&1 != 0 || before == 0 {
		return 0, 0, 0
	}
	n := bits.Len64(before) & 63
	return squeeze(w & (1<<56 - 1) >> n), i - 8 + n>>3, l.briefs[w>>56]
}

// encoded returns the place of a value of which the encoding begins with u, if that is all of it and the value is in a lane.
func (l *lanes) encoded(u uint64) (at lanePlace, ok bool) {
	rest := decoder{} // of which there is nothing
	v := rest.rest(u)
	if rest.bad {
		return 0, false
	}
	i := l.of(v)
	return placeOf(i), i < laneValues
}
