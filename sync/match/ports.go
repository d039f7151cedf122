package match

import (
	"cmp"
	"slices"

	"synchroscope/sync/hull"
)

// What a pair of ports must have to be believed.
const (
	leastMessages = 8
	mostTogether  = 16      // endpoints of one key; more say nothing
	mostUnits     = 1 << 12 // pairs of ports that are looked at
	mostCurves    = 64      // of them by curves
	steep         = 1e-3    // by how much the rates of two clocks may differ
)

// A place is a port of a host.
type place struct {
	host int32
	port uint64
}

// A loose is an endpoint with the hash of the key that it may have in common with others.
type loose struct {
	hash uint64
	item int32
}

// A candidate is a message that there was if two ports talk to each other.
type candidate struct {
	send, receive int32
	group         int32 // numbers the keys
	unit          int32
}

// A unit is what is believed or not as a whole: that two declared ports are the ends
// of a connection, or that addresses between two hosts were translated. The lower host is X.
type unit struct {
	x, y     place
	hull     hull.Hull
	believed bool
}

// matchPorts pairs endpoints of which the key alone does not tell who belongs together.
//
// For declared endpoints whose key several connections have, every pair of ports that may be the two
// ends of one is a supposition: its messages must allow a pair of clocks, and of all
// suppositions about either port it must be the only one that does. For segments of TCP
// without a partner the addresses and the IP id are left out of the key; then all segments of a stream must
// have partners in one stream, and the messages of all streams between two hosts must allow a pair of clocks.
func (s *second) matchPorts(pair func(send, receive *leftover, data uint32)) {
	s.collectLoose()
	if len(s.loose) == 0 {
		return
	}
	w := suppositions{s: s, units: make(map[[2]place]int32)}
	list := s.loose
	for group := int32(0); len(list) > 0; group++ {
		n := 1
		for n < len(list) && list[n].hash == list[0].hash && s.looseKey(list[n].item) == s.looseKey(list[0].item) {
			n++
		}
		if n > 1 && n <= mostTogether {
			w.suppose(group, list[:n])
		}
		list = list[n:]
	}
	w.translated()
	w.judge()
	for i, c := range w.list {
		u := c.unit
		if !w.all[u].believed || i > 0 && w.list[i-1].same(c) || i+1 < len(w.list) && w.list[i+1].same(c) {
			continue // of several messages with one key between two ports none can be told from the others
		}
		send, receive := &s.items[c.send], &s.items[c.receive]
		pair(send, receive, send.bytes)
		if send.key.segment() {
			s.addresses.translated(send, receive)
		}
	}
}

func (c candidate) same(d candidate) bool { return c.group == d.group && c.unit == d.unit }

// looseKey is the key of an item as far as an end that was seen elsewhere must have it.
func (s *second) looseKey(item int32) Key {
	k := s.items[item].key
	if k.Form != declaredForm {
		k.A, k.D, k.B = 0, 0, k.B&0xffffffff
	}
	return k
}

// place is the port that an item belongs to.
func (s *second) place(item int32) place {
	l := &s.items[item]
	if l.key.Form == declaredForm {
		return place{l.host, l.port}
	}
	return place{l.host, 0}
}

// collectLoose fills s.loose, in order, with what has something of its key on the other side.
func (s *second) collectLoose() {
	s.loose = s.loose[:0]
	has := func(l *leftover) bool {
		if l.key.Form == declaredForm {
			return l.fate == retransmitted || l.fate == ambiguous
		}
		return l.key.segment() && l.alone()
	}
	hash := func(l *leftover) uint64 {
		if l.key.Form == declaredForm {
			return l.key.A
		}
		d := digest{l.key.C, l.key.B << 32}
		d.word(uint64(l.key.Form))
		return d.x
	}
	s.sides(has, hash, func(item int32, hash uint64) {
		s.loose = append(s.loose, loose{hash, item})
	})
	slices.SortFunc(s.loose, func(p, q loose) int {
		if p.hash != q.hash {
			return cmp.Compare(p.hash, q.hash)
		}
		k, l := s.looseKey(p.item), s.looseKey(q.item)
		return cmp.Or(compareKeys(&k, &l), s.compareItems(p.item, q.item), compareKeys(&s.items[p.item].key, &s.items[q.item].key))
	})
}

// suppositions are all candidates of a look and what they would mean.
type suppositions struct {
	s     *second
	list  []candidate
	all   []unit
	units map[[2]place]int32
}

// suppose adds the candidates among endpoints with one key.
func (w *suppositions) suppose(group int32, list []loose) {
	segment := w.s.items[list[0].item].key.segment()
	if segment && len(list) != 2 {
		return
	}
	from := len(w.list)
	for _, p := range list {
		for _, q := range list {
			send, receive := &w.s.items[p.item], &w.s.items[q.item]
			if send.direction != Send || receive.direction != Receive || send.host == receive.host {
				continue
			}
			if segment && w.renumbered(send, receive) {
				continue
			}
			x, y := w.s.place(p.item), w.s.place(q.item)
			if x.host > y.host {
				x, y = y, x
			}
			u, known := w.units[[2]place{x, y}]
			if !known {
				if len(w.all) == mostUnits {
					continue
				}
				u = int32(len(w.all))
				w.units[[2]place{x, y}] = u
				w.all = append(w.all, unit{x: x, y: y})
			}
			w.list = append(w.list, candidate{p.item, q.item, group, u})
		}
	}
	slices.SortFunc(w.list[from:], func(p, q candidate) int {
		return cmp.Or(cmp.Compare(p.unit, q.unit), cmp.Compare(p.send, q.send), cmp.Compare(p.receive, q.receive))
	})
}

// renumbered reports whether two segments differ by their IP ids alone, though these arrive as they
// were sent between their hosts: then one was sent again, and the other end of neither was recorded.
func (w *suppositions) renumbered(send, receive *leftover) bool {
	return send.key.stream() == receive.key.stream() && send.key.identity() != 0 && receive.key.identity() != 0 &&
		w.s.known.knows(send.host, receive.host)
}

// translated drops the candidates of streams that have candidates in more than one stream.
func (w *suppositions) translated() {
	partner := make(map[place]place)
	several := place{host: -1}
	meet := func(p, q place) {
		if known, ok := partner[p]; ok && known != q {
			q = several
		}
		partner[p] = q
	}
	ends := func(c candidate) (p, q place) {
		send, receive := &w.s.items[c.send], &w.s.items[c.receive]
		return place{send.host, streamOf(&send.key)}, place{receive.host, ^streamOf(&receive.key)}
	}
	for _, c := range w.list {
		if w.s.items[c.send].key.segment() {
			p, q := ends(c)
			meet(p, q)
			meet(q, p)
		}
	}
	w.list = slices.DeleteFunc(w.list, func(c candidate) bool {
		if !w.s.items[c.send].key.segment() {
			return false
		}
		p, q := ends(c)
		return partner[p] == several || partner[q] == several
	})
}

// point is a candidate in the geometry of its unit.
func (w *suppositions) point(c candidate) (hull.Side, hull.Point) {
	send, receive := &w.s.items[c.send], &w.s.items[c.receive]
	if send.host < receive.host {
		return hull.Upper, hull.Point{X: send.time, Y: receive.time}
	}
	return hull.Lower, hull.Point{X: receive.time, Y: send.time}
}

// judge finds the units to believe.
func (w *suppositions) judge() {
	for _, c := range w.list {
		w.all[c.unit].hull.Add(w.point(c))
	}
	good := make([]bool, len(w.all))
	fits := make(map[place]int) // how many good units a port is in
	meet := func(u *unit) {
		if u.x.port != 0 {
			fits[u.x]++
			fits[u.y]++
		}
	}
	for i := range w.all {
		if u := &w.all[i]; u.straight() {
			good[i] = true
			meet(u)
		}
	}
	curves := 0
	for i := range w.all {
		u := &w.all[i]
		if good[i] || fits[u.x] > 0 || fits[u.y] > 0 || !u.enough() || curves == mostCurves {
			continue
		}
		curves++
		good[i] = w.bent(int32(i))
	}
	clear(fits)
	for i := range w.all {
		if good[i] {
			meet(&w.all[i])
		}
	}
	for i := range w.all {
		u := &w.all[i]
		u.believed = good[i] && (u.x.port == 0 || fits[u.x] == 1 && fits[u.y] == 1)
	}
}

func (u *unit) enough() bool {
	up, low := u.hull.Messages(hull.Upper), u.hull.Messages(hull.Lower)
	return up > 0 && low > 0 && up+low >= leastMessages
}

// straight reports whether one line with the rate of a clock fits all messages of a unit.
func (u *unit) straight() bool {
	if !u.enough() || u.hull.Class() != hull.Accurate {
		return false
	}
	flattest, _ := u.hull.AlphaMin().Float64()
	steepest, _ := u.hull.AlphaMax().Float64()
	return flattest < 1+steep && steepest > 1-steep
}

// bent reports whether a pair of clocks that drift does.
func (w *suppositions) bent(u int32) bool {
	var series hull.Series
	for _, c := range w.list {
		if c.unit == u {
			series.Add(w.point(c))
		}
	}
	f := series.Fit()
	return f.OK && len(f.Cuts) == 0
}
