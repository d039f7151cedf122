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
	pick    probe    // its selector
	options []ending // one without a variant
}

// An ending is what follows once the option is known: at most one segment.
type ending struct {
	op
	id, stamp probe
	which     int // index into stamps, -1 if none
}

// A probe loads one unsigned integer, most of them as a word that is shifted and masked.
type probe struct {
	late bool   // it is in the option, not in the run before
	odd  *Field // one that takes more than that
	off  uint64
	mask uint64 // 0 if there is no integer, which then is 0
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
	h.variant, h.pick, h.quick = v, h.probe(v.ref), true
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
				p, at = h.probe(f), i
			}
		}
		return p, at
	}
	e := ending{op: o}
	e.id, _ = last(h.ids)
	e.stamp, e.which = last(h.stamps)
	return e
}

func (h *Header) probe(f *Field) probe {
	p := probe{late: f.slot != h.first.slot, off: f.off, mask: 1<<f.size - 1}
	if f.form != formLittle || f.signed || f.size > 57 {
		p.odd = f
	}
	return p
}

// word reads the integer if it is not odd, given where its segment begins.
func (p *probe) word(b []byte, at uint64) uint64 {
	at += p.off
	return binary.LittleEndian.Uint64(b[at>>3:]) >> (at & 7) & p.mask
}

// load reads the integer, given where the run and the option begin.
func (p *probe) load(b []byte, early, late uint64) uint64 {
	if p.late {
		early = late
	}
	if p.odd != nil {
		return uint64(p.odd.load(b, early+p.off))
	}
	return p.word(b, early)
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
	first := (pos + o.mask) &^ o.mask
	e.slots[o.slot] = first
	if pos = first + o.bits; pos > end {
		return Head{End: pos}, ErrShort
	}
	option, second := &h.options[0], first
	if v := h.variant; v != nil {
		pos = (pos + v.mask) &^ v.mask
		e.slots[v.slot] = pos
		var value uint64
		if h.pick.odd == nil {
			value = h.pick.word(b, first)
		} else {
			value = h.pick.load(b, first, first)
		}
		n := v.sel.option(int64(value))
		e.slots[v.pick] = uint64(n)
		if n < 0 {
			return Head{End: pos}, ErrOption
		}
		option = &h.options[n]
		second = (pos + option.mask) &^ option.mask
		e.slots[option.slot] = second
		if pos = second + option.bits; pos > end {
			return Head{End: pos}, ErrShort
		}
	}
	d := Head{Which: option.which, End: pos}
	if id := &option.id; id.odd == nil && !id.late {
		d.ID = id.word(b, first)
	} else {
		d.ID = id.load(b, first, second)
	}
	if stamp := &option.stamp; stamp.odd == nil && stamp.late {
		d.Stamp = stamp.word(b, second)
	} else {
		d.Stamp = stamp.load(b, first, second)
	}
	return d, nil
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
