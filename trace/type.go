package trace

// Kind is the shape of a [Type].
type Kind uint8

const (
	Integer Kind = iota + 1 // Size bits, with or without sign, labels or a text encoding
	Float                   // IEEE 754 of 16, 32 or 64 bits
	String                  // bytes up to a zero byte
	Struct                  // Members one after the other
	Array                   // Count elements, or as many as the integer at Ref says
	Variant                 // the one of Members that the integer at Ref selects
)

// A Type says how a field is written. It is the model that every metadata
// language is turned into; nothing in it depends on where the field lies, so
// one Type may serve many fields. A Type must not change once a Layout has seen it.
type Type struct {
	Kind  Kind
	Align uint32 // bits, a power of two, counted from the beginning of the packet; 0 is 1

	// Integer and Float.
	Size      uint32 // bits, 1 to 64
	Signed    bool
	BigEndian bool
	Base      uint8     // to print in: 2, 8, 10 or 16; 0 is 10
	Text      bool      // a character: arrays of them are strings
	Labels    []Mapping // what ranges of values are called; ranges may overlap

	Members []Member // Struct, Variant
	Elem    *Type    // Array
	Count   uint64   // Array without Ref
	Ref     *Ref     // length of an Array, selector of a Variant
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

// A Ref names an integer field written earlier that another field depends on.
type Ref struct {
	Scope        Scope
	Path         []string // recorded names
	Line, Column int      // in the metadata, for messages; 0 if unknown
}

// integer bounds of v's text form: whether a label covers a value.
func (m Mapping) covers(v int64, signed bool) bool {
	if signed {
		return m.Low <= v && v <= m.High
	}
	return uint64(m.Low) <= uint64(v) && uint64(v) <= uint64(m.High)
}

func (t *Type) align() uint64 { return max(uint64(t.Align), 1) }

// alignment is what the field as a whole is aligned to: at least what its parts are.
func (t *Type) alignment(depth int) uint64 {
	a := t.align()
	if depth > maxDepth {
		return a
	}
	switch t.Kind {
	case Struct:
		for i := range t.Members {
			a = max(a, t.Members[i].Type.alignment(depth+1))
		}
	case Array:
		a = max(a, t.Elem.alignment(depth+1))
	}
	return a
}

// stride is the distance of two elements of a packed array.
func (t *Type) stride() uint64 { return roundUp(uint64(t.Size), t.align()) }

// packed reports whether an array of t has its elements at equal distances.
func (t *Type) packed() bool { return t.Kind == Integer || t.Kind == Float }

func roundUp(n, align uint64) uint64 { return (n + align - 1) &^ (align - 1) }
