package trace

import (
	"fmt"
	"slices"
	"strings"
)

// resolve finds the integer that a reference names, among what is laid out already.
func (c *compiler) resolve(r *Ref) (*Field, error) {
	if r.Located {
		return c.locate(r)
	}
	f := c.lookup(r)
	at := ""
	if r.Line > 0 {
		at = fmt.Sprintf("%d:%d: ", r.Line, r.Column)
	}
	switch {
	case f == nil:
		return nil, fmt.Errorf("%sno field %q stands before it", at, strings.Join(r.Path, "."))
	case f.typ.Kind != Integer:
		return nil, fmt.Errorf("%sfield %q is not an integer", at, strings.Join(r.Path, "."))
	}
	return f, nil
}

func (c *compiler) lookup(r *Ref) *Field {
	if r.Scope != Lexical {
		return c.roots[r.Scope].descend(r.Path)
	}
	var other *Field // of that name, but no integer
	for _, f := range slices.Backward(c.open) {
		if g := f.descend(r.Path); g != nil {
			if g.typ.Kind == Integer {
				return g
			}
			other = g
		}
	}
	for s := c.where - 1; s > Lexical; s-- {
		if g := c.roots[s].descend(r.Path); g != nil {
			return g
		}
	}
	return other
}

// descend follows recorded names, but not into arrays.
func (f *Field) descend(path []string) *Field {
	if f == nil || len(path) == 0 {
		return f
	}
	if f.typ.Kind == Array {
		return nil
	}
	for i, k := range slices.Backward(f.kids) {
		if f.typ.Members[i].Name == path[0] {
			return k.descend(path[1:])
		}
	}
	return nil
}
