package history

import (
	"errors"
	"strconv"
)

// A Damage is a place of a file that is not as it should be.
type Damage struct {
	Err  error  // where it is, and what is wrong
	Lost string // what cannot be read because of it, in words; times are local ns
}

// A Survey is what there is to say of the whole of a file.
type Survey struct {
	Damages []Damage // as many as were asked for, in the order they were met
	Count   int      // of all of them
	Adrift  int      // blocks that are sound, and to which nothing leads because of what is damaged
}

// Inspect reads a finished tree in full and looks for all that [Check] does, but goes on behind what is wrong: to the next node, and where nothing leads to what
// is behind a damaged one, from block to block. At most so many damages are kept. What shows only where everything else is sound, as gaps between
// intervals, it looks for where everything else is. The error is of a file that has no places: one that is of another version, or was not finished.
func Inspect(f File, most int) (*Survey, error) {
	s := &surveyor{most: most, named: make(map[string]bool)}
	first := Check(f)
	if first == nil {
		return &s.Survey, nil
	}
	head, err := readHeader(f)
	if broken := (*CorruptError)(nil); errors.As(err, &broken) {
		s.met(err, loss{what: lostHeader})
		if _, err := readFinish(f); err != nil && !errors.Is(err, ErrUnfinished) {
			s.met(err, loss{what: lostRoot})
		}
		return &s.Survey, nil
	}
	if err != nil {
		return nil, err
	}
	record, err := readFinish(f)
	if errors.Is(err, ErrUnfinished) {
		return nil, err
	}
	s.file = newStore(f, *head, nil)
	if err != nil {
		s.met(err, loss{what: lostRoot})
		s.drift()
		return &s.Survey, nil
	}
	if err := s.file.reaches(record.pages); err != nil {
		s.met(err, loss{what: lostEnd})
		record.pages, s.short = s.present(record.pages), true
	}
	s.walk(record)
	if s.Count == 0 { // what is sound by itself does not fit together
		s.met(first, loss{what: lostSense})
		return &s.Survey, nil
	}
	s.drift()
	return &s.Survey, nil
}

// A surveyor goes through a file that may be damaged anywhere.
type surveyor struct {
	Survey
	most  int
	file  *store
	names *names          // nil if they cannot be read
	short bool            // the file ends before the tree does
	seen  []bool          // by page: belongs to what is sound
	named map[string]bool // by place in the file: has been told of
}

// met notes what is wrong. It is told once of each place.
func (s *surveyor) met(err error, l loss) error {
	where := err.Error()
	if broken := (*CorruptError)(nil); errors.As(err, &broken) {
		where = placeAt(broken.Offset)
	}
	if s.named[where] {
		return nil
	}
	s.named[where] = true
	if s.Count++; len(s.Damages) < s.most {
		s.Damages = append(s.Damages, Damage{err, l.words(s.names)})
	}
	return nil
}

// placeAt stands for a place in the file.
func placeAt(offset int64) string { return strconv.FormatInt(offset, 10) }

// present is how many pages of so many the file has.
func (s *surveyor) present(pages uint32) uint32 {
	low, high := uint32(0), pages
	for low < high {
		if middle := high - (high-low)/2; s.file.reaches(middle) == nil {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return low
}

// walk goes through the streams and, from the root on, the nodes.
func (s *surveyor) walk(record *finish) {
	c := newChecker(s.file, record.pages, int(record.attributes))
	c.met, c.short = s.met, s.short
	s.seen = c.seen
	s.file.pages.Store(record.pages)
	h := &History{file: s.file, names: newNames(space(s.file.f))}
	c.chain(record.names, namesBlock, 0, loss{what: lostNames})
	if s.Count == 0 {
		if err := h.readNames(record); err != nil {
			s.met(err, loss{what: lostNames})
		} else {
			s.names = h.names
		}
	}
	c.chain(record.state, stateBlock, 0, loss{what: lostState})
	if top, err := h.root(record); err != nil {
		s.met(err, loss{what: lostRoot})
	} else {
		c.node(top, record.root)
	}
	c.margins()
}

// drift goes from block to block through what the walk has not come to: where nothing leads to a block, it is found where the
// one before ends, or, where that cannot be read either, by its number and checksum.
func (s *surveyor) drift() {
	var buf []byte
	for number := uint32(0); ; {
		if int(number) < len(s.seen) && s.seen[number] {
			number++
			continue
		}
		if s.seen != nil && int(number) >= len(s.seen) || s.file.reaches(number+1) != nil {
			return
		}
		k, err := s.file.read(number)
		if err != nil {
			s.met(err, loss{what: lostBlock})
			number = s.next(number + 1)
			continue
		}
		if _, err := k.load(&buf); err != nil {
			s.met(err, loss{what: lostIn, start: k.start, end: k.end})
		} else if !s.named[placeAt(k.offset)] {
			s.Adrift++
		}
		number += uint32(k.pages)
	}
}

// next is the first page, not before that of a number, at which a block begins or about which something is known; behind the last, the number of pages.
func (s *surveyor) next(number uint32) uint32 {
	for ; s.seen == nil || int(number) < len(s.seen); number++ {
		if s.seen != nil && s.seen[number] || s.named[placeAt(s.file.offset(number))] || s.file.reaches(number+1) != nil {
			break
		}
		if _, err := s.file.read(number); err == nil {
			break
		}
	}
	return number
}
