// Package graph picks the paths by which clocks are compared: a minimum
// spanning forest over the links, and in each tree the best reference host.
//
// A link's weight says how badly it determines the clocks. The error of a host
// is the sum along its path to the reference, so few and good links are wanted,
// and an indirect path may beat a direct link. Edges are totally ordered, by
// weight and then by their ends, so there is one minimum spanning forest and
// it does not depend on the order in which links became known or changed. The
// reference does, where two hosts are equally good: Best tells both.
//
// The forest is kept as it changes, by the rule of M. Jabbarifar, "On Line
// Trace Synchronization for Large Scale Distributed Systems", 2013, section
// 5.5.2: a new or better link closes a cycle, and the worst link of the cycle
// goes. Other than there a weight may also rise or a link vanish; then the
// best link across the cut takes its place.
//
// # Cost
//
// Let n be the hosts, and d the depth of a tree hung from its centroid: some
// n^(1/3) for random weights, n/2 at worst.
//
//   - A link that is new or got better, and does not get into the forest:
//     O(log n) expected, see worst. This is what nearly all are. A weight
//     that rises outside the forest: O(1).
//   - One that does: O(d), to turn round what hangs from the link that goes, and to count sizes.
//   - A link of the forest that gets worse or vanishes: all links of
//     the hosts on the smaller side of the cut are looked at, and one number of every host.
//   - Reference, Distance, Path, Loss: O(d). Best: also the neighbours of the reference.
package graph

// An Edge joins two hosts, A < B. Weight is positive; less is better.
type Edge struct {
	A, B   int
	Weight int64
}

// A Forest belongs to one goroutine. The zero value has no hosts.
type Forest struct {
	links  links
	tree   rooted
	worst  worst
	pin    int32  // 1 + the pinned host
	inside []bool // by host: is on the smaller side of a cut; all false between operations
	room   []step // empty; where the hosts that an operation concerns are listed
}

// Grow makes sure the hosts 0 to n-1 exist.
func (f *Forest) Grow(n int) {
	for len(f.links.first) < n {
		f.links.first = append(f.links.first, none)
		f.inside = append(f.inside, false)
	}
	f.tree.grow(n)
	f.worst.grow(n)
}

// Set adds a link or changes its weight. Its hosts must exist.
func (f *Forest) Set(e Edge) Change {
	id, before := f.links.put(int32(e.A), int32(e.B), e.Weight)
	if before == e.Weight {
		return Change{}
	}
	if before != 0 && e.Weight > before {
		if f.Has(e.A, e.B) {
			return f.lose(id)
		}
		return Change{}
	}
	switch out := f.worst.insert(&f.links, int32(e.A), int32(e.B), e.Weight, id); {
	case out == none:
		return f.join(id)
	case out != id:
		return f.replace(out, id)
	case before != 0 && f.Has(e.A, e.B):
		return Change{beyond: id + 1}
	}
	return Change{}
}

// Remove forgets a link, which need not exist.
func (f *Forest) Remove(a, b int) Change {
	id := f.links.find(int32(a), int32(b))
	if id == none || f.links.of(id).weight == 0 {
		return Change{}
	}
	f.links.of(id).weight = 0
	if !f.Has(a, b) {
		return Change{}
	}
	return f.lose(id)
}

// Has reports whether the link of two hosts is in the forest.
func (f *Forest) Has(a, b int) bool {
	return f.tree.hosts[a].up == int32(b) || f.tree.hosts[b].up == int32(a)
}

// Weight returns that of a link, in the forest or not; ok is false if there is none.
func (f *Forest) Weight(a, b int) (weight int64, ok bool) {
	id := f.links.find(int32(a), int32(b))
	if id == none || f.links.of(id).weight == 0 {
		return 0, false
	}
	return f.links.of(id).weight, true
}

// join makes two trees one.
func (f *Forest) join(id int32) Change {
	t := &f.tree
	ends := f.links.of(id).ends
	host, root := ends[0], ends[1]
	big, small := t.root(host), t.root(root)
	first, second := f.refer(big), f.refer(small)
	if a, b := t.hosts[big].size, t.hosts[small].size; a < b || a == b && big > small {
		host, root, big, small = root, host, small, big
	}
	n := t.hosts[big].size + t.hosts[small].size
	t.evert(root, t.hosts[small].size)
	top, heavy := t.hang(root, host, id, n)
	now := f.refer(f.move(top, heavy, small))

	c := Change{Edges: true, Reference: true, beyond: id + 1}
	if now != first && now != second {
		c.beyond = 0
		c.whole(host)
	}
	return c
}

// replace puts one link in the place of another.
func (f *Forest) replace(out, in int32) Change {
	t := &f.tree
	low := t.below(f.links.of(out).ends)
	moved, host := f.links.of(in).ends[0], f.links.of(in).ends[1]
	if !t.under(moved, low) {
		moved, host = host, moved
	}
	present := f.pinned(low)
	rest := t.cut(low)
	if present == none {
		present = rest
	}
	n := t.hosts[rest].size + t.hosts[low].size
	t.evert(moved, t.hosts[low].size)
	top, heavy := t.hang(moved, host, in, n)
	now := f.refer(f.move(top, heavy, none))

	c := Change{Edges: true, beyond: in + 1}
	if now != present {
		c.beyond = 0
		c.whole(host)
	}
	return c
}

// lose finds what takes the place of a link of the forest whose weight rose, or that is no more.
func (f *Forest) lose(id int32) Change {
	low := f.tree.below(f.links.of(id).ends)
	high := f.tree.hosts[low].up
	start, end := low, high
	if n := f.tree.hosts[f.tree.root(low)].size; 2*f.tree.hosts[low].size > n {
		start, end = high, low
	}
	part := f.tree.beyond(f.room, start, end)
	f.room = part[:0]
	for _, s := range part {
		f.inside[s.host] = true
	}
	best := f.across(part)
	f.worst.cut(&f.links, id, best, f.inside)
	for _, s := range part {
		f.inside[s.host] = false
	}
	if best == none {
		return f.split(low, high)
	}
	k := f.links.of(best)
	f.worst.insert(&f.links, k.ends[0], k.ends[1], k.weight, best)
	if best == id {
		return Change{beyond: id + 1}
	}
	return f.replace(id, best)
}

// across returns the best link from the hosts inside to others.
func (f *Forest) across(part []step) int32 {
	best := none
	for _, s := range part {
		h := s.host
		for id := f.links.first[h]; id != none; {
			k := f.links.of(id)
			if k.weight != 0 && !f.inside[k.other(h)] &&
				(best == none || f.links.before(k.weight, id, f.links.of(best).weight, best)) {
				best = id
			}
			id = k.after(h)
		}
	}
	return best
}

// split makes one tree two.
func (f *Forest) split(low, high int32) Change {
	present := f.reference(low)
	rest := f.tree.cut(low)
	f.settle(rest, true)
	f.settle(low, false)

	c := Change{Edges: true}
	for _, h := range [2]int32{low, high} {
		if f.reference(h) != present {
			c.whole(h)
		}
	}
	return c
}
