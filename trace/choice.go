package trace

// What CTF 2 calls a location, and the fields of one role, may be any of several
// fields, of which an event has one: those with the same name in several options of a
// variant, or one in an optional. A choice is a Field that stands for them.

// never is an option that no variant has: a choice is asked for only after its condition failed.
const never = 1 << 63

// choice returns a field that is the last of alts that is present.
func choice(alts []*Field) *Field {
	first := alts[0]
	return &Field{
		name: first.name, typ: first.typ, role: first.role,
		size: 64, signed: first.signed, slot: -1,
		cond: &cond{option: never}, alts: alts,
	}
}

// choose reads the integer of a field that is not there itself: that of an alternative, if there is one.
func (e *Event) choose(f *Field) int64 {
	if f == nil || f.alts == nil {
		return 0
	}
	return e.Int(e.alternative(f))
}

// alternative is the field that the choice f stands for in this event, nil if there is none.
func (e *Event) alternative(f *Field) *Field {
	for i := len(f.alts) - 1; i >= 0; i-- {
		if e.Has(f.alts[i]) {
			return f.alts[i]
		}
	}
	return nil
}

// Field returns the field of a scope that has one of the roles r; where several
// have, the last one that is present stands for them, in each packet or event anew. It is nil
// if there is none.
func (l *Layout) Field(s Scope, r Role) *Field {
	switch fields := l.Fields(s, r); len(fields) {
	case 0:
		return nil
	case 1:
		return fields[0]
	default:
		return choice(fields)
	}
}
