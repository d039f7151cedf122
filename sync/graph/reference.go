package graph

import "math"

// The reference of a tree minimizes the sum of the distances to all hosts of
// the tree. That is the centroid, whatever the weights are: let n be the number of
// hosts, and m how many of them are beyond an edge of weight w > 0. To
// move the reference over that edge takes w out of the ways of m hosts and puts
// it into the ways of n-m; the sum changes by w·(n-2m). So it pays if m > n/2, never
// if m < n/2, and nothing changes if m = n/2. From a host that is not the centroid exactly
// one neighbour has more than half of the hosts on its side, the steps towards it lead to the centroid, and
// the sum falls with every step; beyond the centroid it rises, for what is
// left ahead is less than half. There is one centroid, or two neighbours with
// half of the hosts each, which are equally good. (Jabbarifar 2013, section 4.5,
// lemma 1; its weights may be anything, too.)
//
// So sizes decide. After an operation only hosts on the way from where it took place to the
// old root can have got more than half; when a tree falls apart, its halves
// are searched from their roots.

// Reference returns the reference of a host's tree: the pinned host if it is
// there, else the centroid. Of two it is the one that was it before; if
// neither or, of two trees that became one, both were, the lower.
func (f *Forest) Reference(host int) int { return int(f.reference(int32(host))) }

func (f *Forest) reference(host int32) int32 { return f.refer(f.tree.root(host)) }

// refer returns the reference of the tree with a root.
func (f *Forest) refer(root int32) int32 {
	if f.pin != 0 && f.tree.root(f.pin-1) == root {
		return f.pin - 1
	}
	return root
}

// pinned returns the host that is pinned in another's tree, none if none is.
func (f *Forest) pinned(host int32) int32 {
	if f.pin != 0 && f.tree.root(f.pin-1) == f.tree.root(host) {
		return f.pin - 1
	}
	return none
}

// Best returns the centroids of a host's tree, the lower first; mostly there is one, returned twice.
func (f *Forest) Best(host int) (low, high int) {
	root := f.tree.root(int32(host))
	twin := f.twin(root)
	if twin == none {
		twin = root
	}
	return int(min(root, twin)), int(max(root, twin))
}

// twin returns the other centroid of a tree that hangs from one, none if there is none.
func (f *Forest) twin(root int32) int32 {
	n, twin := f.tree.hosts[root].size, none
	f.tree.each(root, func(h int32) bool {
		if 2*f.tree.hosts[h].size == n {
			twin = h
		}
		return twin == none
	})
	return twin
}

// Pin makes a host the reference of the tree it is in, now and later, instead
// of the one pinned before. -1 pins none.
func (f *Forest) Pin(host int) Change {
	if int32(host+1) == f.pin {
		return Change{}
	}
	old, now := f.pin-1, int32(host)
	var before [2]int32
	for i, h := range [2]int32{old, now} {
		if h >= 0 {
			before[i] = f.reference(h)
		}
	}
	f.pin = now + 1
	var c Change
	if old >= 0 && f.reference(old) != before[0] {
		c.whole(old)
	}
	same := old >= 0 && now >= 0 && f.tree.root(old) == f.tree.root(now)
	if now >= 0 && !same && f.reference(now) != before[1] {
		c.whole(now)
	}
	return c
}

// Loss is by how much the distances of all hosts of a tree to one of them sum up to more than to the best: what pinning it costs. Sums that do not
// fit are math.MaxInt64. length tells how long an edge is, which need not be its weight, and is not below 0. The best host is the same whatever it
// tells: it goes by how many hosts are beyond an edge, not by how long that is.
func (f *Forest) Loss(host int, length func(Edge) int64) int64 {
	var loss int64
	n := f.tree.hosts[f.tree.root(int32(host))].size
	for h := int32(host); f.tree.hosts[h].up != none; h = f.tree.hosts[h].up {
		loss = plus(loss, times(length(f.up(h)), int64(n-2*f.tree.hosts[h].size)))
	}
	return loss
}

// up is the edge towards the root.
func (f *Forest) up(host int32) Edge {
	k := f.links.of(f.tree.edges[f.tree.hosts[host].edge].link)
	return Edge{int(k.ends[0]), int(k.ends[1]), k.weight}
}

// settle moves the root of a tree to the centroid. With keep it stays if it is
// one of two; else the lower is taken.
func (f *Forest) settle(root int32, keep bool) {
	n := f.tree.hosts[root].size
	at := root
	for next := at; next != none; {
		at, next = next, none
		f.tree.each(at, func(h int32) bool {
			if v := &f.tree.hosts[h]; v.up == at && 2*v.size > n {
				next = h
			}
			return next == none
		})
	}
	f.tree.evert(at, n)
	if keep && at == root {
		return
	}
	if twin := f.twin(at); twin != none && twin < at {
		f.tree.evert(twin, n)
	}
}

// move makes the lowest host that has more than half below it the root, which it returns. Of two that
// are equally good it takes present, else the lower.
func (f *Forest) move(root, heavy, present int32) int32 {
	if heavy == root {
		return root
	}
	n := f.tree.hosts[root].size
	f.tree.evert(heavy, n)
	if twin := f.twin(heavy); twin != none && (twin < heavy || twin == present) {
		f.tree.evert(twin, n)
		return twin
	}
	return heavy
}

func plus(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

func times(a, b int64) int64 {
	if b > 0 && a > math.MaxInt64/b {
		return math.MaxInt64
	}
	return a * b
}
