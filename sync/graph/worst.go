package graph

import "math"

// worst knows the worst link on the way between any two hosts of a spanning forest.
//
// Take the links of the forest up to a threshold: they make components, and
// each has a chief, the host of the highest rank in it; ranks are random. A host
// that is the chief of its component up to some link w, which joins it to one
// with a higher chief, has an arrow to a host of higher rank with w written on
// it. So the arrows up to any threshold connect the same hosts as the links do,
// the worst link between two hosts is the worst one on their way along
// arrows, and it is a short way: that of a record among random numbers, some
// 2·ln n, where a way in the forest takes n^(1/3) steps and worse.
//
// Any set of arrows that rise in rank, one for each host at most, is such a
// structure for some forest. Only which links are written on them counts.
type worst struct {
	arrows []arrow // by host
}

type arrow struct {
	weight int64 // of the link, that it had when it was written
	link   int32
	to     int32 // none: no arrow, and weight is math.MaxInt64
}

// rank orders hosts at random, and without ties.
func rank(host int32) uint32 {
	h := uint32(host) + 1
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return h ^ h>>16
}

func (w *worst) grow(n int) {
	for len(w.arrows) < n {
		w.arrows = append(w.arrows, arrow{math.MaxInt64, none, none})
	}
}

// chief returns that of the host's component up to a link.
func (w *worst) chief(l *links, host int32, weight int64, id int32) int32 {
	for {
		a := &w.arrows[host]
		if a.weight > weight || a.weight == weight && (a.to == none || a.link != id && l.before(weight, id, weight, a.link)) {
			return host
		}
		// An arrow whose end goes on with a better link may as well go there at once.
		if next := &w.arrows[a.to]; next.weight < a.weight {
			a.to = next.to
		}
		host = a.to
	}
}

// insert adds a link between two hosts and returns the link that is not
// needed any more: the worst on the cycle, which may be this one. none if there is no cycle.
//
// The arrow of a chief that gets a better one is as good from its new chief on:
// the two are connected by the better link.
func (w *worst) insert(l *links, u, v int32, weight int64, id int32) int32 {
	for {
		u, v = w.chief(l, u, weight, id), w.chief(l, v, weight, id)
		if u == v {
			return id
		}
		if rank(u) > rank(v) {
			u, v = v, u
		}
		a := &w.arrows[u]
		old := *a
		*a = arrow{weight, id, v}
		if old.to == none {
			return none
		}
		u, v, weight, id = v, old.to, old.weight, old.link
	}
}

// cut takes a link of the forest away whose ends are inside and outside of a
// set of hosts, all of one of the parts it leaves. Arrows across are dropped if
// they are better than limit, the link that is to be inserted next, or all if
// that is none: they rest on the link that goes. What was written on them connects
// the end of the arrow to the end of the link that lies on the same side.
func (w *worst) cut(l *links, id, limit int32, inside []bool) {
	var dropped []arrow
	from := make([]int32, 0, 8)
	for i := range w.arrows {
		a := w.arrows[i]
		if a.to == none || inside[i] == inside[a.to] {
			continue
		}
		if limit != none && a.link != id && !l.before(a.weight, a.link, l.of(limit).weight, limit) {
			continue
		}
		w.arrows[i] = arrow{math.MaxInt64, none, none}
		dropped = append(dropped, a)
		from = append(from, int32(i))
	}
	gone := l.of(id).ends
	for i, a := range dropped {
		if a.link == id {
			continue
		}
		side := inside[l.of(a.link).ends[0]]
		end, host := gone[0], from[i]
		if inside[end] != side {
			end = gone[1]
		}
		if inside[host] != side {
			host = a.to
		}
		w.insert(l, end, host, a.weight, a.link)
	}
}
