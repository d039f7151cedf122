package trace

// Kind is the shape of a [Type].
type Kind uint8

const (
	Integer  Kind = iota + 1 // Size bits, with or without sign, labels or a text encoding
	Float                    // IEEE 754 of 16, 32 or 64 bits
	String                   // characters up to a zero
	Struct                   // Members one after the other
	Array                    // Count elements, or as many as the integer at Ref says
	Variant                  // the one of Members that the integer at Ref selects
	Optional                 // Elem, where the boolean or integer at Ref has one of the values in Select
	Boolean                  // Size bits: true where any of them is set
	BitMap                   // Size bits, each with its own meaning: Labels name ranges of bits
)

// A Type says how a field is written. It is the model that every metadata
// language is turned into; nothing in it depends on where the field lies, so
// one Type may serve many fields. A Type must not change once a Layout has seen it.
type Type struct {
	Kind Kind
	// Align is in bits, a power of two, counted from the beginning of the
	// packet; 0 is 1. That of a Struct or an Array is at least that of its parts.
	Align uint32

	// Integer, Float, Boolean and BitMap.
	Size      uint32 // bits, 1 to 64
	Signed    bool
	BigEndian bool
	Reversed  bool      // the bit that comes first for the byte order is the last of the value
	Variable  bool      // an Integer of 64 bits in LEB128: seven bits a byte, the lowest first, as few bytes as the writer likes
	Base      uint8     // to print in: 2, 8, 10 or 16; 0 is 10
	Text      bool      // a character: arrays of them are strings
	Clock     string    // name of the clock that the value was read from
	Labels    []Mapping // what ranges of values are called; ranges may overlap

	Encoding Encoding // of a String, and of an Integer of 8 bits that is Text: one byte of a character
	Media    string   // an Array of bytes that is a BLOB: its media type

	Members []Member // Struct, Variant
	Elem    *Type    // Array, Optional
	Count   uint64   // Array without Ref
	Ref     *Ref     // length of an Array, selector of a Variant or an Optional

	// Select are the selector values that mean that an Optional is there; without any, true does.
	// Negative and Above say whether these, or those of a Variant's options, hold values that only a
	// signed selector can have, or only an unsigned one.
	Select          []Mapping
	Negative, Above bool

	least uint64 // bits of a Struct or Array at least, as far as known
}

// A Mapping names the integers from Low to High, both included. The integers
// of an unsigned type are given in two's complement.
type Mapping struct {
	Label     string
	Low, High int64
}

// A Member is a field of a struct or an option of a variant.
type Member struct {
	Name string
	Type *Type
	Role Role
	// Select are the selector values of an option. Where no option of a
	// variant has any, the labels of the selector name the options.
	Select []Mapping
}

// A Scope is one of the structures an event is made of, in the order they are written.
type Scope uint8

const (
	Lexical Scope = iota // of a Ref: not a scope but a search, from the place of use outwards
	PacketHeader
	PacketContext
	EventHeader
	StreamContext // the context that all events of a stream carry
	EventContext  // the context that the events of one class carry
	Payload
	scopes
)

var scopeNames = [scopes]string{"", "packet header", "packet context", "event header", "stream context", "event context", "payload"}

func (s Scope) String() string { return scopeNames[s] }

// A Role is what a field says about its packet or event, beyond its own value.
// A field may have several.
type Role uint16

const (
	Magic          Role = 1 << iota // a constant at the beginning of a packet
	TraceID                         // the 16 bytes of the trace's uuid
	StreamClass                     // which kind of stream the packet belongs to
	StreamInstance                  // which of the streams of one kind
	PacketSize                      // bits of the packet with its padding
	ContentSize                     // bits of the packet without it
	PacketBegin                     // clock
	PacketEnd                       // clock
	Discarded                       // events lost in the stream so far
	Sequence                        // number of the packet in its stream
	CPU                             // that the packet was recorded on
	EventClass                      // which kind of event it is
	Timestamp                       // clock, or the low bits of it

	NoRole Role = 0
)

// A Ref names an integer field written earlier that another field depends on.
//
// There are two ways to name one. CTF 1.8 searches for the path from the place of use
// outwards, and names the options of variants in it. CTF 2 goes a way: from
// the root of Scope or, if that is Lexical, from the struct around the field and Up structs
// further out, down along members alone; variants, optionals and arrays in between are
// passed through, to whatever is there.
type Ref struct {
	Scope        Scope
	Located      bool     // the second way
	Up           int      // of a Located Ref without Scope
	Path         []string // recorded names
	Line, Column int      // in the metadata, for messages; 0 if unknown
}

func (m Mapping) covers(v int64, signed bool) bool {
	if signed {
		return m.Low <= v && v <= m.High
	}
	return uint64(m.Low) <= uint64(v) && uint64(v) <= uint64(m.High)
}

func (t *Type) align() uint64 { return max(uint64(t.Align), 1) }

// NewStruct makes a struct that is aligned to align bits and to what its members need.
func NewStruct(align uint32, members []Member) *Type {
	t := &Type{Kind: Struct, Align: align, Members: members}
	for _, m := range members {
		t.Align = max(t.Align, m.Type.Align)
		t.least = min(t.least+m.Type.atLeast(), maxFixed)
	}
	return t
}

// NewArray makes an array of count elements or, with a ref, of as many as the integer there says.
func NewArray(elem *Type, count uint64, ref *Ref) *Type {
	t := &Type{Kind: Array, Align: elem.Align, Elem: elem, Count: count, Ref: ref}
	if ref == nil && count > 0 {
		t.least = elem.atLeast()
	}
	return t
}

// atLeast is a number of bits, without padding, that no value of t is shorter than.
func (t *Type) atLeast() uint64 {
	switch t.Kind {
	case Integer, Float, Boolean, BitMap:
		if t.Variable {
			return 8
		}
		return uint64(t.Size)
	case String:
		return 8 * uint64(t.Encoding.Unit())
	}
	return t.least
}

// stride is the distance of two elements of a packed array.
func (t *Type) stride() uint64 { return roundUp(uint64(t.Size), t.align()) }

// packed reports whether an array of t has its elements at equal distances.
func (t *Type) packed() bool {
	switch t.Kind {
	case Integer, Float, Boolean, BitMap:
		return !t.Variable
	}
	return false
}

func roundUp(n, align uint64) uint64 { return (n + align - 1) &^ (align - 1) }
