package trace

import (
	"fmt"
	"strings"
)

// A compiler lays out one part.
type compiler struct {
	roots [scopes]*Field
	slots int
	most  uint64 // the largest alignment
	area  uint8

	ops   []op
	count int // fields so far
	depth int
	open  []*Field // structs around the field being laid out, outermost first
	chain []*Field // the same with arrays and variants
	exact bool     // names are not shortened
	where Scope
	cond  *cond

	// The segment that is open: its op is the last one.
	fixed bool
	slot  int32
	off   uint64
	known grid // what is known of the position
}

// A grid says that a position is at mod modulo the power of two step.
type grid struct{ step, mod uint64 }

// meet is what is known of a position that is on one grid or on the other.
func (g grid) meet(h grid) grid {
	step := min(g.step, h.step)
	for step > 1 && g.mod%step != h.mod%step {
		step /= 2
	}
	return grid{step, g.mod % step}
}

// aligned is what is known behind the padding to a multiple of a.
func (g grid) aligned(a uint64) grid {
	if a > g.step {
		return grid{a, 0}
	}
	return grid{g.step, roundUp(g.mod, a) % g.step}
}

func (l *Layout) compiler(area uint8) *compiler {
	known := grid{maxAlign, 0}
	if area == 0 {
		known = grid{1, 0}
	}
	return &compiler{roots: l.roots, slots: l.slots, most: max(l.align, 8), area: area, known: known, exact: l.Verbatim}
}

func (c *compiler) finish() []op {
	c.seal()
	return c.ops
}

func (c *compiler) scope(s Scope, t *Type) error {
	if t == nil {
		return nil
	}
	if t.Kind != Struct {
		return fmt.Errorf("the %s is not a struct", s)
	}
	c.where = s
	f, err := c.field("", t)
	c.roots[s] = f
	if err != nil {
		return fmt.Errorf("%s: %w", s, err)
	}
	return nil
}

// field lays out one field behind what has been laid out already.
func (c *compiler) field(name string, t *Type) (*Field, error) {
	f := &Field{name: name, typ: t, area: c.area, cond: c.cond}
	if !c.exact {
		f.name = plainName(name)
	}
	if c.depth++; c.depth > maxDepth {
		return f, fmt.Errorf("fields are nested deeper than %d", maxDepth)
	}
	defer func() { c.depth-- }()
	if a := t.align(); a > maxAlign || a&(a-1) != 0 {
		return f, fmt.Errorf("field %q: an alignment of %d bits is not a power of two up to %d", name, a, maxAlign)
	}
	c.most = max(c.most, t.align())
	if c.count++; c.count > maxSlots || c.slots > maxSlots || c.off > maxFixed {
		return f, fmt.Errorf("field %q: the event is too large", name)
	}
	switch t.Kind {
	case Integer, Float, Boolean, BitMap:
		return f, c.number(f, name)
	case String:
		c.text(f)
		return f, nil
	case Optional:
		return c.optional(f, name)
	}
	c.chain = append(c.chain, f)
	defer func() { c.chain = c.chain[:len(c.chain)-1] }()
	switch t.Kind {
	case Struct:
		return f, c.members(f)
	case Array:
		return f, c.array(f, name)
	case Variant:
		return f, c.variant(f, name)
	}
	return f, fmt.Errorf("field %q has no type", name)
}

func (c *compiler) number(f *Field, name string) error {
	if err := f.scalar(f.typ, name); err != nil {
		return err
	}
	if f.typ.Variable {
		f.slot = c.emit(op{code: opVariable, mask: max(f.typ.align(), 8) - 1, signed: f.signed})
		c.known = grid{8, 0}
		return nil
	}
	c.align(f.typ.align())
	c.take(f, uint64(f.typ.Size))
	return nil
}

// scalar notes how integers of type t are written.
func (f *Field) scalar(t *Type, name string) error {
	if t.Size < 1 || t.Size > 64 || t.Kind == Float && t.Size != 16 && t.Size != 32 && t.Size != 64 || t.Variable && t.Size != 64 {
		return fmt.Errorf("field %q: a size of %d bits is not supported", name, t.Size)
	}
	f.size, f.form, f.signed = uint8(t.Size), formLittle, t.Signed && t.Kind == Integer
	if t.BigEndian {
		f.form = formBig
	}
	switch raw := (&Field{size: f.size, form: f.form}); {
	case t.Variable && t.Kind == Integer:
		f.form = formVariable
	case t.Kind == Boolean:
		f.form, f.raw = formBoolean, raw
	case t.Reversed:
		f.form, f.raw = formReversed, raw
	}
	return nil
}

func (c *compiler) text(f *Field) {
	o := op{code: opText, mask: max(f.typ.align(), 8) - 1, chars: f.typ.Encoding}
	if f.typ.Encoding != UTF8 {
		o.code = opString
	}
	f.slot = c.emit(o)
	c.known = grid{8, 0}
}

func (c *compiler) members(f *Field) error {
	c.align(f.typ.align())
	c.take(f, 0)
	c.open = append(c.open, f)
	defer func() { c.open = c.open[:len(c.open)-1] }()
	if len(c.open) == 1 {
		c.roots[c.where] = f // its own later members may name it
	}
	for _, m := range f.typ.Members {
		k, err := c.field(m.Name, m.Type)
		if err != nil {
			return err
		}
		k.role = m.Role
		f.kids = append(f.kids, k)
	}
	return nil
}

func (c *compiler) array(f *Field, name string) error {
	t := f.typ
	if t.Elem == nil {
		return fmt.Errorf("array %q has no element type", name)
	}
	if t.Ref != nil {
		var err error
		if f.ref, err = c.resolve(t.Ref); err != nil {
			return fmt.Errorf("length of sequence %q: %w", name, err)
		}
		if f.ref.typ.Kind != Integer || f.ref.typ.Signed {
			is := map[bool]string{true: "signed", false: "a boolean"}[f.ref.typ.Signed]
			return fmt.Errorf("length of sequence %q: %w", name, t.Ref.fail("%q is %s", strings.Join(t.Ref.Path, "."), is))
		}
	}
	align := t.align()
	if !t.Elem.packed() {
		return c.loop(f, align)
	}
	if err := f.scalar(t.Elem, name); err != nil {
		return err
	}
	if a := t.Elem.align(); a > maxAlign || a&(a-1) != 0 {
		return fmt.Errorf("array %q: an alignment of %d bits is not a power of two up to %d", name, a, maxAlign)
	}
	f.stride = t.Elem.stride()
	if f.ref != nil {
		f.slot = c.emit(op{code: opPacked, mask: align - 1, ref: f.ref, bits: uint64(t.Elem.Size), stride: f.stride})
		c.known = grid{1, 0}
		if t.Elem.Size%8 == 0 && f.stride%8 == 0 && align%8 == 0 {
			c.known = grid{8, 0}
		}
		return nil
	}
	c.align(align)
	if t.Count > maxFixed/f.stride {
		return fmt.Errorf("array %q: %d elements are too many", name, t.Count)
	}
	bits := uint64(0)
	if t.Count > 0 {
		bits = (t.Count-1)*f.stride + uint64(t.Elem.Size)
	}
	c.take(f, bits)
	return nil
}

// loop lays out an array whose elements differ in size or have parts.
func (c *compiler) loop(f *Field, align uint64) error {
	f.slot = c.emit(op{code: opLoop, mask: align - 1, ref: f.ref, count: f.typ.Count, least: f.typ.Elem.atLeast()})
	i, outer := len(c.ops)-1, c.ops
	c.ops, c.known = nil, grid{1, 0}
	k, err := c.field("", f.typ.Elem)
	c.seal()
	f.kids, f.loop = []*Field{k}, c.ops
	outer[i].subs = [][]op{c.ops}
	c.ops, c.known = outer, grid{1, 0}
	return err
}

func (c *compiler) variant(f *Field, name string) error {
	if f.typ.Ref == nil {
		return fmt.Errorf("variant %q has no selector", name)
	}
	ref, err := c.resolve(f.typ.Ref)
	if err != nil {
		return fmt.Errorf("selector of variant %q: %w", name, err)
	}
	f.ref, f.pick = ref, c.newSlot()
	if err := f.typ.selectable(ref); err != nil {
		return fmt.Errorf("selector of variant %q: %w", name, err)
	}
	sel := newSelector(f.typ, ref)
	if len(sel.ranges) == 0 && len(f.typ.Members) > 0 {
		return fmt.Errorf("variant %q: no label of its selector names an option", name)
	}
	f.slot = c.emit(op{code: opVariant, mask: f.typ.align() - 1, ref: ref, pick: f.pick, sel: sel})
	i, outer, before, cond0 := len(c.ops)-1, c.ops, c.known.aligned(f.typ.align()), c.cond
	var after grid
	for n, m := range f.typ.Members {
		c.ops, c.known, c.cond = nil, before, &cond{f.pick, uint64(n), cond0}
		k, err := c.field(m.Name, m.Type)
		if err != nil {
			return err
		}
		c.seal()
		k.role = m.Role
		f.kids = append(f.kids, k)
		outer[i].subs = append(outer[i].subs, c.ops)
		if n == 0 {
			after = c.known
		}
		after = after.meet(c.known)
	}
	c.ops, c.known, c.cond = outer, grid{max(after.step, 1), after.mod}, cond0
	return nil
}

// optional lays out what may be there. The field is that of the content, under the
// condition that it is: paths, values and roles know nothing of the optional around it.
func (c *compiler) optional(f *Field, name string) (*Field, error) {
	t := f.typ
	if t.Ref == nil || t.Elem == nil {
		return f, fmt.Errorf("optional %q has no selector or no content", name)
	}
	ref, err := c.resolve(t.Ref)
	if err == nil {
		err = t.selectable(ref)
	}
	if err != nil {
		return f, fmt.Errorf("selector of optional %q: %w", name, err)
	}
	pick := c.newSlot()
	c.emit(op{code: opVariant, ref: ref, pick: pick, sel: newSelector(t, ref)})
	i, outer, before, cond0 := len(c.ops)-1, c.ops, c.known, c.cond
	c.ops, c.cond = nil, &cond{pick, 0, cond0}
	k, err := c.field(name, t.Elem)
	c.seal()
	outer[i].subs = [][]op{c.ops, nil}
	c.ops, c.known, c.cond = outer, before.meet(c.known), cond0
	return k, err
}

// selectable refuses a selector that cannot have the values selected.
func (t *Type) selectable(ref *Field) error {
	switch boolean := ref.typ.Kind == Boolean; {
	case t.Kind == Variant && boolean:
		return t.Ref.fail("%q is a boolean, an integer is needed", ref.name)
	case t.Kind == Optional && boolean != (t.Select == nil):
		return t.Ref.fail("%q must be a boolean where no ranges are given, and an integer where they are", ref.name)
	case t.Negative && !ref.typ.Signed:
		return t.Ref.fail("%q is unsigned, and a range holds negative values", ref.name)
	case t.Above && ref.typ.Signed:
		return t.Ref.fail("%q is signed, and a range holds values above its type's", ref.name)
	}
	return nil
}

func (c *compiler) newSlot() int32 {
	c.slots++
	return int32(c.slots - 1)
}

// align moves to a multiple of a: within the segment if its beginning is known
// well enough, else to a new one.
func (c *compiler) align(a uint64) {
	if a > c.known.step {
		if !c.fixed || c.off > 0 {
			c.segment(0)
		}
		c.ops[len(c.ops)-1].mask = a - 1
		c.known = grid{a, 0}
		return
	}
	if !c.fixed {
		c.segment(0)
	}
	c.advance(-c.known.mod & (a - 1))
}

// take places f in the open segment.
func (c *compiler) take(f *Field, bits uint64) {
	if !c.fixed {
		c.segment(0)
	}
	f.slot, f.off = c.slot, c.off
	c.advance(bits)
}

func (c *compiler) advance(bits uint64) {
	c.off += bits
	c.known.mod = (c.known.mod + bits) % c.known.step
}

// segment opens a new segment.
func (c *compiler) segment(mask uint64) {
	c.slot = c.emit(op{code: opFixed, mask: mask})
	c.fixed, c.off = true, 0
}

// seal closes the open segment.
func (c *compiler) seal() {
	if c.fixed {
		c.ops[len(c.ops)-1].bits = c.off
		c.fixed = false
	}
}

func (c *compiler) emit(o op) int32 {
	c.seal()
	o.slot, o.area = c.newSlot(), c.area
	c.ops = append(c.ops, o)
	return o.slot
}
