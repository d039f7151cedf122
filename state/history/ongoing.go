package history

import (
	"math"

	"synchroscope/state/attribute"
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

// A page is 4 KiB, and not a byte more: the allocator would take 19 % more for it.
type page struct {
	state [pageSize]ongoing
}

// present is the transient state: what every attribute is now. Readers hold
// frozen copies of the slice of pages; a page that a reader may hold is copied
// before it is changed, so publishing costs a pointer per 128 attributes and
// afterwards only what really changes.
type present struct {
	start int64
	epoch uint64
	pages []*page
	made  []uint64 // epoch of each page
}

// at returns the state of q for reading.
func at(pages []*page, start int64, q attribute.Quark) ongoing {
	if i := int(q) / pageSize; q >= 0 && i < len(pages) {
		return pages[i].state[int(q)%pageSize]
	}
	return ongoing{since: start, birth: never}
}

// slot returns the state of q for writing.
func (s *present) slot(q attribute.Quark) *ongoing {
	i := int(uint(q) / pageSize)
	for i >= len(s.pages) {
		p := new(page)
		for k := range p.state {
			p.state[k] = ongoing{since: s.start, birth: never}
		}
		s.pages, s.made = append(s.pages, p), append(s.made, s.epoch)
	}
	p := s.pages[i]
	if s.made[i] != s.epoch {
		fresh := *p
		p = &fresh
		s.pages[i], s.made[i] = p, s.epoch
	}
	return &p.state[uint(q)%pageSize]
}

// freeze returns the pages as they are now, for readers.
func (s *present) freeze() []*page {
	s.epoch++
	return append([]*page(nil), s.pages...)
}
