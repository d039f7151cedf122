package trace

import (
	"encoding/binary"
	"slices"
)

// A Header reads event headers: which kind of event follows, and when it was. A
// reader does this for each event before it knows anything else about it, so the usual
// forms have a way of their own: a run of integers, or one and a variant that it
// selects, whose options are such runs (LTTng's "compact" and "large" headers). All
// other forms are walked like any part of an event. Both note the same segments.
type Header struct {
	layout      *Layout
	ids, stamps []*Field

	quick   bool
	first   op       // the run up to the variant
	variant *op      // nil if there is none
	options []ending // one without a variant
}

// An ending is what follows once the option is known: at most one segment.
type ending struct {
	op
	id, stamp probe
	which     int // index into stamps, -1 if none
}

// A probe loads one unsigned integer.
type probe struct {
	*Field // nil if there is none
	mask   uint64
	slow   bool
}

// HeaderReader returns the reader of the event headers of l, which must have been laid out.
func (l *Layout) HeaderReader() *Header {
	h := &Header{layout: l, ids: l.Fields(EventHeader, EventClass), stamps: l.Fields(EventHeader, Timestamp)}
	ops := l.header
	if len(ops) == 0 || len(ops) > 2 || ops[0].code != opFixed || !plain(h.ids) || !plain(h.stamps) {
		return h
	}
	h.first = ops[0]
	if len(ops) == 1 {
		h.options = []ending{h.ending(op{slot: ops[0].slot}, cond{slot: -1})}
		h.quick = true
		return h
	}
	v := &ops[1]
	if v.code != opVariant || v.ref.slot != ops[0].slot || v.ref.form > formBig || v.sel.other >= 0 {
		return h
	}
	for i, sub := range v.subs {
		o := op{slot: v.slot}
		if len(sub) > 1 || len(sub) == 1 && sub[0].code != opFixed {
			return h
		}
		if len(sub) == 1 {
			o = sub[0]
		}
		h.options = append(h.options, h.ending(o, cond{slot: v.pick, option: uint64(i)}))
	}
	h.variant, h.quick = v, true
	return h
}

// plain reports whether all fields are unsigned integers in at most one variant.
func plain(fields []*Field) bool {
	for _, f := range fields {
		if f.typ.Kind != Integer || f.form > formBig || f.signed || f.cond != nil && f.cond.outer != nil {
			return false
		}
	}
	return true
}

// ending is the segment of an option, with the fields that count in it: the last ones present.
func (h *Header) ending(o op, c cond) ending {
	last := func(fields []*Field) (probe, int) {
		p, at := probe{}, -1
		for i, f := range fields {
			if f.cond == nil || f.cond.slot == c.slot && f.cond.option == c.option {
				p, at = probe{f, 1<<f.size - 1, f.form != formLittle || f.size > 57}, i
			}
		}
		return p, at
	}
	e := ending{op: o}
	e.id, _ = last(h.ids)
	e.stamp, e.which = last(h.stamps)
	return e
}

// load reads the integer, 0 if there is none.
func (p *probe) load(e *Event, b []byte) uint64 {
	if p.Field == nil {
		return 0
	}
	at := e.slots[p.slot] + p.off
	if p.slow {
		return uint64(p.Field.load(b, at))
	}
	return binary.LittleEndian.Uint64(b[at>>3:]) >> (at & 7) & p.mask
}

// A Head is what a header says.
type Head struct {
	ID    uint64 // of the class, 0 if the header has none
	Stamp uint64 // the timestamp, or its low bits
	Which int    // the timestamp field, of those with the role in the order they are written; -1 if none is there
	End   uint64 // bit where the header ends
}

// Read walks the event header from bit pos of b, as [Event.DecodeHeader] does.
func (h *Header) Read(e *Event, b []byte, pos, end uint64) (Head, error) {
	if !h.quick {
		return h.walk(e, b, pos, end)
	}
	e.buf[0], e.ends[0] = b, end
	o := &h.first
	pos = (pos + o.mask) &^ o.mask
	e.slots[o.slot] = pos
	if pos += o.bits; pos > end {
		return Head{End: pos}, ErrShort
	}
	option := &h.options[0]
	if v := h.variant; v != nil {
		pos = (pos + v.mask) &^ v.mask
		e.slots[v.slot] = pos
		n := v.sel.option(v.ref.load(b, e.slots[o.slot]+v.ref.off))
		e.slots[v.pick] = uint64(n)
		if n < 0 {
			return Head{End: pos}, ErrOption
		}
		option = &h.options[n]
		pos = (pos + option.mask) &^ option.mask
		e.slots[option.slot] = pos
		if pos += option.bits; pos > end {
			return Head{End: pos}, ErrShort
		}
	}
	return Head{ID: option.id.load(e, b), Stamp: option.stamp.load(e, b), Which: option.which, End: pos}, nil
}

// walk reads a header of any form.
func (h *Header) walk(e *Event, b []byte, pos, end uint64) (Head, error) {
	pos, err := e.DecodeHeader(h.layout, b, pos, end)
	d := Head{Which: -1, End: pos}
	if err != nil {
		return d, err
	}
	for _, f := range h.ids {
		if e.Has(f) {
			d.ID = uint64(e.Int(f))
		}
	}
	for i, f := range h.stamps {
		if e.Has(f) {
			d.Stamp, d.Which = uint64(e.Int(f)), i
		}
	}
	return d, nil
}

// Serves reports whether walking the body of an event of class c needs what reading
// its header has noted. Where it does not, a body can be walked by itself.
func (h *Header) Serves(c *Class) bool { return h.serves(c.body) }

func (h *Header) serves(ops []op) bool {
	for i := range ops {
		o := &ops[i]
		if f := o.ref; f != nil && f.area == 0 && (f.alts != nil || int(f.slot) < h.layout.slots) {
			return true
		}
		if slices.ContainsFunc(o.subs, h.serves) {
			return true
		}
	}
	return false
}
