package history

import (
	"context"
	"fmt"

	"synchroscope/state/attribute"
)

// mostExtents of a node are nothing to speak of: with blocks of the default size a node has one to three.
const mostExtents = 10

// A Crowd is an inner node with more than ten extents: so many intervals cross from child to child of it, all of many attributes
// at once. The tree is no deeper for it, but a look at an instant there may have to search them all. That such places are named is the advice
// of Montplaisir 2011, section 5.3.1: they are where states stay open that should have ended, after lost events, say.
type Crowd struct {
	Block           uint32 // by which the node is known
	Level           int
	Start, End      int64 // local ns
	Extents         int
	Intervals       int             // in them
	Least, Greatest attribute.Quark // of them
}

// String tells of a crowd in a sentence.
func (c Crowd) String() string {
	return fmt.Sprintf("the node of level %d that ends in block %d, from %d to %d ns, has %d extents, of %d intervals of attributes %d to %d that cross its children",
		c.Level, c.Block, c.Start, c.End, c.Extents, c.Intervals, c.Least, c.Greatest)
}

// Crowds returns the crowds of a finished tree, children before their parents. It reads the inner nodes, and a page of each extent of a crowd.
func (h *History) Crowds(ctx context.Context) ([]Crowd, error) {
	record, err := readFinish(h.file.f)
	if err != nil {
		return nil, err
	}
	return h.file.crowds(ctx, nil, h.current.Load().top, record.root)
}

func (s *store) crowds(ctx context.Context, found []Crowd, n *node, number uint32) ([]Crowd, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for i := 0; i < len(n.children) && n.level > 1; i++ {
		m, err := s.inner(n.children[i], n.level-1)
		if err != nil {
			return nil, err
		}
		if found, err = s.crowds(ctx, found, m, n.children[i].block); err != nil {
			return nil, err
		}
	}
	if len(n.extents) <= mostExtents {
		return found, nil
	}
	c := Crowd{Block: number, Level: n.level, Start: n.start, End: n.end, Extents: len(n.extents), Least: n.extents[0].least}
	for i := range n.extents {
		x := &n.extents[i]
		c.Least, c.Greatest = min(c.Least, x.least), max(c.Greatest, x.greatest)
		k, err := s.extent(n, x)
		if err != nil {
			return nil, err
		}
		c.Intervals += k.count
	}
	return append(found, c), nil
}
