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
	switch {
	case f == nil:
		return nil, r.fail("no field %q stands before it", strings.Join(r.Path, "."))
	case f.typ.Kind != Integer:
		return nil, r.fail("field %q is not an integer", strings.Join(r.Path, "."))
	}
	return f, nil
}

// A RefError says what is wrong with a reference, and where in the metadata it stands.
type RefError struct {
	Ref     *Ref
	Message string
}

func (e *RefError) Error() string { return e.Message }

func (r *Ref) fail(format string, args ...any) error {
	return &RefError{r, fmt.Sprintf(format, args...)}
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
