package trace

import "strings"

// Limits of what finding one located field may cost.
const (
	maxAlternatives = 256
	maxSteps        = 1 << 16
)

// locate goes the way that a Located reference describes and returns what is at its end: a field,
// or a choice among those it may lead to.
func (c *compiler) locate(r *Ref) (*Field, error) {
	var from *Field
	if r.Scope != Lexical {
		from = c.roots[r.Scope]
	} else if r.Up < len(c.open) {
		from = c.open[len(c.open)-1-r.Up]
	}
	name := strings.Join(r.Path, ".")
	switch {
	case from == nil && r.Scope != Lexical:
		return nil, r.fail("the %s, in which %q is to be, has not been read there", r.Scope, name)
	case from == nil:
		return nil, r.fail("the way to %q leads out of the %s", name, c.where)
	}
	w := walker{c: c}
	w.reach(from, r.Path)
	switch {
	case w.steps > maxSteps || len(w.found) > maxAlternatives:
		return nil, r.fail("too many fields may be %q", name)
	case len(w.found) == 0:
		return nil, r.fail("no field %q stands before it", name)
	}
	first := w.found[0]
	for _, f := range w.found {
		if f.typ.Kind != Integer && f.typ.Kind != Boolean {
			return nil, r.fail("field %q is not an integer", name)
		}
		if f.typ.Kind != first.typ.Kind || f.signed != first.signed {
			return nil, r.fail("the fields that %q may be differ in kind or sign", name)
		}
	}
	if len(w.found) == 1 && c.implied(first.cond) {
		return first, nil
	}
	return choice(w.found), nil
}

// implied reports whether d holds wherever the field being laid out is there.
func (c *compiler) implied(d *cond) bool {
	if d == nil {
		return true
	}
	for x := c.cond; x != nil; x = x.outer {
		if x == d {
			return true
		}
	}
	return false
}

// A walker collects what a path may lead to.
type walker struct {
	c     *compiler
	found []*Field
	steps int
}

func (w *walker) reach(f *Field, path []string) {
	if w.steps++; w.steps > maxSteps || len(w.found) > maxAlternatives {
		return
	}
	inner := w.c.inside(f)
	switch f.typ.Kind {
	case Array: // of which there is the element being read, if any
		if inner != nil {
			w.reach(inner, path)
		}
		return
	case Variant:
		if inner != nil {
			w.reach(inner, path)
			return
		}
		for _, k := range f.kids {
			w.reach(k, path)
		}
		return
	}
	if len(path) == 0 {
		w.found = append(w.found, f)
		return
	}
	if f.typ.Kind != Struct {
		return
	}
	for i, k := range f.kids {
		if f.typ.Members[i].Name == path[0] {
			w.reach(k, path[1:])
		}
	}
	if n := len(f.kids); inner != nil && n < len(f.typ.Members) && f.typ.Members[n].Name == path[0] {
		w.reach(inner, path[1:])
	}
}

// inside returns the compound field that is being laid out directly in f, nil if f is complete.
func (c *compiler) inside(f *Field) *Field {
	for i, g := range c.chain[:max(len(c.chain)-1, 0)] {
		if g == f {
			return c.chain[i+1]
		}
	}
	return nil
}
