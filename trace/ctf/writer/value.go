package writer

import (
	"slices"

	"synchroscope/trace"
)

// run starts a program.
func (s *Stream) run(g stage, ops []op) {
	s.stage, s.prog, s.pc, s.loops, s.empty = g, ops, 0, s.loops[:0], false
	s.advance()
}

// advance runs up to the next op that waits for a value.
func (s *Stream) advance() {
	for {
		o := &s.prog[s.pc]
		switch o.code {
		case opInt, opFloat, opString:
			s.at = o
			return
		case opArray:
			s.pos = (s.pos + o.mask) &^ o.mask
			s.n, s.i = s.length(o), 0
			if s.empty = s.empty || s.n == 0 && !o.text; s.n > 0 || o.text {
				s.at = o
				if o.role&trace.TraceID == 0 || s.n != 16 {
					return
				}
				s.elements(s.w.uuid[:])
			}
		case opAuto:
			v := o.set
			if o.role != trace.NoRole {
				v = s.auto[place(o.role)]
			}
			if s.stage == stagePacket && o.role != trace.NoRole {
				s.marks = append(s.marks, mark{(s.pos + o.mask) &^ o.mask, o, v})
			}
			s.keep(o, v)
			if o.variable && s.stage == stagePacket {
				s.putVariable(o, v, maxVariable)
			} else {
				s.put(o, v)
			}
			if s.err != nil {
				return
			}
		case opAlign:
			s.pos = (s.pos + o.mask) &^ o.mask
		case opLoop:
			n := s.length(o)
			if n == 0 {
				s.pc = o.jump
				continue
			}
			s.loops = append(s.loops, loop{n, s.pos, s.given})
		case opNext:
			l := &s.loops[len(s.loops)-1]
			if l.left--; l.left > 0 && (s.pos > l.begin || s.given > l.given) { // an element of nothing stands for all
				l.begin, l.given = s.pos, s.given
				s.pc = o.jump
				continue
			}
			s.loops = s.loops[:len(s.loops)-1]
		case opVariant:
			v := s.value(o)
			jump := o.option(v)
			if jump == 0 {
				s.fail("variant %q has no option for %d", o.name, v)
				return
			}
			s.forget(o.clear)
			s.pc = jump
			continue
		case opJump:
			s.pc = o.jump
			continue
		default:
			if s.stage == stageHeader && s.body != nil {
				s.stage, s.prog, s.pc, s.body = stageBody, s.body, 0, nil
				continue
			}
			s.at = o
			return
		}
		s.pc++
	}
}

func (s *Stream) length(o *op) uint64 {
	if o.refs == nil {
		return o.count
	}
	return s.value(o)
}

// value is the length or the selector that o depends on.
func (s *Stream) value(o *op) uint64 {
	if s.there == nil {
		return s.vals[o.refs[0]]
	}
	for _, slot := range slices.Backward(o.refs) {
		if s.there[slot] {
			return s.vals[slot]
		}
	}
	s.fail("field %q: the field that its length or selector is read from is not there", o.name)
	return 0
}

// keep notes the value of an integer for what may depend on it.
func (s *Stream) keep(o *op, v uint64) {
	s.vals[o.slot] = v
	if s.there != nil {
		s.there[o.slot] = true
	}
}

// forget makes fields absent.
func (s *Stream) forget(slots [2]int32) {
	clear(s.vals[slots[0]:slots[1]])
	if s.there != nil {
		clear(s.there[slots[0]:slots[1]])
	}
}

// Next is the path of the field that waits for a value, "" if none does.
func (s *Stream) Next() string { return s.at.name }

// Int writes an integer, boolean or bit map field, or the next element of an array of integers.
func (s *Stream) Int(v int64) {
	o := s.at
	if o.code != opInt {
		if o.code != opArray || o.member.typ.Elem.Kind == trace.Float || o.text {
			s.mismatch("an integer")
			return
		}
	}
	if !o.fits(v) {
		s.fail("field %q: %d does not fit into %d bits", o.name, v, o.size)
		return
	}
	if o.code == opArray {
		s.element(o, uint64(v))
		return
	}
	s.keep(o, uint64(v))
	s.put(o, uint64(v))
	s.next()
}

// next goes on behind a value.
func (s *Stream) next() {
	if s.err == nil {
		s.pc++
		s.given++
		s.empty = false
		s.advance()
	}
}

// Uint is like Int, for values above the largest signed one.
func (s *Stream) Uint(v uint64) {
	if s.at.signed && int64(v) < 0 {
		s.fail("field %q: %d does not fit into %d bits with sign", s.at.name, v, s.at.size)
		return
	}
	if !s.at.signed && s.at.size < 64 && v>>s.at.size != 0 {
		s.fail("field %q: %d does not fit into %d bits", s.at.name, v, s.at.size)
		return
	}
	s.Int(int64(v))
}

// Float writes a floating point field, or the next element of an array of them.
func (s *Stream) Float(v float64) {
	o := s.at
	switch {
	case o.code == opFloat:
		s.put(o, floatBits(v, o.size))
		s.next()
	case o.code == opArray && o.member.typ.Elem.Kind == trace.Float:
		s.element(o, floatBits(v, o.size))
	default:
		s.mismatch("a floating point number")
	}
}

// element writes the next element of the array that waits.
func (s *Stream) element(o *op, v uint64) {
	at := s.pos
	end := at + uint64(o.size)
	if end>>3+slack > uint64(len(s.buf)) && !s.room(end) {
		return
	}
	s.pos = end
	store(s.buf, at, o, v)
	if s.i++; s.i < s.n {
		s.pos = at + o.stride
		return
	}
	s.next()
}

func (s *Stream) mismatch(what string) {
	switch {
	case s.err != nil:
	case s.at.code == opEnd:
		s.fail("%s is given and no field is left", what)
	default:
		s.fail("field %q is given %s and is none", s.at.name, what)
	}
}
