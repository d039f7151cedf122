package trace

import "strings"

// A Class describes all events of one kind in one trace: the name, and where
// its fields lie. Classes are compared by pointer; Index is dense per host
// reader, so a consumer can keep a table of handlers beside it.
type Class struct {
	Name  string
	Index int

	roots  [scopes]*Field // nil where the class has no such scope
	body   []op           // over the contexts and the payload
	single bool           // body is one segment, of a fixed size
	slots  int            // that an event of the class needs
}

// WithIndex returns the class with another index.
func (c *Class) WithIndex(index int) *Class {
	if c.Index == index {
		return c
	}
	d := *c
	d.Index = index
	return &d
}

// A Field is a resolved place inside the events of one class.
type Field struct {
	name string // without its leading underscore
	typ  *Type
	role Role

	// How the integer, or the element of a packed array, is written.
	size   uint8
	signed bool
	form   form
	raw    *Field // reads the bits that a form is about

	area   uint8  // which buffer of the event
	slot   int32  // which segment
	off    uint64 // bits from its beginning
	stride uint64 // bits between elements of a packed array
	cond   *cond  // the innermost variant option the field lies in
	ref    *Field // the length of a sequence, the selector of a variant

	alts []*Field // of a choice

	kids []*Field // members, options, or the one element of an array that is not packed
	loop []op     // over that element
	pick int32    // slot with the selected option of a variant
}

// A cond is met when a variant has an option selected, and the outer variants theirs.
type cond struct {
	slot   int32
	option uint64
	outer  *cond
}

// Field resolves a dotted path such as "prev_tid" or
// "network_header.ipv4.transport_header.tcp.seq" in the payload, then in the
// contexts (event, stream, packet) of the class. Variant options are path elements.
// One leading underscore of a recorded name is not part of the path. It
// returns nil where the class has no such field; all accessors of Event accept nil and
// answer the zero value.
func (c *Class) Field(path string) *Field {
	for _, s := range [...]Scope{Payload, EventContext, StreamContext, PacketContext} {
		if f := c.roots[s].find(path); f != nil {
			return f
		}
	}
	return nil
}

// Context resolves a path like [Class.Field], in the contexts alone.
func (c *Class) Context(path string) *Field {
	for _, s := range [...]Scope{EventContext, StreamContext, PacketContext} {
		if f := c.roots[s].find(path); f != nil {
			return f
		}
	}
	return nil
}

// Payload resolves a path like [Class.Field], in the payload alone.
func (c *Class) Payload(path string) *Field { return c.roots[Payload].find(path) }

// Paths yields the path of every field that [Class.Field] finds, structures and variants included; one may come twice.
func (c *Class) Paths(yield func(path string)) {
	for _, s := range [...]Scope{Payload, EventContext, StreamContext, PacketContext} {
		c.roots[s].paths("", yield)
	}
}

func (f *Field) paths(before string, yield func(path string)) {
	if f == nil || f.typ.Kind == Array {
		return
	}
	for _, k := range f.kids {
		yield(before + k.name)
		k.paths(before+k.name+".", yield)
	}
}

// find descends along path. Names may contain dots, so it goes by prefixes.
func (f *Field) find(path string) *Field {
	if f == nil || f.typ.Kind == Array {
		return nil
	}
	for _, k := range f.kids {
		if k.name == path {
			return k
		}
		if rest, ok := strings.CutPrefix(path, k.name); ok && strings.HasPrefix(rest, ".") {
			if g := k.find(rest[1:]); g != nil {
				return g
			}
		}
	}
	return nil
}

// withRole collects the fields below f that have one of the roles r; what is in arrays has none.
func (f *Field) withRole(r Role, into []*Field) []*Field {
	if f == nil || f.typ.Kind == Array && f.role&r == 0 {
		return into
	}
	if f.role&r != 0 {
		return append(into, f)
	}
	for _, k := range f.kids {
		into = k.withRole(r, into)
	}
	return into
}

// Type is how the field is written.
func (f *Field) Type() *Type { return f.typ }

// Name is the last element of the field's path.
func (f *Field) Name() string { return f.name }

// plainName takes off the underscore that tracers put before names so that they
// never meet a keyword of the metadata language.
func plainName(name string) string {
	if len(name) > 1 && name[0] == '_' {
		return name[1:]
	}
	return name
}
