package history

import (
	"encoding/binary"

	"synchroscope/state/attribute"
)

// An ended list has the intervals that ended at the newest time of a change. They are stored when time goes on: until then the change
// that ended one may be taken back, and then the interval goes on as if nothing had been. There is at most one for each attribute.
//
// To store them at once and take one out again would not do: its block may have been written meanwhile, so that what a history holds
// would depend on the size of its nodes.
type ended struct {
	end       int64
	intervals []Interval

	places map[attribute.Quark]int // of the first of them
	placed int
}

// fewEnded are looked through one by one.
const fewEnded = 16

// due tells whether there are intervals that no change at t or later takes back.
func (e *ended) due(t int64) bool { return len(e.intervals) > 0 && e.end < t }

func (e *ended) add(iv Interval) {
	e.end = iv.End
	e.intervals = append(e.intervals, iv)
}

// find returns the place of the interval of q, or -1.
func (e *ended) find(q attribute.Quark) int {
	if len(e.intervals) <= fewEnded {
		for i := range e.intervals {
			if e.intervals[i].Quark == q {
				return i
			}
		}
		return -1
	}
	if e.places == nil {
		e.places = make(map[attribute.Quark]int)
	}
	for ; e.placed < len(e.intervals); e.placed++ {
		e.places[e.intervals[e.placed].Quark] = e.placed
	}
	if i, ok := e.places[q]; ok {
		return i
	}
	return -1
}

// take removes the interval at a place, to which the last one comes.
func (e *ended) take(i int) Interval {
	iv, last := e.intervals[i], len(e.intervals)-1
	e.intervals[i] = e.intervals[last]
	e.intervals = e.intervals[:last]
	if e.places != nil {
		delete(e.places, iv.Quark)
		if e.placed > last {
			e.placed = last
		}
		if i < e.placed {
			e.places[e.intervals[i].Quark] = i
		}
	}
	return iv
}

func (e *ended) clear() {
	e.intervals = e.intervals[:0]
	e.places, e.placed = nil, 0
}

// hide makes frozen pages, some of which are still the writer's, say what was before the intervals ended: so it was at all times
// that readers may ask for.
func (e *ended) hide(frozen, writers []sheet) {
	for _, iv := range e.intervals {
		i, k := int(iv.Quark)/pageSize, int(iv.Quark)%pageSize
		if frozen[i].page == writers[i].page {
			frozen[i].page = new(*writers[i].page)
		}
		frozen[i].put(k, iv.Value)
		frozen[i].state[k].since = iv.Start
	}
}

// release stores what has ended at the newest time.
func (w *Writer) release() error {
	for _, iv := range w.ended.intervals {
		if err := w.insert(iv); err != nil {
			return err
		}
	}
	w.ended.clear()
	return nil
}

// appendTo writes what has ended at the newest time into a checkpoint of a history that starts at start.
func (e *ended) appendTo(b []byte, start int64) []byte {
	b = binary.AppendUvarint(b, uint64(len(e.intervals)))
	if len(e.intervals) == 0 {
		return b
	}
	b = binary.AppendUvarint(b, uint64(e.end-start))
	for i := range e.intervals {
		iv := &e.intervals[i]
		b = binary.AppendUvarint(b, uint64(iv.Quark))
		b = binary.AppendUvarint(b, uint64(iv.End-iv.Start))
		b = appendValue(b, iv.Value)
	}
	return b
}

// restoreEnded reads what a checkpoint says of it: intervals that ended when the ongoing values of their attributes began.
func (w *Writer) restoreEnded(d *decoder) bool {
	count := d.below(uint64(w.names.attributes) + 1)
	if count == 0 {
		return !d.bad
	}
	end := d.after(w.header.start, w.now)
	for range count {
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
