package history

import (
	"math"

	"synchroscope/state/attribute"
	"synchroscope/state/scratch"
)

// An ongoing is the state of one attribute that has not ended yet.
type ongoing struct {
	value Value
	since int64
	birth int64 // of the first change, or never
}

// never is the birth of an attribute that has not changed yet.
const never = math.MaxInt64

func (o *ongoing) born() bool { return o.birth != never }

const pageSize = 128 // attributes

// unborn stands in place of the kind of an attribute that has not changed yet.
const unborn = kinds

// A sheet is what is known of some attributes. What it has of births is seldom changed, so sheets share it. Neither part has a
// pointer, since they may be in scratch memory.
type sheet struct {
	*page
	births *births
}

// A page is 2176 bytes.
type page struct {
	state [pageSize]moment
	kinds [pageSize]Kind
}

// A moment is the value of an attribute, without its kind, and since when it is so.
type moment struct {
	bits  uint64
	since int64
}

// births are when attributes first changed, or never.
type births [pageSize]int64

// at returns the state of an attribute of the sheet.
func (p *sheet) at(k int) ongoing {
	o := ongoing{since: p.state[k].since, birth: p.births[k]}
	if p.kinds[k] != unborn {
		o.value = Value{p.kinds[k], p.state[k].bits}
	}
	return o
}

// is tells whether an attribute has a value and has changed.
func (p *page) is(k uint, v Value) bool { return p.state[k].bits == v.bits && p.kinds[k] == v.kind }

func (p *page) born(k int) bool { return p.kinds[k] != unborn }

// put gives an attribute that is born a value.
func (p *page) put(k int, v Value) { p.state[k].bits, p.kinds[k] = v.bits, v.kind }

// present is the transient state: what every attribute is now. Readers hold
// frozen copies of the slice of sheets; a page that a reader may hold is copied
// before it is changed, so publishing costs two pointers per 128 attributes and
// afterwards only what really changes. Copies are made into what no reader holds any more.
type present struct {
	start    int64
	epoch    uint64
	pages    []sheet
	made     []uint64 // epoch of each page
	birthsOf []uint64 // epoch of the births of each page
	spares   spares

	space *scratch.Space
}

// at returns the state of q for reading.
func at(pages []sheet, start int64, q attribute.Quark) ongoing {
	if i := int(q) / pageSize; q >= 0 && i < len(pages) {
		return pages[i].at(int(q) % pageSize)
	}
	return ongoing{since: start, birth: never}
}

// page returns the sheet of q, whose page may be written to.
func (s *present) page(q attribute.Quark) *sheet {
	i := int(uint(q) / pageSize)
	for i >= len(s.pages) {
		p := sheet{&scratch.Make[page](s.space, 1)[0], &scratch.Make[births](s.space, 1)[0]}
		for k := range p.state {
			p.state[k].since, p.kinds[k], p.births[k] = s.start, unborn, never
		}
		s.pages, s.made, s.birthsOf = append(s.pages, p), append(s.made, s.epoch), append(s.birthsOf, s.epoch)
	}
	p := &s.pages[i]
	if s.made[i] != s.epoch {
		p.page = replace(p.page, s.space, &s.spares, &s.spares.pages, &s.spares.replaced.pages)
		s.made[i] = s.epoch
	}
	return p
}

// set makes q, which was born at a time or is not born yet, what it is now.
func (s *present) set(q attribute.Quark, o ongoing) {
	p, i, k := s.page(q), int(q)/pageSize, int(q)%pageSize
	if s.birthsOf[i] != s.epoch {
		p.births = replace(p.births, s.space, &s.spares, &s.spares.births, &s.spares.replaced.births)
		s.birthsOf[i] = s.epoch
	}
	p.births[k] = o.birth
	p.state[k].since = o.since
	p.put(k, o.value)
	if !o.born() {
		p.kinds[k] = unborn
	}
}

// freeze returns the sheets as they are now, for readers.
func (s *present) freeze() []sheet {
	s.epoch++
	return append([]sheet(nil), s.pages...)
}
