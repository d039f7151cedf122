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
// before the operation, or has another weight somewhere: the only ones whose clocks are to be computed anew. With each comes
// its next host on the way, -1 with a reference itself; if that is affected too it came before. It
// takes time in proportion to the hosts, and to the depth of the tree, and allocates nothing once
// as many were listed.
func (f *Forest) Affected(c Change) iter.Seq2[int, int] {
	return func(yield func(host, next int) bool) { f.affected(c, yield) }
}

func (f *Forest) affected(c Change, yield func(host, next int) bool) {
	if c.beyond != 0 {
		low := f.tree.below(f.links.of(c.beyond - 1).ends)
		high := f.tree.hosts[low].up
		if f.pin != 0 && f.tree.under(f.reference(low), low) {
			low, high = high, low
		}
		if !f.each(low, high, yield) {
			return
		}
	}
	for _, h := range c.trees {
		if h != 0 && !f.each(f.reference(h-1), none, yield) {
			return
		}
	}
}

// each yields what beyond returns, and where each was reached from.
func (f *Forest) each(host, neighbour int32, yield func(host, from int) bool) bool {
	steps := f.room
	f.room = nil // yield may ask again
	steps = f.tree.beyond(steps, host, neighbour)
	on := true
	for i := 0; on && i < len(steps); i++ {
		on = yield(int(steps[i].host), int(steps[i].from))
	}
	f.room = steps[:0]
	return on
}
