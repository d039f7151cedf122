package trace

import (
	"bytes"
	"errors"
	"slices"
)

// An op moves over one segment. Each first aligns the position and notes it in its slot.
type op struct {
	code opcode
	area uint8 // which buffer of the event
	slot int32
	mask uint64 // alignment - 1

	bits uint64 // opFixed: the size of the segment; opPacked: of an element

	ref    *Field // length or selector
	count  uint64 // without ref
	stride uint64 // opPacked
	least  uint64 // opLoop: bits that an element has at least

	subs [][]op // opLoop: the element; opVariant: the options
	sel  *selector
	pick int32 // opVariant: slot of the selected option
}

type opcode uint8

const (
	opFixed   opcode = iota
	opString         // to the zero byte
	opPacked         // elements of one size
	opLoop           // elements of any size
	opVariant        // one of subs
)

// Why a walk ended before the event did.
var (
	// ErrShort says that the event goes on behind the end of what was given.
	ErrShort = errors.New("the event runs past the end of its packet")
	// ErrOption says that a variant has no option for the value of its selector.
	ErrOption = errors.New("a variant has no option for its selector's value")
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
		n := bytes.IndexByte(e.buf[o.area&1][pos>>3:end>>3], 0)
		if n < 0 {
			return pos, ErrShort
		}
		return pos + uint64(n+1)<<3, nil

	case opPacked:
		n := uint64(e.Int(o.ref))
		if n == 0 {
			return pos, nil
		}
		if n > (end-pos)/o.bits {
			return pos, ErrShort
		}
		pos += (n-1)*o.stride + o.bits
		if pos > end {
			return pos, ErrShort
		}
		return pos, nil

	case opLoop:
		n := o.count
		if o.ref != nil {
			n = uint64(e.Int(o.ref))
		}
		if o.least > 0 && n > (end-pos)/o.least {
			return pos, ErrShort
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

	option := o.sel.option(e.Int(o.ref))
	e.slots[o.pick] = uint64(option)
	if option < 0 {
		return pos, ErrOption
	}
	return e.walk(o.subs[option], pos, end)
}

// A selector maps the values of an integer to the options of a variant.
type selector struct {
	signed bool
	ranges []choice
	dense  []int16 // for values of up to 8 bits without sign
}

type choice struct {
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
	return -1
}

// newSelector prepares the choice of f's options by the integer at ref.
func newSelector(t *Type, ref *Field) *selector {
	s := &selector{signed: ref.typ.Signed}
	for i, m := range t.Members {
		for _, r := range m.Select {
			s.ranges = append(s.ranges, choice{r, i})
		}
	}
	if s.ranges == nil {
		options := make(map[string]int, len(t.Members))
		for i, m := range slices.Backward(t.Members) {
			options[m.Name] = i
		}
		for _, r := range ref.typ.Labels {
			if i, ok := options[r.Label]; ok {
				s.ranges = append(s.ranges, choice{r, i})
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
