package writer

import "synchroscope/trace"

// An op is one step of writing: a value that the caller gives, one that the
// writer knows, or a move between them.
type op struct {
	code opcode
	mask uint64 // alignment - 1

	// Integers, floats and the elements of arrays of them.
	size              uint32
	signed, bigEndian bool
	whole             bool // of 8, 16, 32 or 64 bits, at bytes
	reversed          bool // the bits in the other order
	variable          bool // LEB128
	text              bool // opArray: of characters
	chars             trace.Encoding
	stride            uint64 // opArray: bits from element to element

	slot int32 // opInt, opAuto: where the value is kept, for what depends on it
	role trace.Role
	set  uint64 // opAuto without role: the value

	count    uint64   // opArray, opLoop: elements, without ref
	refs     []int32  // slots of the length or the selector: the last one that is there counts
	jump     int      // opLoop: behind the loop; opNext, opJump: where to go on
	clear    [2]int32 // opVariant: slots of the options
	picks    []pick   // opVariant
	negative bool     // opVariant: the selector has a sign
	absent   int      // opVariant: where to go on without an option, 0 if that is an error
	name     string   // of the field, for messages
	member   *node
}

type opcode uint8

const (
	opEnd     opcode = iota
	opInt            // the caller gives an integer
	opFloat          // … a floating point number
	opString         // … a string that ends with a zero byte
	opArray          // … integers or floats, one by one or as bytes
	opAuto           // the writer knows the integer
	opAlign          // padding
	opLoop           // an array of compounds begins
	opNext           // an element of it ends
	opVariant        // goes on at the option that is selected, or behind an optional that is not there
	opJump           // an option ends
)

// A pick says at which op the option begins that a range of values selects.
type pick struct {
	trace.Mapping
	jump int
}

// option is where to go on for a selector's value, 0 if nowhere.
func (o *op) option(v uint64) int {
	for i := range o.picks {
		p := &o.picks[i]
		if o.negative && p.Low <= int64(v) && int64(v) <= p.High || !o.negative && uint64(p.Low) <= v && v <= uint64(p.High) {
			return p.jump
		}
	}
	return o.absent
}

// fits reports whether an integer of the op's size can hold v.
func (o *op) fits(v int64) bool {
	drop := 64 - o.size
	if o.signed {
		return v<<drop>>drop == v
	}
	return uint64(v)<<drop>>drop == uint64(v)
}
