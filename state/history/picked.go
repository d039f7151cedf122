package history

import (
	"math"
	"slices"

	"synchroscope/state/attribute"
)

// Columns that a view wants of a block stand wherever their attributes do: fifty threads of thousands are in as many pages, of each of
// which some dozens of bytes are wanted, and the next query, a little further on, wants the same ones. So what rows have of a block is
// kept by itself: a hundredth of its pages, that needs not be searched for.

// A picked is the columns of some attributes of a block, side by side. It is immutable once it is in the cache.
type picked struct {
	quarks []attribute.Quark // that were asked for, ascending
	ends   []uint32          // of their columns in data, each of which begins where the one before ends; the block has none of an attribute whose column has no bytes
	data   []byte            // and some bytes more, since a decoder takes several at once
}

// leastPicked bytes besides, columns that are kept by themselves stand over togetherPicked times their own. Tests have less.
var leastPicked = 16 << 10

const (
	togetherPicked = 4
	mostPicked     = 128 << 10 // bytes of columns of one query
	mostUnion      = 24 << 10  // bytes of columns of several queries
	pastPicked     = 24        // bytes behind all columns
)

// bytes is about what x takes in memory.
func (x *picked) bytes() int { return cap(x.data) + 8*cap(x.quarks) + 250 }

// size is how many bytes its columns have.
func (x *picked) size() int { return len(x.data) - pastPicked }

// clone returns x in no more memory than it needs.
func (x *picked) clone() *picked {
	return &picked{slices.Clone(x.quarks), slices.Clone(x.ends), slices.Clone(x.data)}
}

// column returns the bytes of the column at place i.
func (x *picked) column(i int) []byte {
	from := uint32(0)
	if i > 0 {
		from = x.ends[i-1]
	}
	return x.data[from:x.ends[i]]
}

// kept returns what is kept of a block, or nil, and the lines that it tells nothing of.
func (p *painter) kept(k *block, lines []line) (*picked, []line) {
	if !p.picking || k.payload != nil {
		return nil, lines
	}
	x, _ := k.file.cache.get(cacheKey{k.file, k.number, cachedPicked}).(*picked)
	if x == nil {
		return nil, lines
	}
	p.fresh = x.lacks(lines, p.fresh[:0])
	return x, p.fresh
}

// pick adds what was found of fresh lines, in p.found, to what is kept of a block, if anything is, and keeps that. It returns nil where what was found is better taken
// from the pages it is in: there is much, or it stands together.
func (p *painter) pick(k *block, x *picked, fresh, lines []line) (*picked, error) {
	if !p.picking || k.payload != nil || len(p.found) == 0 && x == nil {
		return nil, nil
	}
	size := 0
	for _, f := range p.found {
		if f.length == 0 { // is damage, and not that there is none
			return nil, nil
		}
		size += int(f.length)
	}
	if x == nil {
		if first, last := p.found[0], p.found[len(p.found)-1]; int(last.at+last.length-first.at) < togetherPicked*size+leastPicked {
			return nil, nil
		}
	} else if x.size()+size > mostUnion {
		x = x.of(lines, &p.spare)
		size += x.size()
	}
	if size > mostPicked {
		return nil, nil
	}
	if err := p.gather(k, x, fresh); err != nil {
		return nil, err
	}
	key, bytes := cacheKey{k.file, k.number, cachedPicked}, p.picked.bytes()
	if p.room >= bytes || k.file.cache.admits(key, bytes) {
		p.room -= bytes
		x = p.picked.clone()
		k.file.cache.put(key, x, x.bytes())
	}
	return &p.picked, nil
}

// each yields the columns of lines, all of which were asked for, with the line's place. It returns the first line of which use returns false, or -1.
func (x *picked) each(lines []line, use func(i int, data []byte) bool) (bad int) {
	at := 0
	for i := range lines {
		for x.quarks[at] != lines[i].quark {
			at++
		}
		if data := x.column(at); len(data) > 0 && !use(i, data) {
			return i
		}
	}
	return -1
}

// lacks appends the lines that x tells nothing of.
func (x *picked) lacks(lines, fresh []line) []line {
	at := 0
	for _, l := range lines {
		for at < len(x.quarks) && x.quarks[at] < l.quark {
			at++
		}
		if at == len(x.quarks) || x.quarks[at] != l.quark {
			fresh = append(fresh, l)
		}
	}
	return fresh
}

// of makes y of what x has of lines.
func (x *picked) of(lines []line, y *picked) *picked {
	y.clear()
	at := 0
	for i, q := range x.quarks {
		for at < len(lines) && lines[at].quark < q {
			at++
		}
		if at < len(lines) && lines[at].quark == q {
			y.add(q, x.column(i))
		}
	}
	y.end()
	return y
}

// clear makes x empty, before the first column is added.
func (x *picked) clear() { x.quarks, x.ends, x.data = x.quarks[:0], x.ends[:0], x.data[:0] }

// add appends the column of an attribute.
func (x *picked) add(q attribute.Quark, data []byte) {
	x.quarks = append(x.quarks, q)
	x.data = append(x.data, data...)
	x.ends = append(x.ends, uint32(len(x.data)))
}

// end comes behind the last column.
func (x *picked) end() {
	var past [pastPicked]byte
	x.data = append(x.data, past[:]...)
}

// gather makes p.picked of what is kept of a block, if anything is, and what was found of fresh lines.
func (p *painter) gather(k *block, kept *picked, fresh []line) error {
	x := &p.picked
	x.clear()
	at := 0
	until := func(q attribute.Quark) {
		for ; kept != nil && at < len(kept.quarks) && kept.quarks[at] < q; at++ {
			x.add(kept.quarks[at], kept.column(at))
		}
	}
	found, w := p.found, &p.seen.data
	w.from, w.to = 0, 0
	for i, l := range fresh {
		until(l.quark)
		var data []byte
		if len(found) > 0 && int(found[0].line) == i {
			begin, end := k.body+int(found[0].at), k.body+int(found[0].at+found[0].length)
			if end > w.to {
				if err := k.together(w, found); err != nil {
					return err
				}
			}
			data, found = w.data[begin-w.from:end-w.from], found[1:]
		}
		x.add(l.quark, data)
	}
	until(math.MaxInt32)
	x.end()
	return nil
}

// together reads the pages of the first of some columns into w, past the cache, and of those that follow with hardly a page between.
func (k *block) together(w *window, found []standing) (err error) {
	size := k.file.pageSize()
	from := (k.body + int(found[0].at)) / size
	to := from
	for _, f := range found {
		begin, end := (k.body+int(f.at))/size, (k.body+int(f.at+f.length)-1)/size+1
		if to > from && (begin > to+1 || end-from > mostPicked/size) {
			break
		}
		to = max(to, end)
	}
	w.from, w.to = from*size, to*size
	w.joined, err = k.readPages(w.joined, from, to)
	w.data = w.joined
	return err
}
