package history

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"sort"
	"sync"
	"sync/atomic"

	"synchroscope/state/attribute"
)

// A Run is a stretch of columns [From, To) of one row. Either the attribute had
// one Value throughout and Mix is nil, or From+1 == To and Mix has the exact time of each
// value in that column, by value. What is outside the tree's bounds is in no run.
type Run struct {
	From, To int32
	Value    Value
	Mix      []Share
}

// A Share is the time in ns an attribute spent in a value.
type Share struct {
	Value Value
	Time  int64
}

// Pixels reduces each attribute to columns: column i is [edges[i], edges[i+1]) in local
// ns, edges ascending. An empty column shows the value at its instant. runs[k] belongs to qs[k].
//
// A node that lies inside one column is answered from the summary of its
// parent, if there is one; so the work follows the number of columns, not the
// length of the trace. Nodes that an edge cuts are looked into.
func (h *History) Pixels(ctx context.Context, qs []attribute.Quark, edges []int64) (runs [][]Run, err error) {
	runs = make([][]Run, len(qs))
	quarks := slices.Compact(slices.Sorted(slices.Values(qs)))
	shown := make([][]Run, 0, len(quarks))
	err = h.paint(ctx, quarks, edges, wish{}, func(parts []part, quarks []attribute.Quark) {
		from := len(shown)
		shown = append(shown, make([][]Run, len(quarks))...)
		beside(len(parts), func(i int) {
			for k := len(quarks) * i / len(parts); k < len(quarks)*(i+1)/len(parts); k++ {
				shown[from+k], _ = joined(parts, k, nil, nil)
			}
		})
	})
	if err != nil {
		return nil, err
	}
	if len(shown) == 0 {
		return runs, nil
	}
	for k, q := range qs {
		i, _ := slices.BinarySearch(quarks, q)
		runs[k] = shown[i]
	}
	return runs, nil
}

// EachRow is Pixels for who needs one row at a time: use is called with the place of each in qs, in no certain order, and with its
// runs, mixes included, which are there until it returns. It may have been called for some rows when an error comes.
//
// A picture of fifty rows is some 15 MB as a whole; to have as much memory from the system anew for each answer takes half as
// long as to work it out.
func (h *History) EachRow(ctx context.Context, qs []attribute.Quark, edges []int64, use func(k int, runs []Run)) error {
	return h.eachRow(ctx, qs, edges, wish{}, use)
}

// EachRowOf is EachRow for who asks of a column with several values no more than how long it had some of them, a few, or of none of
// them, that there are several. The mix of such a column has those of the values that are in it, by value, and then, if there are others, as
// the share of null how long it had all others together. With no values asked for it is one share of null that takes no time.
//
// Which thread a CPU has is asked so: a picture from afar has as many threads in a column as there are, and nobody looks at them.
func (h *History) EachRowOf(ctx context.Context, qs []attribute.Quark, edges []int64, values []Value, use func(k int, runs []Run)) error {
	return h.eachRow(ctx, qs, edges, wish{some: true, of: values}, use)
}

func (h *History) eachRow(ctx context.Context, qs []attribute.Quark, edges []int64, w wish, use func(k int, runs []Run)) error {
	places := make([]int, len(qs))
	for k := range places {
		places[k] = k
	}
	slices.SortFunc(places, func(a, b int) int { return cmp.Compare(qs[a], qs[b]) })
	quarks := make([]attribute.Quark, 0, len(qs))
	for _, k := range places {
		quarks = append(quarks, qs[k])
	}
	quarks = slices.Compact(quarks)
	return h.paint(ctx, quarks, edges, w, func(parts []part, quarks []attribute.Quark) {
		c := parts[0].canvas
		for i, q := range quarks {
			c.runs, c.shares = joined(parts, i, c.runs, c.shares)
			for len(places) > 0 && qs[places[0]] == q {
				use(places[0], c.runs)
				places = places[1:]
			}
		}
	})
}

// mostCells are in memory at once for a query, 70 bytes each.
var mostCells = 1 << 19

// paint paints the rows of quarks, which ascend and are all different, and hands over as many at a time as are in memory at once.
func (h *History) paint(ctx context.Context, quarks []attribute.Quark, edges []int64, w wish, show func(parts []part, quarks []attribute.Quark)) error {
	if !slices.IsSorted(edges) {
		return errors.New("history: the edges of the columns do not ascend")
	}
	if len(edges) < 2 {
		return nil
	}
	v := h.borrow()
	defer v.release()
	most := max(1, mostCells/(len(edges)-1))
	if w.together {
		most = max(1, len(quarks))
	}
	for some := range slices.Chunk(quarks, most) {
		if err := h.paintSome(ctx, v, some, edges, w, show); err != nil {
			return err
		}
	}
	return nil
}

func (h *History) paintSome(ctx context.Context, v *view, quarks []attribute.Quark, edges []int64, w wish, show func(parts []part, quarks []attribute.Quark)) error {
	parts := split(edges, len(quarks))
	defer func() {
		for i := range parts {
			canvases.Put(parts[i].canvas)
		}
	}()
	errs := make([]error, len(parts))
	beside(len(parts), func(i int) { errs[i] = parts[i].paint(ctx, h, v, quarks, w) })
	if err := cmp.Or(errs...); err != nil { // parts that meet the same damage say the same
		return err
	}
	show(parts, quarks)
	return nil
}

// beside calls f(0) to f(n-1) at once. A panic of one goes on here when all have ended, so that who recovers from what a
// file does to its reader has it here, and not the whole process.
func beside(n int, f func(i int)) {
	var busy sync.WaitGroup
	var failed atomic.Pointer[string]
	call := func(i int) {
		defer func() {
			if p := recover(); p != nil {
				words := fmt.Sprintf("%v\n%s", p, debug.Stack())
				failed.Store(&words)
			}
		}()
		f(i)
	}
	for i := range n - 1 {
		busy.Go(func() { call(i + 1) })
	}
	call(0)
	busy.Wait()
	if words := failed.Load(); words != nil {
		panic(*words)
	}
}

// A part is some adjacent columns of a query, painted by one processor.
type part struct {
	edges  []int64
	canvas *canvas
}

// joined returns the runs of a row over all parts, and the shares that these have, in the room given if that suffices.
func joined(parts []part, row int, runs []Run, shares []Share) ([]Run, []Share) {
	many, mixed, column := 0, 0, 0
	for i := range parts {
		r, s := parts[i].canvas.rows[row].size()
		many, mixed = many+r, mixed+s
	}
	runs, shares = slices.Grow(runs[:0], many), slices.Grow(shares[:0], mixed)
	for i := range parts {
		runs = parts[i].canvas.rows[row].appendRuns(runs, &shares, int32(column))
		column += len(parts[i].edges) - 1
	}
	return runs, shares
}

// fewCells are not worth a second processor. Tests have less.
var fewCells = 1 << 14

// split cuts the columns of a query into parts for so many processors.
func split(edges []int64, rows int) []part {
	columns := len(edges) - 1
	parts := make([]part, max(1, min(runtime.GOMAXPROCS(0), rows*columns/fewCells, columns)))
	for i := range parts {
		from, to := columns*i/len(parts), columns*(i+1)/len(parts)
		parts[i] = part{edges[from : to+1], canvases.Get().(*canvas)}
	}
	return parts
}

// paint fills a row for each of quarks, which ascend.
func (x *part) paint(ctx context.Context, h *History, v *view, quarks []attribute.Quark, w wish) error {
	last := x.edges[len(x.edges)-1]
	if last < math.MaxInt64 {
		last++ // for empty columns there
	}
	g := grid{edges: x.edges, lo: max(v.start, x.edges[0]), hi: min(v.end, last)}
	p := painter{ctx: ctx, file: h.file, grid: g, picking: !h.file.small(), room: int(h.file.cache.bytes) / 4}
	many := len(quarks)
	if w.together {
		many = min(many, 1)
	}
	rows := x.canvas.reset(many, g.columns())
	for i, q := range quarks {
		r := &rows[min(i, many-1)]
		r.wish = w
		if p.outer(v, q, r) {
			p.lines = append(p.lines, line{q, r})
		}
	}
	return p.node(v.top, p.lines)
}

// A line is an attribute with stored intervals in sight, and its row, which is that of all together where a query wants that.
type line struct {
	quark attribute.Quark
	row   *row
}

// A painter goes through the tree once for all rows, which are sorted by quark.
type painter struct {
	ctx   context.Context
	file  *store
	grid  grid
	lines []line
	seen  windows
	found []standing // columns of a block
	marks []mark
	turns []turn
	told  []bool  // by line, whether sums have told of what is in extents
	loose []line  // of which they have not
	spans []int64 // of the children of a group, by line

	picking bool // columns that stand apart are kept
	room    int  // bytes of them that may still go into the cache without asking it
	fresh   []line
	picked  picked
	spare   picked
}

// outer paints the time before the birth and after the last change, and tells
// whether there is anything between them in sight.
func (p *painter) outer(v *view, q attribute.Quark, r *row) bool {
	g := &p.grid
	o := at(v.pages, v.start, q)
	r.span(g, v.start, min(o.birth, v.end), Value{})
	if !o.born() {
		return false
	}
	r.span(g, o.since, v.end, o.value)
	return o.birth < o.since && o.birth < g.hi && o.since > g.lo
}

func (p *painter) node(n *node, lines []line) error {
	if n == nil || len(lines) == 0 {
		return nil
	}
	if err := p.ctx.Err(); err != nil {
		return err
	}
	p.told = emptied(p.told, len(lines))
	if n.level == 1 {
		p.open(n, lines)
	}
	if !n.joins() {
		if err := p.extents(n, lines); err != nil {
			return err
		}
		if err := p.children(n, lines); err != nil {
			return err
		}
		return p.node(n.below, lines)
	}
	if err := p.children(n, lines); err != nil {
		return err
	}
	p.loose = p.loose[:0]
	for i, told := range p.told {
		if !told {
			p.loose = append(p.loose, lines[i])
		}
	}
	return p.extents(n, p.loose)
}

// mostOpened cells stay near the processor while a node is painted.
const mostOpened = 1 << 12

// open makes the cells of the columns that a node is in ready, row by row, where they are few. To come to each when its first interval is met is to
// wait for memory each time.
func (p *painter) open(n *node, lines []line) {
	g := &p.grid
	start, end := max(n.start, g.lo), min(n.end, g.hi)
	if start >= end || g.columns() == 1 {
		return
	}
	from := g.at(start, 0)
	to := min(g.at(end, from)+1, g.columns())
	if (to-from)*len(lines) > mostOpened {
		return
	}
	for _, l := range lines {
		for c := from; c < to; c++ {
			l.row.open(c)
		}
	}
}

// extents paints the intervals that cross from one child of a node to the next.
func (p *painter) extents(n *node, lines []line) error {
	if len(lines) == 0 {
		return nil
	}
	g := &p.grid
	for i := sort.Search(len(n.extents), func(i int) bool { return n.extents[i].end > g.lo }); i < len(n.extents); i++ {
		x := &n.extents[i]
		if x.start >= g.hi || x.greatest < lines[0].quark || x.least > lines[len(lines)-1].quark {
			continue
		}
		k, err := p.file.extent(n, x)
		if err == nil {
			err = p.block(k, lines, nil, cut{column: whole})
		}
		if err != nil {
			return err
		}
	}
	for i := sort.Search(len(n.records), func(i int) bool { return n.records[i].End > g.lo }); i < len(n.records); i++ {
		iv := &n.records[i]
		if k, ok := slices.BinarySearchFunc(lines, iv.Quark, func(l line, q attribute.Quark) int { return int(l.quark - q) }); ok {
			lines[k].row.span(g, iv.Start, iv.End, iv.Value)
		}
	}
	return nil
}

// block paints the intervals of a block. What the summary of a leaf has of the lines is in
// marks, if there are any, and at is where the leaf is cut whose sums are painted.
func (p *painter) block(k *block, lines []line, marks []mark, at cut) error {
	if err := p.ctx.Err(); err != nil {
		return err
	}
	return p.columns(k, lines, func(i int, data []byte) bool {
		switch {
		case marks != nil && marks[i] == inNone:
			return false // the summary would have it
		case at.column == whole || marks[i] != inSums:
			return p.column(k, data, lines[i].row)
		case at.spans != nil:
			return lines[i].row.later(&p.grid, k, data, at.column, at.spans[i])
		}
		return lines[i].row.earlier(&p.grid, k, data, at.column)
	})
}

// columns yields the columns of a block that are of lines, with the line's place; use returns false on damage.
func (p *painter) columns(k *block, lines []line, use func(i int, data []byte) bool) error {
	x, fresh := p.kept(k, lines)
	if x == nil || len(fresh) > 0 {
		if err := p.find(k, fresh); err != nil {
			return err
		}
		all, err := p.pick(k, x, fresh, lines)
		if err == nil && all == nil && x != nil {
			err = p.find(k, lines)
		}
		if err != nil {
			return err
		}
		if x = all; x == nil {
			return p.read(k, lines, use)
		}
	}
	if bad := x.each(lines, use); bad >= 0 {
		return k.corruptColumn(lines[bad].quark)
	}
	return nil
}

// find has in p.found where the columns of lines stand that a block has.
func (p *painter) find(k *block, lines []line) error {
	c := k.cursorIn(&p.seen)
	if p.picking && k.payload == nil {
		if err := c.aheadOf(lines); err != nil {
			return err
		}
	}
	p.found = c.find(lines, p.found[:0])
	return c.err
}

// read yields the columns that were found.
func (p *painter) read(k *block, lines []line, use func(i int, data []byte) bool) error {
	if err := k.ahead(&p.seen.data, p.found); err != nil {
		return err
	}
	for _, f := range p.found {
		data, err := k.span(&p.seen.data, int(f.at), int(f.length))
		if err != nil {
			return err
		}
		if !use(int(f.line), data) {
			return k.corruptColumn(lines[f.line].quark)
		}
	}
	return nil
}

// summary reads the lines' columns of a group, and marks how each was told of.
func (p *painter) summary(n *node, s *group, lines []line, marks []mark, x *joint, use func(l line, child int, v Value, time int64, count uint64, many bool)) error {
	all := len(lines)
	for b, ref := range s.blocks {
		from, to := s.lines(b, lines)
		if from == to {
			continue
		}
		lines := lines[from:to]
		k, err := p.file.block(ref.block, summaryBlock, n.level)
		if err != nil {
			return err
		}
		err = p.columns(k, lines, func(i int, data []byte) bool {
			d, how := decoder{b: data}, inTurn
			var ok bool
			if !d.more() || d.b[0] == 0 {
				ok = summaryColumn(data, s, func(child int, v Value, time int64, count uint64, many bool) {
					use(lines[i], child, v, time, count, many)
				})
			} else {
				var sums sumReader
				if sums, ok = sumColumn(&d, d.uvarint(), s); ok {
					spans := func(child int, span int64) { p.spans[(child-x.first)*all+from+i] = span }
					if sums.gap == 0 {
						ok, how = sums.paint(lines[i].row, x.stretches, spans)
					} else if ok = x.node.joins(); ok {
						p.told[from+i] = true
						ok, how = sums.join(lines[i].row, x, spans)
					}
				}
			}
			if marks != nil {
				marks[from+i] = how
			}
			return ok
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// summaryColumn decodes a column of a summary, child by child. It returns false on damage.
func summaryColumn(data []byte, s *group, use func(child int, v Value, time int64, count uint64, many bool)) bool {
	d := decoder{b: data}
	if many := d.uvarint(); many > 0 {
		sums, ok := sumColumn(&d, many, s)
		return ok && sums.each(use)
	}
	for child := s.first; d.more(); {
		child += int(d.below(uint64(s.count)))
		values := d.below(maxTotals + 1)
		if d.bad || child >= s.first+s.count {
			return false
		}
		if values == 0 {
			use(child, Value{}, 0, 0, true)
		}
		for range values {
			v := d.value()
			time := d.below(math.MaxInt64)
			count := d.uvarint()
			if d.bad {
				return false
			}
			use(child, v, int64(time), count, false)
		}
	}
	return !d.bad
}
