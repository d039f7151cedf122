package trace

import (
	"bytes"
	"errors"
	"math/bits"
	"slices"
)

// An op moves over one segment. Each first aligns the position and notes it in its slot.
type op struct {
	code opcode
	area uint8 // which buffer of the event
	slot int32
	mask uint64 // alignment - 1

	bits uint64 // opFixed: the size of the segment; opPacked: of an element

	ref    *Field   // length or selector
	count  uint64   // without ref
	stride uint64   // opPacked
	least  uint64   // opLoop: bits that an element has at least
	signed bool     // opVariable
	chars  Encoding // opString

	subs [][]op // opLoop: the element; opVariant: the options
	sel  *selector
	pick int32 // opVariant: slot of the selected option
}

type opcode uint8

const (
	opFixed    opcode = iota
	opText            // bytes up to a zero
	opString          // characters of two or four bytes up to a zero
	opPacked          // elements of one size
	opLoop            // elements of any size
	opVariant         // one of subs
	opVariable        // an integer in LEB128
)

// Why a walk ended before the event did.
var (
	// ErrShort says that the event goes on behind the end of what was given.
	ErrShort = errors.New("the event runs past the end of its packet")
	// ErrOption says that a variant has no option for the value of its selector.
	ErrOption = errors.New("a variant has no option for its selector's value")
	// ErrWide says that an integer of variable length has more than 64 bits.
	ErrWide = errors.New("an integer of variable length has more than 64 bits")
	// ErrAbsent says that a length or a selector is in an option or an optional that is not there.
	ErrAbsent = errors.New("the field that a length or a selector is read from is not there")
)

// walk moves over ops from bit pos and returns where they end. It never goes behind end.
func (e *Event) walk(ops []op, pos, end uint64) (uint64, error) {
	for i := range ops {
		o := &ops[i]
		pos = (pos + o.mask) &^ o.mask
		e.slots[o.slot] = pos
		if o.code == opFixed {
			pos += o.bits
			if pos > end {
				return pos, ErrShort
			}
			continue
		}
		if pos > end {
			return pos, ErrShort
		}
		if o.code == opText {
			n := bytes.IndexByte(e.buf[o.area&1][pos>>3:end>>3], 0)
			if n < 0 {
				return pos, ErrShort
			}
			pos += uint64(n+1) << 3
			continue
		}
		var err error
		if pos, err = e.vary(o, pos, end); err != nil {
			return pos, err
		}
	}
	return pos, nil
}

// vary moves over what varies in size.
func (e *Event) vary(o *op, pos, end uint64) (uint64, error) {
	switch o.code {
	case opString:
		n := o.chars.end(e.buf[o.area&1][pos>>3 : end>>3])
		if n < 0 {
			return pos, ErrShort
		}
		return pos + uint64(n+o.chars.Unit())<<3, nil

	case opVariable:
		n, err := endLEB128(e.buf[o.area&1][pos>>3:end>>3], o.signed)
		return pos + uint64(n)<<3, err

	case opPacked:
		if o.ref.alts != nil && !e.Has(o.ref) {
			return pos, ErrAbsent
		}
		n := uint64(e.Int(o.ref))
		if n == 0 {
			return pos, nil
		}
		if n > (end-pos)/o.bits {
			return beyond(pos, n, o.bits), ErrShort
		}
		pos += (n-1)*o.stride + o.bits
		if pos > end {
			return pos, ErrShort
		}
		return pos, nil

	case opLoop:
		n := o.count
		if o.ref != nil {
			if o.ref.alts != nil && !e.Has(o.ref) {
				return pos, ErrAbsent
			}
			n = uint64(e.Int(o.ref))
		}
		if o.least > 0 && n > (end-pos)/o.least {
			return beyond(pos, n, o.least), ErrShort
		}
		for ; n > 0; n-- {
			next, err := e.walk(o.subs[0], pos, end)
			if err != nil {
				return next, err
			}
			if next == pos {
				break // it took no space, so all others take none
			}
			pos = next
		}
		return pos, nil
	}

	if o.ref.alts != nil && !e.Has(o.ref) {
		return pos, ErrAbsent
	}
	option := o.sel.option(e.Int(o.ref))
	e.slots[o.pick] = uint64(option)
	if option < 0 {
		return pos, ErrOption
	}
	return e.walk(o.subs[option], pos, end)
}

// beyond is where n elements of some bits end at the earliest; 2⁶³ stands for all that is farther.
func beyond(pos, n, size uint64) uint64 {
	hi, lo := bits.Mul64(n, size)
	if hi > 0 || lo >= 1<<63-pos {
		return 1 << 63
	}
	return pos + lo
}

// A selector maps the values of an integer to the options of a variant, or to what
// is done with an optional: 0 is that it is there, 1 that it is not.
type selector struct {
	signed bool
	other  int // for values without a range: -1, or 1 for an optional
	ranges []selected
	dense  []int16 // for values of up to 8 bits without sign
}

type selected struct {
	Mapping
	option int
}

func (s *selector) option(v int64) int {
	if uint64(v) < uint64(len(s.dense)) {
		return int(s.dense[v])
	}
	return s.search(v)
}

func (s *selector) search(v int64) int {
	for i := range s.ranges {
		if s.ranges[i].covers(v, s.signed) {
			return s.ranges[i].option
		}
	}
	return s.other
}

// newSelector prepares the choice of f's options by the integer at ref.
func newSelector(t *Type, ref *Field) *selector {
	s := &selector{signed: ref.typ.Signed, other: -1}
	if t.Kind == Optional {
		s.optional(t)
	}
	for i, m := range t.Members {
		for _, r := range m.Select {
			s.ranges = append(s.ranges, selected{r, i})
		}
	}
	if s.ranges == nil && t.Kind == Variant {
		options := make(map[string]int, len(t.Members))
		for i, m := range slices.Backward(t.Members) {
			options[m.Name] = i
		}
		for _, r := range ref.typ.Labels {
			if i, ok := options[r.Label]; ok {
				s.ranges = append(s.ranges, selected{r, i})
			}
		}
	}
	if !s.signed && ref.size <= 8 && len(t.Members) <= 256 && len(s.ranges) <= 256 {
		s.dense = make([]int16, 1<<ref.size)
		for v := range s.dense {
			s.dense[v] = int16(s.search(int64(v)))
		}
	}
	return s
}

// optional makes the choice between what is there and what is not.
func (s *selector) optional(t *Type) {
	s.other = 1
	if t.Select == nil {
		s.ranges = []selected{{Mapping{Low: 1, High: 1}, 0}} // a boolean
	}
	for _, r := range t.Select {
		s.ranges = append(s.ranges, selected{r, 0})
	}
}
