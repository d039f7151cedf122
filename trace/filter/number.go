package filter

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A number is an integer of 64 bits or a double. Numbers of different forms are compared by
// what they are worth, exactly: 2⁶³ is greater than any signed integer, and no integer is
// rounded to a double.
type number struct {
	form numberForm
	bits uint64
}

type numberForm uint8

const (
	signed numberForm = iota
	unsigned
	float
)

func integer(v int64) number     { return number{signed, uint64(v)} }
func double(v float64) number    { return number{float, math.Float64bits(v)} }
func (n number) double() float64 { return math.Float64frombits(n.bits) }

// negative reports whether an integer is below zero.
func (n number) negative() bool { return n.form == signed && int64(n.bits) < 0 }

// magnitude is an integer without its sign.
func (n number) magnitude() uint64 {
	if n.negative() {
		return -n.bits
	}
	return n.bits
}

// compareNumbers returns -1, 0 or 1; ok is false where one of them is NaN.
func compareNumbers(a, b number) (c int, ok bool) {
	switch {
	case a.form == float && b.form == float:
		x, y := a.double(), b.double()
		return cmp.Compare(x, y), x == x && y == y
	case a.form == float:
		c, ok = compareDouble(b, a.double())
		return -c, ok
	case b.form == float:
		return compareDouble(a, b.double())
	case a.negative() != b.negative():
		if a.negative() {
			return -1, true
		}
		return 1, true
	}
	return cmp.Compare(a.bits, b.bits), true // two's complement keeps the order of equal signs
}

// compareDouble compares an integer with f.
func compareDouble(n number, f float64) (c int, ok bool) {
	sign := 1
	if n.negative() {
		sign = -1
	}
	switch whole := math.Trunc(math.Abs(f)); {
	case f != f:
		return 0, false
	case n.negative() != (f < 0):
		return sign, true
	case whole >= 1<<64:
		return -sign, true
	case n.magnitude() != uint64(whole):
		return sign * cmp.Compare(n.magnitude(), uint64(whole)), true
	case whole != math.Abs(f):
		return -sign, true
	}
	return 0, true
}

// parseNumber reads a number as it is written in a filter.
func parseNumber(s string) (number, error) {
	digits, minus := strings.CutPrefix(s, "-")
	base := 10
	if len(digits) > 2 && digits[0] == '0' {
		if base = map[byte]int{'x': 16, 'o': 8, 'b': 2}[digits[1]]; base == 0 {
			base = 10
		} else {
			digits = digits[2:]
		}
	}
	if base == 10 && strings.ContainsAny(digits, ".eE") {
		f, err := strconv.ParseFloat(s, 64)
		if err != nil || strings.ContainsAny(digits, "_pP") || digits[len(digits)-1] == '.' {
			return number{}, fmt.Errorf("%.40q is not a number, or one too large for a double", s)
		}
		return double(f), nil
	}
	v, err := strconv.ParseUint(digits, base, 64)
	if err != nil || minus && v > 1<<63 {
		return number{}, fmt.Errorf("%.40q is not a number, or one of more than 64 bits", s)
	}
	switch {
	case minus:
		return integer(int64(-v)), nil
	case v > math.MaxInt64:
		return number{unsigned, v}, nil
	}
	return integer(int64(v)), nil
}

// An order is the set of results of a comparison that an operator accepts.
type order uint8

const (
	less order = 1 << iota
	equal
	greater
)

var orders = map[string]order{
	"==": equal, "!=": less | greater,
	"<": less, "<=": less | equal,
	">": greater, ">=": greater | equal,
}

func (o order) String() string {
	for text, p := range orders {
		if p == o {
			return text
		}
	}
	return "?"
}

// has reports whether the result c of a comparison is accepted.
func (o order) has(c int) bool { return o>>(c+1)&1 != 0 }

// swapped is the order with its sides exchanged.
func (o order) swapped() order { return o&equal | o<<2&greater | o>>2&less }
