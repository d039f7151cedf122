package history

import (
	"slices"
	"sort"
)

// A mark is what the summary of a group of leaves has of a line.
type mark uint8

const (
	inNone mark = iota // nothing: the leaves have no interval of it either
	inTurn             // the leaves one by one, or some of them
	inSums             // sums, in which leaves that an edge cuts in two are included
)

// whole is in place of a column where a child is visited for all its time.
const whole = -1

// A sight is how a child is seen: all of it in one column of pixels, cut into two parts the later
// of which is in the column, or neither, and then the column is whole.
type sight struct {
	column int
	cut    bool
	late   bool // the later part is the shorter one
}

// summed is the column that all of a child is in by sums, or whole.
func (x sight) summed() int {
	if x.late {
		return x.column - 1
	}
	return x.column
}

// A stretch is adjacent children that sums give to one column of pixels. The first of them may begin
// in the column before, and the last may end in the one behind: of such a child the shorter part is elsewhere.
type stretch struct {
	from, to  int
	column    int
	cut, late bool // the first begins before, the last ends behind
}

// A cut is where the time of a leaf is divided whose sums are in one column of pixels: the earlier part is in the column
// before the one given, which may be whole, for none. spans are, where the later part is the shorter one, how long all of the leaf's
// intervals of each line are.
type cut struct {
	column int
	spans  []int64
}

// children paints the sealed children in sight: by summaries those that lie in
// one column, by visits the others. A leaf with an edge in it is visited for the shorter of its two parts,
// and the other is what the summary has beyond that.
func (p *painter) children(n *node, lines []line) error {
	g := &p.grid
	first := sort.Search(len(n.children), func(i int) bool { return n.children[i].end > g.lo })
	last := first + sort.Search(len(n.children)-first, func(i int) bool { return n.children[first+i].start >= g.hi })
	var seen []sight
	for i := first; i < last; {
		s := n.summary(i)
		if s == nil {
			column := whole
			if len(n.wide) > 0 {
				column = g.within(n.children[i].start, n.children[i].end, 0)
			}
			if err := p.inside(n, i, lines, column); err != nil {
				return err
			}
			i++
			continue
		}
		to := min(s.first+s.count, last)
		seen = p.sights(seen[:0], n, i, to)
		if err := p.group(n, s, lines, i, seen); err != nil {
			return err
		}
		i = to
	}
	return nil
}

// sights appends how children [from, to) are seen.
func (p *painter) sights(seen []sight, n *node, from, to int) []sight {
	g, hint := &p.grid, 0
	for _, c := range n.children[from:to] {
		x := sight{column: g.within(c.start, c.end, hint)}
		if x.column == whole && n.level == 1 {
			x.column = g.halves(c.start, c.end, hint)
			x.cut = x.column != whole
			x.late = x.cut && g.edges[x.column]-c.start > c.end-g.edges[x.column]
		}
		if x.column != whole {
			hint = x.column
		}
		seen = append(seen, x)
	}
	return seen
}

// group paints the children of a group from first on, which are seen so.
func (p *painter) group(n *node, s *group, lines []line, first int, seen []sight) error {
	var left map[int][]line // children a summary sends us to
	var marks []mark
	if stretches := stretched(seen, first); len(stretches) > 0 {
		if n.level == 1 { // below which no other group is painted meanwhile
			p.marks = emptied(p.marks, len(lines))
			p.spans = slices.Grow(p.spans[:0], len(seen)*len(lines))[:len(seen)*len(lines)]
			marks = p.marks
		}
		x := p.joint(n, first, seen, stretches)
		err := p.summary(n, s, lines, marks, &x, func(l line, child int, v Value, time int64, count uint64, many bool) {
			if child < first || child >= first+len(seen) || seen[child-first].column == whole || seen[child-first].cut {
				return
			}
			switch {
			case many:
				if left == nil {
					left = make(map[int][]line)
				}
				left[child] = append(left[child], l)
			case l.row.counting:
				l.row.total(v, time, count)
			default:
				l.row.add(seen[child-first].column, v, time)
			}
		})
		if err != nil {
			return err
		}
	}
	for i, x := range seen {
		var err error
		switch {
		case x.column == whole:
			err = p.child(n, first+i, lines, marks, cut{column: whole})
		case x.late:
			err = p.child(n, first+i, lines, marks, cut{x.column, p.spans[i*len(lines):][:len(lines)]})
		case x.cut:
			err = p.child(n, first+i, lines, marks, cut{column: x.column})
		default:
			err = p.inside(n, first+i, left[first+i], x.column)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// stretched returns the stretches of children from first on, which are seen so.
func stretched(seen []sight, first int) []stretch {
	var stretches []stretch
	for i, x := range seen {
		last, column, early := len(stretches)-1, x.summed(), x.cut && !x.late
		if last >= 0 && !early && stretches[last].to == first+i && stretches[last].column == column {
			stretches[last].to++
			stretches[last].late = x.late
		} else if x.column != whole {
			stretches = append(stretches, stretch{first + i, first + i + 1, column, early, x.late})
		}
	}
	return stretches
}

// inside paints child i, all of which is in one column, if that is not whole: from its wide totals the lines that these tell of, and the others by a visit.
func (p *painter) inside(n *node, i int, lines []line, column int) (err error) {
	if column != whole && len(lines) > 0 {
		if lines, err = p.widely(n, i, lines, column); err != nil {
			return err
		}
	}
	return p.child(n, i, lines, nil, cut{column: whole})
}

// child visits a child, if it may have any of the lines.
func (p *painter) child(n *node, i int, lines []line, marks []mark, at cut) error {
	c := &n.children[i]
	if len(lines) == 0 || c.greatest < lines[0].quark || c.least > lines[len(lines)-1].quark || marks != nil && !slices.ContainsFunc(marks, func(m mark) bool { return m != inNone }) {
		return nil
	}
	if n.level == 1 {
		k, err := p.file.leaf(n.children[i])
		if err != nil {
			return err
		}
		return p.block(k, lines, marks, at)
	}
	m, err := p.file.inner(n.children[i], n.level-1)
	if err != nil {
		return err
	}
	return p.node(m, lines)
}
