package history

import (
	"math"
	"slices"

	"synchroscope/state/attribute"
)

// A table says where every column of a block stands, so that those of many attributes are found without
// going through the heads again. It is immutable once it is in the cache.
type table struct {
	words []tableWord // by quark
	at    []uint32    // by column, where it begins in the payload; behind the last one, where that ends
}

// A tableWord is 64 adjacent quarks, some of which have columns.
type tableWord struct {
	columns uint64 // which
	word    uint32 // their quarks by 64
	first   uint32 // of their columns, among all
}

// bytes is about what t takes in memory.
func (t *table) bytes() int { return 16*cap(t.words) + 4*cap(t.at) + 200 }

// manySteps from column to column take as long as one seek.
const manySteps = 64

// tableFor returns the table of k, whose payload is at hand, or nil where that is not worth making to look for so many attributes. One that the
// cache does not keep is made in spare.
func (k *block) tableFor(wanted int, spare *table) (*table, error) {
	key := cacheKey{k.file, k.number, cachedTable}
	if t, ok := k.file.cache.get(key).(*table); ok {
		return t, nil
	}
	if wanted < k.columns/manySteps {
		return nil, nil
	}
	if !k.file.small() || k.number == noBlock {
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
	t.at[k.columns] = uint32(c.pos)
	return c.complete()
}

// note puts a column behind those that are in t.
func (t *table) note(q attribute.Quark, column, at int) {
	if last := len(t.words) - 1; last < 0 || t.words[last].word != uint32(q>>6) {
		t.words = append(t.words, tableWord{word: uint32(q >> 6), first: uint32(column)})
	}
	t.words[len(t.words)-1].columns |= 1 << (q & 63)
	t.at[column] = uint32(at)
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
