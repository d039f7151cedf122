package graph

import "iter"

// A Change tells what an operation did. It may be asked for the hosts
// concerned until the next operation on the forest.
type Change struct {
	Edges     bool // another set of edges is the forest
	Reference bool // some hosts have another reference

	beyond int32    // 1 + the link beyond which ways are different; 0 for none
	trees  [2]int32 // 1 + a host of a tree in which all ways are different
}

// whole adds a tree, by one of its hosts, whose reference is another.
func (c *Change) whole(host int32) {
	c.Reference = true
	if c.trees[0] != 0 {
		c.trees[1] = host + 1
		return
	}
	c.trees[0] = host + 1
}

// Affected yields the hosts whose way to their reference is another than
// before the operation, or has another weight somewhere: the only ones whose clocks are to be computed anew. It
// takes time in proportion to them and to the depth of the tree.
func (f *Forest) Affected(c Change) iter.Seq[int] {
	return func(yield func(int) bool) {
		var parts [3][]int32
		if c.beyond != 0 {
			ends := f.links.all[c.beyond-1].ends
			low := f.tree.below(ends)
			high := f.tree.hosts[low].up
			if f.tree.under(f.reference(low), low) {
				low, high = high, low
			}
			parts[0] = f.tree.beyond(low, high)
		}
		for i, h := range c.trees {
			if h != 0 {
				parts[1+i] = f.tree.beyond(h-1, none)
			}
		}
		for _, part := range parts {
			for _, h := range part {
				if !yield(int(h)) {
					return
				}
			}
		}
	}
}
