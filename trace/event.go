// Package trace says what an event, a host and a trace set are. It knows no
// file format: trace/ctf fills these types, everything else reads them.
package trace

// An Event is one decoded event. It borrows its bytes from the reader: it is
// valid until the reader's next step and must not be kept.
type Event struct {
	Time   int64  // local time, ns since the epoch by the host's own clock
	CPU    int32  // the CPU that recorded it, -1 where the trace does not say
	Class  *Class // what kind of event it is
	Trace  int32  // index into the host's traces
	Stream int32  // index into the trace's streams
}

// A Class describes all events of one kind in one trace: the name, and where
// its fields lie. Classes are compared by pointer; Index is dense per host
// reader, so a consumer can keep a table of handlers beside it.
type Class struct {
	Name  string
	Index int
}

// A Field is a resolved place inside the events of one class.
type Field struct{}

// Field resolves a dotted path such as "prev_tid" or
// "network_header.ipv4.transport_header.tcp.seq" in the payload, then in the
// contexts (event, stream, packet) of the class. Variant options are path elements.
// One leading underscore of a recorded name is not part of the path. It
// returns nil where the class has no such field; all accessors of Event accept nil and
// answer the zero value.
func (c *Class) Field(path string) *Field { panic("unbuilt") }

// Has reports whether the field is present in this event: its class has it
// and every variant on its path has the option selected.
func (e *Event) Has(f *Field) bool { panic("unbuilt") }

// Int reads an integer, enumeration or boolean field, sign-extended. An
// unsigned 64-bit value comes as its two's complement.
func (e *Event) Int(f *Field) int64 { panic("unbuilt") }

// Bytes reads a string or a character array, without its terminator. The
// slice aliases the reader's window.
func (e *Event) Bytes(f *Field) []byte { panic("unbuilt") }

// Len is the number of elements of an array or sequence of integers.
func (e *Event) Len(f *Field) int { panic("unbuilt") }

// At reads element i of an array or sequence of integers.
func (e *Event) At(f *Field, i int) int64 { panic("unbuilt") }

// AppendText appends the payload in the text form of docs/format/text.md:
// name = value pairs, all fields, nested ones in braces.
func (e *Event) AppendText(b []byte) []byte { panic("unbuilt") }
