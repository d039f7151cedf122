package trace

// Roles are those that fields of a scope can have: a time, for instance, is that of a packet in
// one scope and that of an event in another. Others mean nothing there.
func (s Scope) Roles() Role {
	switch s {
	case PacketHeader:
		return Magic | TraceID | StreamClass | StreamInstance
	case PacketContext:
		return PacketSize | ContentSize | PacketBegin | PacketEnd | Discarded | Sequence | CPU
	case EventHeader:
		return EventClass | Timestamp
	}
	return NoRole
}

// AppendRest appends the fields of packet header, packet context or event header that have no
// role, and so no place of their own in the text form: path=value, one for each
// integer, float, string, boolean and array. Selectors of variants in the event header are left
// out too: they say how an event is written, not what it is.
func (e *Event) AppendRest(b []byte, l *Layout, s Scope) []byte {
	root := l.roots[s]
	if root == nil {
		return b
	}
	r := rest{event: e, roles: s.Roles(), selectors: make(map[*Field]bool)}
	if s == EventHeader {
		r.collect(root)
	}
	return r.append(b, nil, root)
}

// A rest is the fields of a scope that are still to be written.
type rest struct {
	event     *Event
	roles     Role // that fields of the scope can have
	selectors map[*Field]bool
}

func (r *rest) collect(f *Field) {
	if f.typ.Kind == Variant {
		r.selectors[f.ref] = true
	}
	for _, k := range f.kids {
		r.collect(k)
	}
}

func (r *rest) append(b, path []byte, f *Field) []byte {
	e := r.event
	for _, k := range f.kids {
		if !e.Has(k) || k.role&r.roles != NoRole || r.selectors[k] {
			continue
		}
		at := path
		if len(path) > 0 {
			at = append(at, '.')
		}
		at = appendName(at, k.name)
		if k.typ.Kind == Struct || k.typ.Kind == Variant {
			b = r.append(b, at, k)
			continue
		}
		if len(b) > 0 && b[len(b)-1] != ' ' {
			b = append(b, ' ')
		}
		b = append(b, at...)
		b = append(b, '=')
		b = e.appendValue(b, k)
	}
	return b
}
