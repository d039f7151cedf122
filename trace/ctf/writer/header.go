package writer

import (
	"errors"
	"fmt"

	"synchroscope/trace"
)

// A form is one way to write the event header: with one option of each of its
// variants. LTTng's headers have a compact form, with few bits for the id and
// the time, and an extended one.
//
// The writer takes the first form, in the order of the options, that can say the id and
// the time: an id that is a selector must select the options of the form, and a time
// of n bits must be the first one with these bits that is not before the time ahead of it,
// because that is how it is read.
type form struct {
	ops   []op
	ids   []trace.Mapping // what the id must be one of, if it is a selector
	bound bool            // it is one
	hasID bool
	id    op     // how the id is written
	stamp uint32 // bits of the time; 0 if there is none

	picks []int // the option of each variant, in the order they are met
	met   []int // how many options each has
	skip  int   // inside of options that are not taken
	allow map[*node][]trace.Mapping
}

// maxForms bounds the forms of one header.
const maxForms = 64

// forms compiles the event header of a stream. The compiler keeps the fields of the header.
func (c *compiler) forms(t *trace.Type) ([]*form, error) {
	if t == nil {
		return []*form{{ops: c.program()}}, nil
	}
	var forms []*form
	slots, before := c.slots, c.roots
	for picks := []int{}; picks != nil; {
		if len(forms) == maxForms {
			return nil, fmt.Errorf("the event header has more than %d forms", maxForms)
		}
		f := &form{picks: picks, allow: make(map[*node][]trace.Mapping)}
		c.slots, c.roots, c.form = slots, before, f
		err := c.scope(trace.EventHeader, t)
		f.ops, c.form = c.program(), nil
		if err != nil {
			return nil, err
		}
		f.settle()
		forms = append(forms, f)
		picks = f.next()
	}
	return forms, nil
}

// chosen compiles the option of a variant that the form takes. Those it does not take are
// compiled too, so that every form gives a field the same slot.
func (c *compiler) chosen(n *node) error {
	f, t := c.form, n.typ
	selectors, err := c.roots.resolve(n, t.Ref)
	if err != nil {
		return err
	}
	selector := selectors[0]
	switch {
	case len(selectors) > 1 || selector.scope != trace.EventHeader:
		return errors.New("the selector of a variant in the event header is not part of the header")
	case len(t.Members) == 0:
		return fmt.Errorf("variant %q has no options", n.path())
	}
	pick := -1
	if f.skip == 0 {
		if len(f.met) == len(f.picks) {
			f.picks = append(f.picks, 0)
		}
		pick = f.picks[len(f.met)]
		f.met = append(f.met, len(t.Members))
		var own []trace.Mapping
		for _, ch := range selection(t, selector.typ) {
			if ch.option == pick {
				own = append(own, ch.Mapping)
			}
		}
		f.allow[selector] = own
	}
	c.align(t.Align)
	for i, m := range t.Members {
		k, ops := n.child(m.Name, m.Type), len(c.ops)
		if i != pick {
			f.skip++
		}
		err := c.field(k, m.Role)
		if i != pick {
			f.skip--
			c.ops = c.ops[:ops]
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// settle finds what the id and the time are written to, and gives the selectors their values.
func (f *form) settle() {
	last := -1
	for i := range f.ops {
		o := &f.ops[i]
		if o.role&trace.EventClass != 0 {
			last = i
		}
		if o.role&trace.Timestamp != 0 {
			f.stamp = o.size
		}
	}
	for i := range f.ops {
		o := &f.ops[i]
		ranges, selects := f.allow[o.member]
		switch {
		case i == last:
			f.hasID, f.id, f.ids, f.bound = true, *o, ranges, selects
		case selects:
			o.code, o.role, o.set = opAuto, trace.NoRole, 0
			if len(ranges) > 0 {
				o.set = uint64(ranges[0].Low)
			}
		}
	}
}

// next is the next combination of options, nil behind the last one.
func (f *form) next() []int {
	for i := len(f.met) - 1; i >= 0; i-- {
		if f.picks[i]+1 < f.met[i] {
			return append(append([]int{}, f.picks[:i]...), f.picks[i]+1)
		}
	}
	return nil
}

// says reports whether the form can say the id and the time behind last.
func (f *form) says(id, cycles, last uint64) bool {
	if f.hasID && !f.id.fits(int64(id)) {
		return false
	}
	if f.stamp > 0 && f.stamp < 64 && (cycles < last || (cycles-last)>>f.stamp != 0) {
		return false
	}
	if !f.bound {
		return true
	}
	for _, r := range f.ids {
		if f.id.signed && r.Low <= int64(id) && int64(id) <= r.High || !f.id.signed && uint64(r.Low) <= id && id <= uint64(r.High) {
			return true
		}
	}
	return false
}
