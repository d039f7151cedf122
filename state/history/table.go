package history

import (
	"math"
	"slices"
	"sync/atomic"

	"synchroscope/state/attribute"
)

// A table says where every column of a block stands, so that those of many attributes are found without
// going through the heads again. It is immutable once it is in the cache, but for how often it was asked for.
type table struct {
	words []tableWord // by quark
	at    []place     // by column, and one behind the last
	stops []stop      // of a table that is asked for often: every so many intervals of each column, from its first on; of a column whose numbers are long, none

	asked atomic.Int32 // for much of it, of one that is kept
}

// A place says where a column begins in the payload, and the first of its stops. The one before ends there.
type place struct{ data, stop uint32 }

// betweenStops are the intervals from one stop of a column to the next.
const betweenStops = 8

// To make the stops of a block takes about as long as to look so many times for all there is at one instant.
const asksForStops = 8

// A tableWord is 64 adjacent quarks, some of which have columns.
type tableWord struct {
	columns uint64 // which
	word    uint32 // their quarks by 64
	first   uint32 // of their columns, among all
}

// bytes is about what t takes in memory.
func (t *table) bytes() int {
	return 16*cap(t.words) + 8*cap(t.at) + 24*cap(t.stops) + 200
}

// manySteps from column to column take as long as one seek.
const manySteps = 64

// tableFor returns the table of k, whose payload is at hand, or nil where that is not worth making to look for so many attributes. One that the
// cache does not keep is made in spare.
func (k *block) tableFor(wanted int, spare *table) (*table, error) {
	key := cacheKey{k.file, k.number, cachedTable}
	held, _ := k.file.cache.get(key).(*table)
	switch few := wanted < k.columns/manySteps; {
	case held != nil && (few || held.stops != nil || held.asked.Add(1) < asksForStops):
		return held, nil
	case held != nil:
		t := &table{words: held.words, at: slices.Clone(held.at)}
		k.addStops(t)
		k.file.cache.put(key, t, t.bytes())
		return t, nil
	case few:
		return nil, nil
	case !k.file.small() || k.number == noBlock:
		return spare, k.tabulate(spare)
	}
	t := new(table)
	err := k.tabulate(t)
	if err == nil {
		t.words = slices.Clip(t.words)
		k.file.cache.put(key, t, t.bytes())
	}
	return t, err
}

// tabulate fills in the table of k.
func (k *block) tabulate(t *table) error {
	t.words = t.words[:0]
	t.at = slices.Grow(t.at[:0], k.columns+1)[:k.columns+1]
	c := k.cursor()
	for c.next() {
		t.note(c.quark, c.index-1, c.at)
		c.rush(t)
	}
	t.at[k.columns].data = uint32(c.pos)
	return c.complete()
}

// addStops fills in the stops of a table of k. A column that does not decode has those before.
func (k *block) addStops(t *table) {
	t.stops = make([]stop, 0, k.columns+k.count/betweenStops)
	for i := range k.columns {
		t.at[i].stop = uint32(len(t.stops))
		column := k.payload[t.at[i].data:t.at[i+1].data]
		s, ok := k.opening(column)
		for ok {
			t.stops = append(t.stops, s)
			ok = k.forward(column, &s, betweenStops)
		}
	}
	t.at[k.columns].stop = uint32(len(t.stops))
	t.stops = slices.Clip(t.stops)
}

// stopAt returns the last of the stops of a column that begins at or before a time, or its first.
func stopAt(stops []stop, t int64) *stop {
	lo, hi := 0, len(stops) // stops[lo] is what is sought or before it, hi behind
	for hi-lo > 1 {
		if mid := int(uint(lo+hi) >> 1); stops[mid].start <= t {
			lo = mid
		} else {
			hi = mid
		}
	}
	return &stops[lo]
}

// note puts a column behind those that are in t.
func (t *table) note(q attribute.Quark, column, at int) {
	if last := len(t.words) - 1; last < 0 || t.words[last].word != uint32(q>>6) {
		t.words = append(t.words, tableWord{word: uint32(q >> 6), first: uint32(column)})
	}
	t.words[len(t.words)-1].columns |= 1 << (q & 63)
	t.at[column].data = uint32(at)
}

// rush notes the columns that follow in the run, as long as their heads are of two bytes or of three, which is nearly always.
func (c *columns) rush(t *table) {
	if c.index&c.k.inRun == 0 || int(c.quark) > math.MaxInt32-c.k.stride()*0x80 {
		return
	}
	b, i, q, pos, index := c.heads.b, c.heads.i, c.quark, c.pos, c.index
	for end := min((index|c.k.inRun)+1, c.k.columns); index < end && i+2 < len(b); index++ {
		long := b[i+1] >> 7
		delta, length := b[i], int(b[i+1]&0x7f)|int(b[i+2]&-long)<<7
		if delta-1 >= 0x7f || b[i+2]&-long >= 0x80 || length > c.limit-pos {
			break
		}
		i += 2 + int(long)
		q += attribute.Quark(delta)
		t.note(q, index, pos)
		c.at, c.length = pos, length
		pos += length
	}
	c.heads.i, c.quark, c.pos, c.index = i, q, pos, index
}

// holdingIn is holding for a column of a block that t is the table of.
func (k *block) holdingIn(t *table, column int, at, limit int64, into *kept) reach {
	p := t.at[column:][:2]
	b := k.payload[p[0].data:p[1].data]
	if len(t.stops) == 0 {
		return k.holding(b, at, limit, into)
	}
	stops := t.stops[p[0].stop:p[1].stop]
	if len(stops) == 0 {
		return k.holdingSlowly(b, at, limit, into)
	}
	s := stopAt(stops, at)
	if s.start > at {
		return heldLater
	}
	return k.holdingFrom(b, *s, at, limit, into)
}
