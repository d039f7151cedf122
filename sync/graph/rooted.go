package graph

// rooted is the trees, each hanging from its centroid, or on the way there.
type rooted struct {
	hosts []vertex
	edges []treeEdge
	free  []int32 // indices of edges
}

type vertex struct {
	up   int32 // towards the root, none at the root
	edge int32 // to up
	size int32 // hosts below and the host itself
	// first is a list of all edges of the host, whichever way they lead: turning
	// a tree round does not touch it.
	first int32
}

type treeEdge struct {
	link       int32
	ends       [2]int32
	next, prev [2]int32 // of each end's list
}

func (t *rooted) grow(n int) {
	for len(t.hosts) < n {
		t.hosts = append(t.hosts, vertex{none, none, 1, none})
	}
}

func (t *rooted) root(host int32) int32 {
	for t.hosts[host].up != none {
		host = t.hosts[host].up
	}
	return host
}

// below returns the lower end of an edge between two neighbours.
func (t *rooted) below(ends [2]int32) int32 {
	if t.hosts[ends[0]].up == ends[1] {
		return ends[0]
	}
	return ends[1]
}

// under reports whether a host is below another or is it. Sizes rise on the way up.
func (t *rooted) under(host, above int32) bool {
	limit := t.hosts[above].size
	for host != none && t.hosts[host].size < limit {
		host = t.hosts[host].up
	}
	return host == above
}

// evert makes a host the root of its tree, which has n hosts.
func (t *rooted) evert(host, n int32) {
	up, edge, behind := none, none, int32(0)
	for host != none {
		v := &t.hosts[host]
		next, e, size := v.up, v.edge, v.size
		v.up, v.edge, v.size = up, edge, n-behind
		up, edge, behind = host, e, size
		host = next
	}
}

// cut takes the part below a host, and the host, out of its tree, and returns the root of the rest.
func (t *rooted) cut(host int32) (rest int32) {
	v := &t.hosts[host]
	t.unlist(v.edge)
	for up := v.up; up != none; up = t.hosts[up].up {
		t.hosts[up].size -= v.size
		rest = up
	}
	v.up, v.edge = none, none
	return rest
}

// hang puts a root under a host of another tree, which then has n hosts. It
// returns that tree's root, and the lowest host above the part that has more than half of all hosts below it.
func (t *rooted) hang(root, host, link, n int32) (top, heavy int32) {
	v := &t.hosts[root]
	v.up, v.edge = host, t.list(link, root, host)
	heavy = none
	for up := host; up != none; up = t.hosts[up].up {
		u := &t.hosts[up]
		u.size += v.size
		if heavy == none && 2*u.size > n {
			heavy = up
		}
		top = up
	}
	return top, heavy
}

// list makes an edge.
func (t *rooted) list(link, a, b int32) int32 {
	var e int32
	if n := len(t.free); n > 0 {
		e, t.free = t.free[n-1], t.free[:n-1]
	} else {
		e = int32(len(t.edges))
		t.edges = append(t.edges, treeEdge{})
	}
	edge := treeEdge{link, [2]int32{a, b}, [2]int32{}, [2]int32{none, none}}
	for i, host := range edge.ends {
		v := &t.hosts[host]
		edge.next[i] = v.first
		if v.first != none {
			n := &t.edges[v.first]
			n.prev[n.side(host)] = e
		}
		v.first = e
	}
	t.edges[e] = edge
	return e
}

func (t *rooted) unlist(e int32) {
	edge := t.edges[e]
	for i, host := range edge.ends {
		next, prev := edge.next[i], edge.prev[i]
		if next != none {
			n := &t.edges[next]
			n.prev[n.side(host)] = prev
		}
		if prev != none {
			p := &t.edges[prev]
			p.next[p.side(host)] = next
		} else {
			t.hosts[host].first = next
		}
	}
	t.free = append(t.free, e)
}

func (e *treeEdge) side(host int32) int {
	if e.ends[0] == host {
		return 0
	}
	return 1
}

// each yields the neighbours of a host.
func (t *rooted) each(host int32, yield func(neighbour int32) bool) {
	for e := t.hosts[host].first; e != none; {
		edge := &t.edges[e]
		i := edge.side(host)
		if !yield(edge.ends[1-i]) {
			return
		}
		e = edge.next[i]
	}
}

// A step is a host and its neighbour that was reached before it, none for the first.
type step struct{ host, from int32 }

// beyond returns, in the room of a list that is done with, the hosts that are reached from one without going over a
// neighbour, itself first, each after that from which it is reached. Without none it is the whole tree.
// Sizes tell how many there are, so the edges of those at the end are not looked at.
func (t *rooted) beyond(room []step, host, neighbour int32) []step {
	n := int(t.hosts[host].size)
	if t.hosts[host].up != neighbour {
		n = int(t.hosts[t.root(host)].size)
		if neighbour != none {
			n -= int(t.hosts[neighbour].size)
		}
	}
	found := append(room[:0], step{host, neighbour})
	for i := 0; len(found) < n; i++ {
		at := found[i]
		for e := t.hosts[at.host].first; e != none; {
			edge := &t.edges[e]
			side := edge.side(at.host)
			if next := edge.ends[1-side]; next != at.from {
				found = append(found, step{next, at.host})
			}
			e = edge.next[side]
		}
	}
	return found
}
