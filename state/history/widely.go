package history

import (
	"cmp"
	"context"
	"slices"

	"synchroscope/state/attribute"
)

// A node is asked for the totals of busy attributes of many values when it is sealed, as a reader asks it, one attribute after the
// other: so the memory that takes is that of one, and it is near. What comes of it is written beside the summaries of the parent.

const (
	// An attribute is busy if it has so many intervals in a leaf, on average, that to decode them takes longer than to find them.
	leastBusy = 64
	mostBusy  = 1 << 10

	wideShare = 16 // wide totals take one byte for so many of what they sum up

	manyNamed = 1 << 17 // attributes leave little memory to a build:
	fewerWide = 8       // there are so many times fewer totals of one then

	wideAtOnce    = 8       // attributes are asked for, where that is cheaper
	nearCells     = 1 << 12 // and what one has of these is near the processor, so that several may have
	wideCacheSize = 1 << 20 // of what was read back
)

// A candidate is an attribute that may have many values in a node, and about so many intervals.
type candidate struct {
	quark    attribute.Quark
	expected int64
}

// candidates returns the busy attributes of n that no summary tells of, in order of quark.
func (w *Writer) candidates(n *open, summarized bool) ([]candidate, error) {
	var found []candidate
	if n.totals.void {
		var err error
		if found, err = w.guess(n); err != nil {
			return nil, err
		}
	}
	for i := range n.totals.columns {
		c := &n.totals.columns[i]
		if (c.count > maxTotals || !summarized) && int64(c.intervals) >= leastBusy*n.leaves && !n.totals.void {
			found = append(found, candidate{c.quark, int64(c.intervals)})
		}
	}
	if len(found) > mostBusy {
		slices.SortFunc(found, func(a, b candidate) int { return cmp.Compare(b.expected, a.expected) })
		found = found[:mostBusy]
	}
	slices.SortFunc(found, func(a, b candidate) int { return int(a.quark - b.quark) })
	return found, nil
}

// guess returns the candidates of a node without totals: what is busy in a leaf of it, or what the wide totals of a child have.
func (w *Writer) guess(n *open) (found []candidate, err error) {
	middle := len(n.children) / 2
	many := int64(len(n.children))
	if n.level == 1 {
		k, err := w.back.leaf(n.children[middle])
		if err != nil {
			return nil, err
		}
		c := k.cursor()
		for c.next() {
			if intervals := int64(c.length / leastTotals); intervals >= leastBusy {
				found = append(found, candidate{c.quark, intervals * many})
			}
		}
		return found, c.err
	}
	shown := n.shownTo(n.children[len(n.children)-1].end)
	if g := shown.widely(middle); g != nil {
		for _, ref := range g.blocks {
			k, err := w.back.block(ref.block, wideBlock, n.level)
			if err != nil {
				return nil, err
			}
			c := k.cursor()
			for c.next() {
				found = append(found, candidate{c.quark, int64(c.length) * many})
			}
			if c.err != nil {
				return nil, c.err
			}
		}
	}
	return found, nil
}

// shownTo is n as readers see it once it is sealed.
func (n *open) shownTo(end int64) *node {
	return &node{level: n.level, start: n.start, end: end, children: n.children, extents: n.extents, groups: n.groups, wide: n.wide}
}

// widely writes the wide totals of n, an inner node that was just sealed and is the parent's newest child.
func (w *Writer) widely(parent, n *open, summarized bool) error {
	i := len(parent.children) - 1
	end := parent.children[i].end
	budget := int(n.children[len(n.children)-1].block-n.children[0].block) * int(w.header.pageSize) / wideShare
	if !w.header.widens() || budget < int(w.header.pageSize)/2 || n.start >= end {
		return nil
	}
	w.back = newStore(w.file.f, w.header, NewCache(wideCacheSize))
	w.back.pages.Store(w.pages)
	defer func() { w.back = nil }() // nothing of it is of use to the next node
	if w.wide[0] == nil {
		for i := range w.wide {
			w.wide[i] = new(wide)
		}
	}
	candidates, err := w.candidates(n, summarized)
	if err != nil {
		return err
	}
	g := group{first: i, count: 1}
	f := filler{buf: w.payload(), space: w.room, directory: w.header.directory()}
	f.emit = func(used, columns, values int, least attribute.Quark) error {
		k := block{kind: wideBlock, level: uint8(parent.level), prev: noBlock, start: n.start, end: end, columns: columns, count: values}
		number, err := w.write(&k, used)
		g.blocks = append(g.blocks, summaryRef{number, least})
		return err
	}
	shown := n.shownTo(end)
	var text []byte
	for atOnce := 1; len(candidates) > 0; {
		if w.header.packed != unpacked { // a look at one decompresses all
			atOnce = wideAtOnce
		}
		some := candidates[:min(atOnce, len(candidates))]
		candidates = candidates[len(some):]
		if err := w.total(shown, some, w.wide[:len(some)]); err != nil {
			return err
		}
		atOnce = wideAtOnce
		for k, c := range some {
			x := w.wide[k]
			if x.crowded && len(some) > 1 {
				x = w.wide[wideAtOnce]
				if err := w.total(shown, some[k:k+1], w.wide[wideAtOnce:]); err != nil {
					return err
				}
			}
			if len(x.cells) > nearCells {
				atOnce = 1
			}
			if !x.worth() {
				continue
			}
			if text = x.appendTo(text[:0]); len(text) > w.room-leastSpace || len(text) > budget {
				continue
			}
			budget -= len(text)
			if err := f.add(c.quark, text, int(x.values)); err != nil {
				return err
			}
		}
	}
	if err := f.flush(); err != nil {
		return err
	}
	if len(g.blocks) > 0 {
		parent.wide = append(parent.wide, g)
	}
	return nil
}

// total fills wide totals, one for each of some attributes, with what a node and all below it has of them.
func (w *Writer) total(n *node, some []candidate, into []*wide) error {
	most := mostWide
	if w.names.tree.Len() > manyNamed {
		most /= fewerWide
	}
	most /= len(some)
	ctx := &failing{Context: context.Background(), all: into}
	p := painter{ctx: ctx, file: w.back, grid: grid{edges: []int64{n.start, n.end}, lo: n.start, hi: n.end}}
	rows := make([]row, len(some))
	for k, c := range some {
		into[k].reset(c.expected, most)
		rows[k] = row{counting: true, wide: into[k]}
		p.lines = append(p.lines, line{c.quark, &rows[k]})
	}
	if err := p.node(n, p.lines); err != nil && ctx.Err() == nil {
		return err
	}
	return nil
}

// failing is done once none of some totals can be had.
type failing struct {
	context.Context
	all []*wide
}

func (c *failing) Err() error {
	for _, x := range c.all {
		if !x.failed {
			return nil
		}
	}
	return context.Canceled
}

// widely paints what the wide totals of child i, all of which is in a column, tell of the lines. It returns the others.
func (p *painter) widely(n *node, i int, lines []line, column int) (others []line, err error) {
	g := n.widely(i)
	if g == nil {
		return lines, nil
	}
	told := make([]bool, len(lines))
	for b, ref := range g.blocks {
		from, to := g.lines(b, lines)
		if from == to {
			continue
		}
		k, err := p.file.block(ref.block, wideBlock, n.level)
		if err != nil {
			return nil, err
		}
		err = p.columns(k, lines[from:to], func(at int, data []byte) bool {
			told[from+at] = true
			r := lines[from+at].row
			return decodeWide(data, n.children[i].end-n.children[i].start, func(v Value, time int64, count uint64) {
				if r.counting {
					r.total(v, time, count)
				} else {
					r.add(column, v, time)
				}
			})
		})
		if err != nil {
			return nil, err
		}
	}
	for at, l := range lines {
		if !told[at] {
			others = append(others, l)
		}
	}
	return others, nil
}
