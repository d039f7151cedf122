package trace

// What the metadata alone tells of fields that [Class.Field] finds in one class.

// Always reports whether every event of the class has the field.
func (f *Field) Always() bool { return f.cond == nil }

// Brings reports whether every event that has f has g too, as f lies in all options that g lies in.
func (f *Field) Brings(g *Field) bool {
	for c := g.cond; c != nil; c = c.outer {
		if option, ok := f.within(c.slot); !ok || option != c.option {
			return false
		}
	}
	return true
}

// Excludes reports whether no event has both fields, as they lie in two options of one variant.
func (f *Field) Excludes(g *Field) bool {
	for c := g.cond; c != nil; c = c.outer {
		if option, ok := f.within(c.slot); ok && option != c.option {
			return true
		}
	}
	return false
}

// within is the option that f lies in, of what is selected in a slot.
func (f *Field) within(slot int32) (option uint64, ok bool) {
	for c := f.cond; c != nil; c = c.outer {
		if c.slot == slot {
			return c.option, true
		}
	}
	return 0, false
}
