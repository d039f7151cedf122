package history

import (
	"fmt"
	"math"

	"synchroscope/state/attribute"
)

// A loss is what cannot be read because of a damaged place.
type loss struct {
	what            lost
	start, end      int64
	least, greatest attribute.Quark
}

type lost uint8

const (
	lostNothing lost = iota
	lostHeader       // how the file is made up
	lostRoot         // where everything begins
	lostEnd          // what was behind the end of the file
	lostNames
	lostState
	lostNode   // all that lies in a node
	lostExtent // what crosses from child to child of a node
	lostSums
	lostSense // the places are sound and do not fit together
	lostBlock // a block of which nothing is known
	lostIn    // a block of which only the beginning can be read
)

// words say what is lost. Attributes are called by their names where these can be read.
func (l loss) words(n *names) string {
	switch l.what {
	case lostHeader:
		return "everything: how large its pages are is not known"
	case lostRoot:
		return "everything, for the tree cannot be opened: nothing tells where its first node is"
	case lostEnd:
		return "everything, for the tree cannot be opened: the newest nodes, and what leads to all others, are behind the end"
	case lostNames:
		return "what attributes and texts are called, without which the tree cannot be opened"
	case lostState:
		return "what every attribute is at the end, without which the tree cannot be opened"
	case lostNode:
		return fmt.Sprintf("the states of %s from %d to %d ns, but for those that last longer", l.attributes(n), l.start, l.end)
	case lostExtent:
		return fmt.Sprintf("those states of %s from %d to %d ns that last for longer than a node below", l.attributes(n), l.start, l.end)
	case lostSums:
		return fmt.Sprintf("zoomed-out views and statistics of %s from %d to %d ns; the states themselves are there", l.attributes(n), l.start, l.end)
	case lostSense:
		return "no more than what it says: each block can be read"
	case lostBlock:
		return "a block of an unknown kind, in a part of the tree that cannot be reached"
	case lostIn:
		return fmt.Sprintf("a block with times from %d to %d ns, in a part of the tree that cannot be reached", l.start, l.end)
	}
	return "nothing"
}

func (l loss) attributes(n *names) string {
	call := func(q attribute.Quark) string {
		if n != nil && int(q) < n.tree.Len() {
			return fmt.Sprintf("%d (%s)", q, n.tree.Full(q))
		}
		return fmt.Sprint(q)
	}
	switch {
	case l.least == 0 && l.greatest == math.MaxInt32:
		return "all attributes"
	case l.least == l.greatest:
		return "attribute " + call(l.least)
	case l.greatest == math.MaxInt32:
		return "attributes from " + call(l.least) + " on"
	}
	return "attributes " + call(l.least) + " to " + call(l.greatest)
}

// lossOfNode is that of a whole inner node.
func lossOfNode(n *node) loss { return loss{lostNode, n.start, n.end, 0, math.MaxInt32} }

// lossOfSums is that of a summary block of a group, or of all if at is less than 0.
func lossOfSums(n *node, g *group, at int) loss {
	l := loss{lostSums, n.children[g.first].start, n.children[g.first+g.count-1].end, 0, math.MaxInt32}
	if at >= 0 {
		l.least = g.blocks[at].least
		if at+1 < len(g.blocks) {
			l.greatest = g.blocks[at+1].least - 1
		}
	}
	return l
}
