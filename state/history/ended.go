package history

import (
	"encoding/binary"

	"synchroscope/state/attribute"
	"synchroscope/state/scratch"
	"synchroscope/state/varint"
)

// An ended list has the intervals that ended at the newest time of a change. They are stored when time goes on: until then the change
// that ended one may be taken back, and then the interval goes on as if nothing had been. There is at most one for each attribute.
//
// To store them at once and take one out again would not do: its block may have been written meanwhile, so that what a history holds
// would depend on the size of its nodes.
//
// All attributes may end at once, as where events were lost, so the list is scratch memory; what it has taken it keeps.
type ended struct {
	end       int64
	count     int
	intervals [][]Interval // endedPage each
	space     *scratch.Space

	// Of the first some of them, the place of each by its attribute. Places that no interval is at any more are left as they are.
	placed int
	places [][]uint32 // of placesPage attributes each
}

const (
	fewEnded   = 16 // are looked through one by one
	endedPage  = 256
	placesPage = 1024
)

// due tells whether there are intervals that no change at t or later takes back.
func (e *ended) due(t int64) bool { return e.count > 0 && e.end < t }

func (e *ended) at(i int) *Interval { return &e.intervals[i/endedPage][i%endedPage] }

func (e *ended) add(iv Interval) {
	e.end = iv.End
	if e.count == len(e.intervals)*endedPage {
		e.intervals = append(e.intervals, scratch.Make[Interval](e.space, endedPage))
	}
	*e.at(e.count) = iv
	e.count++
}

// find returns the place of the interval of q, or -1.
func (e *ended) find(q attribute.Quark) int {
	if e.count <= fewEnded {
		for i := range e.count {
			if e.at(i).Quark == q {
				return i
			}
		}
		return -1
	}
	for ; e.placed < e.count; e.placed++ {
		*e.place(e.at(e.placed).Quark) = uint32(e.placed)
	}
	if i := int(*e.place(q)); i < e.count && e.at(i).Quark == q {
		return i
	}
	return -1
}

// place is where the place of an attribute's interval stands, if it has one.
func (e *ended) place(q attribute.Quark) *uint32 {
	for int(q)/placesPage >= len(e.places) {
		e.places = append(e.places, nil)
	}
	page := &e.places[int(q)/placesPage]
	if *page == nil {
		*page = scratch.Make[uint32](e.space, placesPage)
	}
	return &(*page)[int(q)%placesPage]
}

// take removes the interval at a place, to which the last one comes.
func (e *ended) take(i int) Interval {
	iv := *e.at(i)
	e.count--
	*e.at(i) = *e.at(e.count)
	e.placed = min(e.placed, e.count)
	if i < e.placed {
		*e.place(e.at(i).Quark) = uint32(i)
	}
	return iv
}

func (e *ended) clear() { e.count, e.placed = 0, 0 }

// hide makes frozen pages, some of which are still the writer's, say what was before the intervals ended: so it was at all times
// that readers may ask for. It returns the pages it made, which are the readers' alone.
func (e *ended) hide(frozen []sheet, s *present) (made []*page) {
	for j := range e.count {
		iv := e.at(j)
		i, k := int(iv.Quark)/pageSize, int(iv.Quark)%pageSize
		if frozen[i].page == s.pages[i].page {
			frozen[i].page = fresh(s.space, &s.spares, &s.spares.pages)
			*frozen[i].page = *s.pages[i].page
			made = append(made, frozen[i].page)
		}
		frozen[i].put(k, iv.Value)
		frozen[i].state[k].since = iv.Start
	}
	return made
}

// release stores what has ended at the newest time.
func (w *Writer) release() error {
	for i := range w.ended.count {
		if err := w.insert(*w.ended.at(i)); err != nil {
			return err
		}
	}
	w.ended.clear()
	return nil
}

// appendTo writes what has ended at the newest time into a checkpoint of a history that starts at start.
func (e *ended) appendTo(b []byte, start int64, out *varint.Out) []byte {
	b = binary.AppendUvarint(b, uint64(e.count))
	if e.count == 0 {
		return b
	}
	b = binary.AppendUvarint(b, uint64(e.end-start))
	for i := range e.count {
		iv := e.at(i)
		b = binary.AppendUvarint(b, uint64(iv.Quark))
		b = binary.AppendUvarint(b, uint64(iv.End-iv.Start))
		b = out.Pass(appendValue(b, iv.Value))
	}
	return b
}

// restoreEnded reads what a checkpoint says of it: intervals that ended when the ongoing values of their attributes began.
func (w *Writer) restoreEnded(d *feed) bool {
	d.ahead(2 * binary.MaxVarintLen64)
	count := d.below(uint64(w.names.attributes) + 1)
	if count == 0 {
		return !d.bad
	}
	end := d.after(w.header.start, w.now)
	for range count {
		d.ahead(mostItem)
		q := attribute.Quark(d.below(uint64(w.names.attributes)))
		length := d.below(uint64(end) - uint64(w.header.start) + 1)
		iv := Interval{Quark: q, Start: end - int64(length), End: end, Value: d.value()}
		o := at(w.present.pages, w.header.start, q)
		if d.bad || length == 0 || end < w.newestEnd || o.since != end || iv.Start < o.birth || w.ended.find(q) >= 0 {
			return false
		}
		w.ended.add(iv)
	}
	return true
}
