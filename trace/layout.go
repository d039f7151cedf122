package trace

// Limits of what a layout accepts; metadata is as untrusted as anything else.
const (
	maxDepth = 64      // of nested fields
	maxAlign = 1 << 16 // bits; a reader's window begins at a multiple of it
	maxFixed = 1 << 40 // bits of one segment
	maxSlots = 1 << 16 // segments and fields of one class
)

// MaxAlign is the largest alignment a [Layout] accepts, in bits.
const MaxAlign = maxAlign

// A Layout compiles the types of one stream into places. The scopes are added
// in the order they are written: what an event shares with others first
// (packet header, packet context, event header), then any number of classes.
//
// Three runs of bytes are walked apart, because they are met apart: packet
// header and context once per packet, the event header before the class is
// known, and the rest. All note their segments in the same array of the event,
// so a field may depend on an integer of any of them.
type Layout struct {
	roots  [scopes]*Field
	packet []op
	header []op
	slots  int
	align  uint64
	fields int

	// Verbatim says that names are what they are. Without it they are taken to be those of CTF 1.8,
	// where tracers put an underscore before each, which is not part of a path.
	Verbatim bool
}

// Packet compiles packet header and packet context; either may be nil.
func (l *Layout) Packet(header, context *Type) error {
	c := l.compiler(1)
	if err := c.scope(PacketHeader, header); err != nil {
		return err
	}
	err := c.scope(PacketContext, context)
	l.packet = c.finish()
	l.keep(c)
	return err
}

// Header compiles the event header; it may be nil.
func (l *Layout) Header(t *Type) error {
	c := l.compiler(0)
	err := c.scope(EventHeader, t)
	l.header = c.finish()
	l.keep(c)
	return err
}

// Class compiles what follows the event header; each type may be nil. The
// index is the caller's to choose.
func (l *Layout) Class(name string, index int, stream, event, payload *Type) (*Class, error) {
	c := l.compiler(0)
	for i, t := range [...]*Type{stream, event, payload} {
		if err := c.scope(StreamContext+Scope(i), t); err != nil {
			return nil, err
		}
	}
	class := &Class{Name: name, Index: index, body: c.finish(), roots: c.roots, slots: c.slots}
	class.single = len(class.body) == 1 && class.body[0].code == opFixed
	l.align = c.most
	l.fields += c.count
	return class, nil
}

// keep makes what c laid out a part of the layout.
func (l *Layout) keep(c *compiler) {
	l.roots, l.slots, l.align = c.roots, c.slots, c.most
	l.fields += c.count
}

// Count is the number of fields laid out so far, those of all classes included.
func (l *Layout) Count() int { return l.fields }

// Fields returns the fields of a scope that have one of the roles r, in the order they are
// written. Where several are present in an event, the last one counts.
func (l *Layout) Fields(s Scope, r Role) []*Field { return l.roots[s].withRole(r, nil) }

// Slots is what the fields of the layout itself need of [Event.Prepare].
func (l *Layout) Slots() int { return l.slots }

// Slots is what the class needs of [Event.Prepare].
func (c *Class) Slots() int { return c.slots }

// Align is the largest alignment of all fields laid out so far, in bits, and at least 8.
func (l *Layout) Align() uint64 { return max(l.align, 8) }
