package history

import (
	"encoding/binary"
	"sort"

	"synchroscope/state/attribute"
)

// A standing is where the column of a line stands in the payload of a block.
type standing struct{ line, at, length int32 }

// farQuarks away, steps of four are worth to be tried.
const farQuarks = 16

// find appends where the columns of lines stand that the block has, in one walk from a new cursor on. Damage sets err.
func (c *columns) find(lines []line, found []standing) []standing {
	if c.k.columns == 0 {
		return found
	}
	for i := 0; i < len(lines); {
		q := lines[i].quark
		if !c.near(q) {
			if !c.jump(q) {
				return found
			}
			if c.index == 0 { // q is before all columns
				i++
				continue
			}
		}
		if int(q)-int(c.quark) >= farQuarks && c.skip(q) {
			found = append(found, standing{int32(i), int32(c.at), int32(c.length)})
			i++
			continue
		}
		from := i
		if i, found = c.walk(lines, i, found); i > from {
			continue
		}
		if c.index&c.k.inRun == 0 || c.index == c.k.columns {
			i++ // it would be in the run that ends here
			continue
		}
		if !c.next() { // the long way
			return found
		}
	}
	return found
}

// walk goes on in the run, as far as heads are of two bytes or of three, and appends the columns of lines from i on. It returns the
// first line that it has not come to.
func (c *columns) walk(lines []line, i int, found []standing) (int, []standing) {
	b, at, end := c.heads.b, c.heads.i, (c.index|c.k.inRun)+1
	if c.index&c.k.inRun == 0 { // the column at hand is the last of the run
		end = c.index
	}
	end = min(end, c.k.columns)
	quark, index, begin, length, pos := int(c.quark), c.index, c.at, c.length, c.pos
	for i < len(lines) {
		q := int(lines[i].quark)
		for quark < q && index < end && at+4 <= len(b) {
			x := binary.LittleEndian.Uint32(b[at : at+4 : at+4])
			long := int(x >> 15 & 1) // a length of two bytes
			delta := int(x & 0xff)
			n := int(x>>8&0x7f | x>>16&0xff<<7&-uint32(long))
			if uint(delta-1) >= 0x7f || n >= 0x80<<7 || n > c.limit-pos {
				break
			}
			at += 2 + long
			quark += delta
			begin, length = pos, n
			pos += n
			index++
		}
		if quark < q {
			break
		}
		if quark == q {
			found = append(found, standing{int32(i), int32(begin), int32(length)})
		}
		i++
	}
	c.heads.i, c.quark, c.at, c.length, c.pos, c.index = at, attribute.Quark(quark), begin, length, pos, index
	return i, found
}

// aheadOf reads all heads at once, past the cache, that lines are among, where they are in many pages.
func (c *columns) aheadOf(lines []line) error {
	if len(lines) == 0 || c.k.columns == 0 {
		return nil
	}
	run := func(q attribute.Quark) int {
		return max(0, sort.Search(c.k.runs(), func(i int) bool { return c.firstOf(i) > q })-1)
	}
	_, begin, _ := c.entry(run(lines[0].quark))
	_, end, _ := c.entry(run(lines[len(lines)-1].quark) + 1)
	size := c.k.file.pageSize()
	from, to := (c.k.body+begin)/size, (c.k.body+end-1)/size+1
	if to > c.k.pages || to-from < manyPages || to-from > min(2*len(lines), mostAhead/size) {
		return nil
	}
	w := &c.windows.heads
	var err error
	w.joined, err = c.k.readPages(w.joined, from, to)
	w.from, w.to, w.data = from*size, to*size, w.joined
	return err
}

// ahead reads what was found at once, if it stands close together.
func (k *block) ahead(w *window, found []standing) error {
	if k.payload != nil || len(found) == 0 {
		return nil
	}
	first, last := found[0], found[len(found)-1]
	n := int(last.at) + int(last.length) - int(first.at)
	if n > mostAhead {
		return nil
	}
	_, err := k.span(w, int(first.at), n)
	return err
}
