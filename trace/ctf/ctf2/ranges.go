package ctf2

import (
	"math"
	"slices"
	"strconv"

	"synchroscope/trace"
)

// labels reads mappings or flags: names, each with its ranges.
func labels(v *value, signed bool) []trace.Mapping {
	v.isNot(object)
	var all []trace.Mapping
	for i, x := range v.all() {
		rs := ranges(x)
		for _, r := range rs.list {
			r.Label = v.keys[i]
			all = append(all, r)
		}
		if signed && rs.above || !signed && rs.negative {
			x.fail("the values of %q are not those of such an integer", v.keys[i])
		}
	}
	return all
}

// A rangeSet holds integers whose sign is known only from where they are used.
type rangeSet struct {
	list            []trace.Mapping
	negative, above bool // it has values below 0, or above the largest signed one
}

// ranges reads a set of ranges [low, high], both included.
func ranges(v *value) (s rangeSet) {
	for _, r := range v.list() {
		ends := r.list()
		if len(ends) != 2 {
			r.fail("expected the lower and the upper end of a range, found %d values", len(ends))
		}
		low, high := ends[0].end(&s), ends[1].end(&s)
		if low.above && !high.above || low.above == high.above && low.bits > high.bits {
			r.fail("the range ends before it begins")
		}
		s.list = append(s.list, trace.Mapping{Low: low.bits, High: high.bits})
	}
	if s.list == nil {
		v.fail("expected at least one range")
	}
	if s.negative && s.above {
		v.fail("no integer of 64 bits has all these values")
	}
	return s
}

// A bound is an integer from -2⁶³ to 2⁶⁴-1, in two's complement.
type bound struct {
	bits  int64
	above bool // above 2⁶³-1
}

// end reads the end of a range.
func (v *value) end(s *rangeSet) bound {
	if v.kind == integer {
		if i, err := strconv.ParseInt(v.text, 10, 64); err == nil {
			s.negative = s.negative || i < 0
			return bound{i, false}
		}
		if u, err := strconv.ParseUint(v.text, 10, 64); err == nil {
			s.above = s.above || u > math.MaxInt64
			return bound{int64(u), true}
		}
	}
	v.expect("an integer of 64 bits")
	return bound{}
}

// overlap returns the names of two options that a value selects both.
func overlap(options []trace.Member, above bool) (a, b string, found bool) {
	less := func(x, y int64) bool { return x < y }
	if above {
		less = func(x, y int64) bool { return uint64(x) < uint64(y) }
	}
	type piece struct {
		trace.Mapping
		option int
	}
	var all []piece
	for i, o := range options {
		for _, r := range o.Select {
			all = append(all, piece{r, i})
		}
	}
	slices.SortFunc(all, func(x, y piece) int {
		switch {
		case less(x.Low, y.Low):
			return -1
		case less(y.Low, x.Low):
			return 1
		}
		return 0
	})
	for i := 1; i < len(all); i++ {
		x, y := all[i-1], all[i]
		if !less(x.High, y.Low) && x.option != y.option {
			return options[x.option].Name, options[y.option].Name, true
		}
		if less(y.High, x.High) { // of the same option, and it reaches further
			all[i] = piece{trace.Mapping{Low: y.Low, High: x.High}, y.option}
		}
	}
	return "", "", false
}
