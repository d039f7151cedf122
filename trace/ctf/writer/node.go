package writer

import (
	"fmt"
	"slices"
	"strings"

	"synchroscope/trace"
)

// A node is a field of one class: a type, and where it stands. The scopes of a
// class are trees of nodes.
type node struct {
	name   string // as recorded; "" for elements and scopes
	typ    *trace.Type
	scope  trace.Scope
	parent *node // nil for the scope itself
	kids   []*node
	slot   int32 // of an integer or a boolean
	exact  bool  // names are what they are
}

// path is the dotted path of plain names, as trace.Class.Field takes it.
func (n *node) path() string {
	if n.parent == nil {
		return ""
	}
	outer, name := n.parent.path(), n.name
	if !n.exact {
		name = plainName(name)
	}
	if outer == "" || name == "" {
		return outer + name
	}
	return outer + "." + name
}

func plainName(name string) string {
	if len(name) > 1 && name[0] == '_' {
		return name[1:]
	}
	return name
}

// descend follows recorded names through structs and variants. Of two fields with one name it
// is the later one.
func (n *node) descend(path []string) *node {
	if n == nil || len(path) == 0 {
		return n
	}
	if n.typ.Kind == trace.Array {
		return nil
	}
	for _, k := range slices.Backward(n.kids) {
		if k.name == path[0] {
			return k.descend(path[1:])
		}
	}
	return nil
}

// roots are the scopes that are known so far.
type roots [trace.Payload + 1]*node

// resolve finds the integers that a reference of n may mean, in the order they are written:
// that of the last one which is there counts.
func (r *roots) resolve(n *node, ref *trace.Ref) ([]*node, error) {
	var found []*node
	if ref.Located {
		found = r.locate(n, ref)
	} else if f := r.lookup(n, ref); f != nil {
		found = []*node{f}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("field %q: no field %q stands before it", n.path(), strings.Join(ref.Path, "."))
	}
	for _, f := range found {
		if f.typ.Kind != trace.Integer && f.typ.Kind != trace.Boolean || f.typ.Signed != found[0].typ.Signed {
			return nil, fmt.Errorf("field %q: field %q is not an integer", n.path(), strings.Join(ref.Path, "."))
		}
	}
	return found, nil
}

// lookup searches the structs around n from the inner to the outer, then the scopes
// before, as trace.Layout does.
func (r *roots) lookup(n *node, ref *trace.Ref) *node {
	if ref.Scope != trace.Lexical {
		return r[ref.Scope].descend(ref.Path)
	}
	var other *node // of that name, but no integer
	for s := n.structure(); s != nil; s = s.structure() {
		if g := s.descend(ref.Path); g != nil {
			if g.typ.Kind == trace.Integer || g.typ.Kind == trace.Boolean {
				return g
			}
			other = g
		}
	}
	for s := n.scope - 1; s > trace.Lexical; s-- {
		if g := r[s].descend(ref.Path); g != nil {
			return g
		}
	}
	return other
}

// structure is the struct around n.
func (n *node) structure() *node {
	for s := n.parent; s != nil; s = s.parent {
		if s.typ.Kind == trace.Struct {
			return s
		}
	}
	return nil
}

// locate goes the way that a reference of CTF 2 describes.
func (r *roots) locate(n *node, ref *trace.Ref) []*node {
	from := r[ref.Scope]
	if ref.Scope == trace.Lexical {
		from = n.structure()
		for i := 0; i < ref.Up && from != nil; i++ {
			from = from.structure()
		}
	}
	return from.reach(n, ref.Path, nil)
}

// reach collects what a path from n leads to for the field user. What is around user is
// entered where user is, other variants in all of their options, other arrays not at all.
func (n *node) reach(user *node, path []string, into []*node) []*node {
	switch {
	case n == nil || n == user:
		return into
	case n.typ.Kind == trace.Array || n.typ.Kind == trace.Variant || n.typ.Kind == trace.Optional:
		around := user.within(n)
		for _, k := range n.kids {
			if around && (k == user || user.within(k)) || !around && n.typ.Kind != trace.Array {
				into = k.reach(user, path, into)
			}
		}
	case len(path) == 0:
		into = append(into, n)
	case n.typ.Kind == trace.Struct:
		for _, k := range n.kids {
			if k.name == path[0] {
				into = k.reach(user, path[1:], into)
			}
		}
	}
	return into
}

// within reports whether n is inside of outer.
func (n *node) within(outer *node) bool {
	for p := n.parent; p != nil; p = p.parent {
		if p == outer {
			return true
		}
	}
	return false
}
