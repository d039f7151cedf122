package writer

import (
	"fmt"

	"synchroscope/trace"
)

// maxDepth bounds the nesting of fields.
const maxDepth = 64

// A compiler turns types into ops.
type compiler struct {
	roots roots
	slots int32
	depth int
	exact bool  // names are what they are
	auto  bool  // fields with a role are the writer's
	form  *form // of an event header: one option of each variant is taken
	ops   []op

	alternatives bool // a length or a selector may be one of several fields
}

// scope adds the fields of one scope; t may be nil.
func (c *compiler) scope(s trace.Scope, t *trace.Type) error {
	if t == nil {
		return nil
	}
	if t.Kind != trace.Struct {
		return fmt.Errorf("the %s is not a struct", s)
	}
	root := &node{typ: t, scope: s, exact: c.exact}
	c.roots[s] = root
	if err := c.field(root, trace.NoRole); err != nil {
		return fmt.Errorf("%s: %w", s, err)
	}
	return nil
}

// program ends the ops and returns them.
func (c *compiler) program() []op {
	ops := append(c.ops, op{code: opEnd})
	c.ops = nil
	return ops
}

func (c *compiler) emit(o op) int {
	c.ops = append(c.ops, o)
	return len(c.ops) - 1
}

func (c *compiler) field(n *node, role trace.Role) error {
	role &= n.scope.Roles()
	if c.depth++; c.depth > maxDepth {
		return fmt.Errorf("fields are nested deeper than %d", maxDepth)
	}
	defer func() { c.depth-- }()
	t := n.typ
	if a := max(t.Align, 1); a&(a-1) != 0 || a > trace.MaxAlign {
		return fmt.Errorf("field %q: an alignment of %d bits is not a power of two up to %d", n.path(), a, trace.MaxAlign)
	}
	switch t.Kind {
	case trace.Integer, trace.Float, trace.Boolean, trace.BitMap:
		o, err := number(n, t)
		if err != nil {
			return err
		}
		if t.Kind != trace.Float {
			n.slot, o.slot = c.slots, c.slots
			c.slots++
			if c.auto && role != trace.NoRole {
				o.code, o.role = opAuto, role
			}
		}
		c.emit(o)
		return nil
	case trace.String:
		c.emit(op{code: opString, mask: uint64(max(t.Align, 8)) - 1, chars: t.Encoding, name: n.path(), member: n})
		return nil
	case trace.Struct:
		return c.members(n)
	case trace.Array:
		return c.array(n, role)
	case trace.Variant:
		return c.variant(n)
	case trace.Optional:
		return c.optional(n, role)
	}
	return fmt.Errorf("field %q has no type", n.path())
}

// number describes integers and floats of type t.
func number(n *node, t *trace.Type) (op, error) {
	if t.Size < 1 || t.Size > 64 || t.Kind == trace.Float && t.Size != 16 && t.Size != 32 && t.Size != 64 || t.Variable && t.Size != 64 {
		return op{}, fmt.Errorf("field %q: a size of %d bits is not supported", n.path(), t.Size)
	}
	o := op{
		code: opInt, name: n.path(), member: n, slot: -1,
		mask: uint64(max(t.Align, 1)) - 1, size: t.Size, signed: t.Signed && t.Kind == trace.Integer, bigEndian: t.BigEndian,
		reversed: t.Reversed, variable: t.Variable && t.Kind == trace.Integer,
	}
	if o.variable {
		o.mask = max(o.mask, 7)
	}
	o.whole = o.mask >= 7 && !o.reversed && !o.variable && (t.Size == 8 || t.Size == 16 || t.Size == 32 || t.Size == 64)
	if t.Kind == trace.Float {
		o.code = opFloat
	}
	return o, nil
}

func (c *compiler) align(a uint32) {
	if a > 1 {
		c.emit(op{code: opAlign, mask: uint64(a) - 1})
	}
}

// child makes the node of a part and adds it to n, where later fields may find it.
func (n *node) child(name string, t *trace.Type) *node {
	k := &node{name: name, typ: t, scope: n.scope, parent: n, exact: n.exact}
	n.kids = append(n.kids, k)
	return k
}

func (c *compiler) members(n *node) error {
	c.align(n.typ.Align)
	for _, m := range n.typ.Members {
		if err := c.field(n.child(m.Name, m.Type), m.Role); err != nil {
			return err
		}
	}
	return nil
}

func (c *compiler) array(n *node, role trace.Role) error {
	t := n.typ
	if t.Elem == nil {
		return fmt.Errorf("array %q has no element type", n.path())
	}
	var refs []int32
	if t.Ref != nil {
		lengths, err := c.roots.resolve(n, t.Ref)
		if err != nil {
			return err
		}
		refs = c.slotsOf(lengths)
	}
	if packed(t.Elem) {
		o, err := number(n, t.Elem)
		if err != nil {
			return err
		}
		o.stride = roundUp(uint64(t.Elem.Size), o.mask+1)
		o.text = t.Elem.Kind == trace.Integer && t.Elem.Text && t.Elem.Size == 8
		o.chars = t.Elem.Encoding
		o.code, o.mask, o.count, o.refs = opArray, max(o.mask, uint64(max(t.Align, 1))-1), t.Count, refs
		if c.auto {
			o.role = role
		}
		c.emit(o)
		return nil
	}
	c.align(t.Align)
	begin := c.emit(op{code: opLoop, count: t.Count, refs: refs, name: n.path(), member: n})
	if err := c.field(n.child("", t.Elem), trace.NoRole); err != nil {
		return err
	}
	c.emit(op{code: opNext, jump: begin + 1})
	c.ops[begin].jump = len(c.ops)
	return nil
}

func (c *compiler) variant(n *node) error {
	t := n.typ
	if t.Ref == nil {
		return fmt.Errorf("variant %q has no selector", n.path())
	}
	if c.form != nil {
		return c.chosen(n)
	}
	selectors, err := c.roots.resolve(n, t.Ref)
	if err != nil {
		return err
	}
	selector := selectors[0].typ
	c.align(t.Align)
	at := c.emit(op{code: opVariant, refs: c.slotsOf(selectors), negative: selector.Signed, name: n.path(), member: n})
	before := c.slots
	begins, ends := make([]int, len(t.Members)), make([]int, len(t.Members))
	for i, m := range t.Members {
		begins[i] = len(c.ops)
		if err := c.field(n.child(m.Name, m.Type), m.Role); err != nil {
			return err
		}
		ends[i] = c.emit(op{code: opJump})
	}
	for _, e := range ends {
		c.ops[e].jump = len(c.ops)
	}
	for _, ch := range selection(t, selector) {
		c.ops[at].picks = append(c.ops[at].picks, pick{ch.Mapping, begins[ch.option]})
	}
	c.ops[at].clear = [2]int32{before, c.slots}
	return nil
}

// optional is like a variant of one option, and nothing where that is not selected.
func (c *compiler) optional(n *node, role trace.Role) error {
	t := n.typ
	if t.Ref == nil || t.Elem == nil {
		return fmt.Errorf("optional %q has no selector or no type", n.path())
	}
	selectors, err := c.roots.resolve(n, t.Ref)
	if err != nil {
		return err
	}
	at := c.emit(op{code: opVariant, refs: c.slotsOf(selectors), negative: selectors[0].typ.Signed, name: n.path(), member: n})
	before, ranges := c.slots, t.Select
	if ranges == nil {
		ranges = []trace.Mapping{{Low: 1, High: 1}} // true
	}
	for _, r := range ranges {
		c.ops[at].picks = append(c.ops[at].picks, pick{r, len(c.ops)})
	}
	if err := c.field(n.child("", t.Elem), role); err != nil {
		return err
	}
	c.ops[at].absent, c.ops[at].clear = len(c.ops), [2]int32{before, c.slots}
	return nil
}

// slotsOf returns the slots of fields of which the last one that is there counts. Whether one
// is there is noted only in programs where that matters.
func (c *compiler) slotsOf(fields []*node) []int32 {
	var slots []int32
	for _, f := range fields {
		slots = append(slots, f.slot)
	}
	c.alternatives = c.alternatives || len(slots) > 1
	return slots
}

// packed reports whether the elements of an array of t are at equal distances.
func packed(t *trace.Type) bool {
	switch t.Kind {
	case trace.Integer, trace.Float, trace.Boolean, trace.BitMap:
		return !t.Variable
	}
	return false
}

// A choice says which option a range of values selects.
type choice struct {
	trace.Mapping
	option int
}

// selection returns what selects the options of a variant: their own ranges, or the labels of
// the selector that have their names. Where ranges overlap, the first one counts.
func selection(variant, selector *trace.Type) []choice {
	var cs []choice
	for i, m := range variant.Members {
		for _, r := range m.Select {
			cs = append(cs, choice{r, i})
		}
	}
	if cs != nil {
		return cs
	}
	byName := make(map[string]int, len(variant.Members))
	for i, m := range variant.Members {
		if _, ok := byName[m.Name]; !ok {
			byName[m.Name] = i
		}
	}
	for _, l := range selector.Labels {
		if i, ok := byName[l.Label]; ok {
			cs = append(cs, choice{l, i})
		}
	}
	return cs
}
