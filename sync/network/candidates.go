package network

// A Candidate is what the errors of a component's hosts would be, were one of them the reference: each the sum of
// Link.Served along its way.
type Candidate struct {
	Sum       int64 // ns, of all that have a bound
	Most      int64 // ns, of the host that would be known worst
	Farthest  int32 // that host; itself in a component of one
	Unbounded int   // hosts of the component that would have no bound: a link on the way to them has none
}

// Candidates tells, by host, what it would be like with it as the reference of its component; nil where its component has other hosts and none of
// them would be bounded. It takes time proportional to the number of hosts and links.
func (s *Solution) Candidates() []*Candidate {
	out := make([]*Candidate, len(s.Hosts))
	near := make([][]int32, len(s.Hosts)) // links of the tree that have a bound, by number
	for i, l := range s.Links {
		if l.InTree && l.Served >= 0 {
			near[l.A] = append(near[l.A], int32(i))
			near[l.B] = append(near[l.B], int32(i))
		}
	}
	size := make(map[int32]int) // of components, by reference
	for _, h := range s.Hosts {
		size[h.Reference]++
	}
	seen := make([]bool, len(s.Hosts))
	for i, h := range s.Hosts {
		if seen[i] {
			continue
		}
		t := walk(s.Links, near, int32(i))
		for _, host := range t.hosts {
			seen[host] = true
		}
		if others := size[h.Reference] - len(t.hosts); len(t.hosts) > 1 || others == 0 && h.Loss != nil {
			s.weigh(t, near, out, others)
		}
	}
	return out
}

// A tour lists the hosts of a tree of bounded links from one on, each behind the one that it was reached from.
type tour struct {
	hosts []int32
	from  []int32 // position of the host before, -1 of the first
	far   []int64 // ns from the first host
}

func walk(links []Link, near [][]int32, first int32) tour {
	t := tour{hosts: []int32{first}, from: []int32{-1}, far: []int64{0}}
	for at := 0; at < len(t.hosts); at++ {
		h, before := t.hosts[at], int32(-1)
		if t.from[at] >= 0 {
			before = t.hosts[t.from[at]]
		}
		for _, n := range near[h] {
			l := &links[n]
			other := l.A + l.B - h
			if other == before {
				continue
			}
			t.hosts, t.from, t.far = append(t.hosts, other), append(t.from, int32(at)), append(t.far, t.far[at]+l.Served)
		}
	}
	return t
}

// farthest is the position of the host farthest from the first.
func (t *tour) farthest() (at int) {
	for i, d := range t.far {
		if d > t.far[at] {
			at = i
		}
	}
	return at
}

// weigh fills in the candidates of a tree. The host farthest from any is an end of its longest way, and moving the reference
// over a link takes its error out of the ways of the hosts beyond it and puts it into those of the others.
func (s *Solution) weigh(t tour, near [][]int32, out []*Candidate, unbounded int) {
	a := walk(s.Links, near, t.hosts[t.farthest()])
	b := walk(s.Links, near, a.hosts[a.farthest()])
	n := len(t.hosts)
	size, sum := make([]int64, n), make([]int64, n)
	for i := n - 1; i >= 0; i-- {
		size[i]++
		if p := t.from[i]; p >= 0 {
			size[p] += size[i]
		}
		sum[0] += t.far[i]
	}
	for i, h := range t.hosts {
		if p := t.from[i]; p >= 0 {
			sum[i] = sum[p] + (t.far[i]-t.far[p])*(int64(n)-2*size[i])
		}
		out[h] = &Candidate{Sum: sum[i], Farthest: a.hosts[0], Unbounded: unbounded}
	}
	for i, h := range a.hosts {
		out[h].Most = a.far[i]
	}
	for i, h := range b.hosts {
		if b.far[i] > out[h].Most || out[h].Farthest == h {
			out[h].Most, out[h].Farthest = b.far[i], b.hosts[0]
		}
	}
}
