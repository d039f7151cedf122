package history

import (
	"testing"

	"synchroscope/state/attribute"
	"synchroscope/state/scratch"
)

// FarFrom makes histories keep positions of attributes from a number on, a multiple of 64, in tables, and all that grows with the attributes in
// a scratch file.
func FarFrom(t testing.TB, q attribute.Quark) {
	near, before, dir := nearQuarks, space, t.TempDir()
	nearQuarks, space = q, func(File) *scratch.Space { return scratch.New(dir, 0) }
	t.Cleanup(func() { nearQuarks, space = near, before })
}

// SplitCells makes queries for pixels use a second processor above so many cells, and hold
// no more than six times that at once, and those for all attributes use one always. Columns are kept by themselves wherever they stand.
func SplitCells(t testing.TB, cells int) {
	before, most, pages, picked := fewCells, mostCells, fewPages, leastPicked
	fewCells, mostCells, fewPages, leastPicked = cells, 6*cells, 2, -1<<20
	t.Cleanup(func() { fewCells, mostCells, fewPages, leastPicked = before, most, pages, picked })
}

// TallyFrom makes blocks with more intervals than that be gathered column by column, and nodes hold so many totals at most.
func TallyFrom(t testing.TB, records, entries int) {
	before, most := manyRecords, maxEntries
	manyRecords, maxEntries = records, entries
	t.Cleanup(func() { manyRecords, maxEntries = before, most })
}

// DivideFrom makes blocks that are no leaves, and parts of leaves, have so many bytes at most.
func DivideFrom(t testing.TB, bytes int) {
	before := mostOther
	mostOther = bytes
	t.Cleanup(func() { mostOther = before })
}

// WidenTo makes so many totals of an attribute with many values be held.
func WidenTo(t testing.TB, cells int) {
	before := mostWide
	mostWide = cells
	t.Cleanup(func() { mostWide = before })
}

// Wide lists the attributes of all columns of wide totals in a tree, one for each.
func Wide(t testing.TB, h *History) (of []attribute.Quark) {
	t.Helper()
	var look func(n *node)
	look = func(n *node) {
		for _, g := range n.wide {
			for _, ref := range g.blocks {
				k, err := h.file.whole(ref.block)
				if err != nil {
					t.Fatal(err)
				}
				for c := k.cursor(); c.next(); {
					of = append(of, c.quark)
				}
			}
		}
		for i := 0; n.level > 1 && i < len(n.children); i++ {
			m, err := h.file.inner(n.children[i], n.level-1)
			if err != nil {
				t.Fatal(err)
			}
			look(m)
		}
	}
	look(h.current.Load().top)
	return of
}

// LimitNames makes a tree hold so many bytes of names, and so many attributes and strings each.
func LimitNames(t testing.TB, bytes, count int) {
	before, named := mostNames, mostNamed
	mostNames, mostNamed = bytes, count
	t.Cleanup(func() { mostNames, mostNamed = before, named })
}

// Sums counts the columns of sums in the summaries of a tree.
func Sums(t testing.TB, h *History) int {
	t.Helper()
	return columnsFrom(t, h, 1)
}

// Joined counts the columns of sums that tell of what crosses from child to child.
func Joined(t testing.TB, h *History) int {
	t.Helper()
	return columnsFrom(t, h, laneValues+1)
}

// columnsFrom counts the columns in summaries that begin with at least a number.
func columnsFrom(t testing.TB, h *History, least byte) int {
	t.Helper()
	sums := 0
	err := h.file.eachSummary(h.current.Load().top, func(k *block) {
		for c := k.cursor(); c.next(); {
			if k.payload[c.at] >= least {
				sums++
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return sums
}

// eachSummary yields the summaries of a node and of all below it.
func (s *store) eachSummary(n *node, yield func(*block)) error {
	for _, g := range n.groups {
		for _, ref := range g.blocks {
			k, err := s.whole(ref.block)
			if err != nil {
				return err
			}
			yield(k)
		}
	}
	if n.level == 1 {
		return nil
	}
	for _, c := range n.children {
		m, err := s.inner(c, n.level-1)
		if err != nil {
			return err
		}
		if err := s.eachSummary(m, yield); err != nil {
			return err
		}
	}
	return nil
}
