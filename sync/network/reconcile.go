package network

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"sync/atomic"

	"synchroscope/sync/clock"
	"synchroscope/sync/hull"
)

// The tree decides the maps, and a link outside of it may disagree with the path around: each
// is in the middle of what its own messages allow. The truth satisfies all messages, so the maps
// are shifted until they do. Each message that is received before it is sent moves both its
// hosts by half of what is missing, again and again: a projection onto what the message allows,
// which holds the truth, so no projection leads away from it. First a host is
// moved as a whole; where that does not do, by time, between more and more instants.
//
// The bounds are computed for the maps that result. How far a clock is moved is chosen in
// floating point, and rounded; what holds afterwards is tested in integers as always.
const (
	sweeps = 400     // over all messages, at one number of instants
	looks  = 4 << 20 // at messages, at one number of instants, however many there are
	far    = 1.9     // times what is missing, less than twice: nearly a reflection
	enough = 3       // ns of delay that a message is to have: each end is 2 off at most when its map is drawn anew, see apply
	spare  = 6       // ns that one is given that has not, so that this ends
)

// instants are how many a shift is chosen at, over the time of a component.
var instants = [...]int{1, 9, 65, 513}

// coarsely are how many of these are tried before the straightest clocks are.
const coarsely = 2

// A statement is a message in reference time: the shift of its receiver there less that of
// its sender may not be below minus its delay.
type statement struct {
	from, to       int32
	sent, received int64
}

// reconcile shifts the maps of hosts until all messages between them that prove anything are
// received after they were sent. Where no shift that is found does that they stay as they are. Maps that were refined may
// violate messages of their own links too; if they cannot be put right, those of before, which are right by the tree, are tried, and stay.
// It goes over the components with certain references, and returns the links of those that are not right in the end, by these.
func (s *Solution) reconcile(n *Network, courses []course, before []*clock.Map, refined bool, how manner, in func(reference int32) bool) (left map[int32][]*link) {
	links := make(map[int32][]*link) // by reference
	left = make(map[int32][]*link)
	var asked []*link
	for i := range s.Links {
		k := &s.Links[i]
		r := s.Hosts[k.A].Reference
		if k.Class == hull.Fail || k.Excluded || s.Hosts[k.B].Reference != r || !in(r) {
			continue
		}
		l := n.links[[2]int32{k.A, k.B}]
		links[r] = append(links[r], l)
		if k.Pieces != 1 || !k.onWay(courses) || refined {
			asked = append(asked, l)
		}
	}
	wrong := make([]atomic.Bool, len(s.Hosts)) // by reference
	parallel(len(asked), func(i int) {
		if w := &wrong[s.Hosts[asked[i].a].Reference]; !w.Load() && s.violated(asked[i], courses) {
			w.Store(true)
		}
	})
	for r, list := range links {
		if !wrong[r].Load() || s.shift(r, list, courses, how) {
			continue
		}
		if refined {
			s.put(r, before)
			if !slices.ContainsFunc(list, func(l *link) bool { return s.violated(l, courses) }) || s.shift(r, list, courses, how) {
				continue
			}
		}
		left[r] = list
	}
	return left
}

// shift looks for a shift of a component's hosts that puts all messages of its links right, and reports whether it found one. Beside a step what a message proves
// depends on the maps, so there all are looked at once more, by those that result.
func (s *Solution) shift(reference int32, links []*link, courses []course, how manner) (found bool) {
	var all statements
	counts := instants[:coarsely]
	if how.fine {
		counts = instants[:]
	}
	old := s.maps()
	for _, count := range counts {
		var w *shift
		if count == 1 {
			w = s.wholly(reference, links, courses)
		} else {
			if all.count == 0 { // there may be very many, and mostly they are not needed
				all = s.packed(links, courses)
			}
			w = newShift(s, reference, all, count)
		}
		if w.settle() {
			w.straighten()
			if w.apply(s) && !slices.ContainsFunc(links, func(l *link) bool { return s.doubtful(l, courses) && s.violated(l, courses) }) {
				return true
			}
			s.put(reference, old)
		}
	}
	return false
}

// statements are those of some links, each once, in order.
func (s *Solution) statements(links []*link, courses []course) (all []statement) {
	for _, l := range links {
		s.eachStatement(l, courses, func(m statement) bool {
			all = append(all, m)
			return true
		})
	}
	slices.SortFunc(all, statement.compare)
	return slices.Compact(all)
}

// onWay reports whether the maps of the link's hosts differ by its own estimate, a line of which violates nothing.
func (k *Link) onWay(courses []course) bool { return courses[k.A].up == k.B || courses[k.B].up == k.A }

func (m statement) compare(o statement) int {
	return cmp.Or(cmp.Compare(m.from, o.from), cmp.Compare(m.to, o.to), cmp.Compare(m.sent, o.sent), cmp.Compare(m.received, o.received))
}

// violated reports whether a message of a link is received before it is sent.
func (s *Solution) violated(l *link, courses []course) (found bool) {
	s.eachStatement(l, courses, func(m statement) bool {
		found = m.received-m.sent < -1
		return !found
	})
	return found
}

// eachStatement yields the messages of a link that are remembered of it and prove something, by
// the present maps, until yield returns false. Some come twice.
func (s *Solution) eachStatement(l *link, courses []course, yield func(statement) bool) {
	x := l.x()
	y := l.a + l.b - x
	w := s.sides(l, courses)
	e := l.estimate()
	for _, side := range []hull.Side{hull.Upper, hull.Lower} {
		on := func(p hull.Point) bool {
			atX, atY := w.at(p)
			if !w.proves(p, atX, atY) {
				return true
			}
			if side == hull.Lower {
				return yield(statement{y, x, atY, atX})
			}
			return yield(statement{x, y, atX, atY})
		}
		for _, p := range l.points(side) {
			if !on(p) {
				return
			}
		}
		for p := range e.sample[side].messages.all() {
			if !on(p) {
				return
			}
		}
	}
}

// A shift is by how much the hosts of a component are moved, at instants that are equally far
// apart, in ns, and straight between them.
type shift struct {
	reference int32
	begin     int64       // of the instants, reference time
	gap       uint64      // between them
	by        [][]float64 // by host
	turns     [][]int     // by host: the instants between which it is straight
	list      statements
	looked    int // how many times at a message
}

func newShift(s *Solution, reference int32, list statements, count int) *shift {
	w := &shift{reference: reference, by: make([][]float64, len(s.Hosts)), turns: make([][]int, len(s.Hosts)), list: list}
	every := make([]int, count)
	for i := range every {
		every[i] = i
	}
	for i := range w.by {
		w.by[i], w.turns[i] = make([]float64, count), every
	}
	var over period
	for _, m := range list.all() {
		over.add(m)
	}
	w.divide(&over)
	return w
}

// wholly is the shift of hosts as wholes: of the messages from one host to another that with the least delay decides, and only those are kept.
func (s *Solution) wholly(reference int32, links []*link, courses []course) *shift {
	var over period
	least := make(map[[2]int32]statement)
	for _, l := range links {
		s.eachStatement(l, courses, func(m statement) bool {
			over.add(m)
			way := [2]int32{m.from, m.to}
			if o, ok := least[way]; !ok || cmp.Or(cmp.Compare(m.received-m.sent, o.received-o.sent), m.compare(o)) < 0 {
				least[way] = m
			}
			return true
		})
	}
	w := newShift(s, reference, inWays(slices.SortedFunc(maps.Values(least), statement.compare)), 1)
	w.divide(&over)
	return w
}

// A period is from the first to the last time of messages.
type period struct {
	begin, end int64
	any        bool
}

func (o *period) add(m statement) {
	if !o.any {
		*o = period{m.sent, m.sent, true}
	}
	o.begin, o.end = min(o.begin, m.sent, m.received), max(o.end, m.sent, m.received)
}

// divide has the instants lie over a period.
func (w *shift) divide(over *period) {
	w.begin, w.gap = over.begin, (uint64(over.end)-uint64(over.begin))/uint64(max(len(w.by[0])-1, 1))+1
}

// instant is the time of one; of the last, the end of time if it would be beyond.
func (w *shift) instant(i int) int64 {
	room := uint64(math.MaxInt64) - uint64(w.begin)
	if i > 0 && w.gap > room/uint64(i) {
		return math.MaxInt64
	}
	return int64(uint64(w.begin) + uint64(i)*w.gap)
}

// place returns after which instant a time is, and how far towards the next, from 0 to 1.
func (w *shift) place(at int64) stay {
	if len(w.by[0]) == 1 {
		return stay{0, 0}
	}
	d := uint64(at) - uint64(w.begin)
	return stay{int(d / w.gap), float64(d%w.gap) / float64(w.gap)}
}

// at is by how much a host is moved at a place.
func (w *shift) at(host int32, p stay) float64 {
	by := w.by[host]
	i, part := p.piece, p.part
	if i+1 >= len(by) {
		return by[len(by)-1]
	}
	return float64(by[i]*(1-part)) + float64(by[i+1]*part)
}

// move changes the shift of a host such that at a place it changes by the amount.
func (w *shift) move(host int32, p stay, amount float64) {
	by := w.by[host]
	i, part := p.piece, p.part
	if i+1 >= len(by) {
		by[len(by)-1] += amount
		return
	}
	norm := float64((1-part)*(1-part)) + float64(part*part)
	by[i] += float64(amount*(1-part)) / norm
	by[i+1] += float64(amount*part) / norm
}

// settle moves the hosts until all messages are right, and reports whether they are. Most are right all along: those
// that were not are gone over until they are, before all are looked at once more. If half of the sweeps, counted by
// messages, do not do, the others move hosts further than is missing, which leaves narrow corners sooner. It leads to
// the truth just as well, but not to the nearest place that is right.
func (w *shift) settle() bool {
	var wrong []pushed
	known := make([]bool, w.list.count)
	whole := min(sweeps*w.list.count, looks)
	for left := whole; left > 0; left = whole - w.looked {
		times, until := 1.0, whole/2
		if left <= until {
			times, until = far, 0
		}
		right := true
		for i, m := range w.list.all() {
			p := w.pushed(m)
			if w.push(&p, times) {
				continue
			}
			right = false
			if !known[i] {
				known[i] = true
				wrong = append(wrong, p)
			}
		}
		if right {
			return true
		}
		for again := true; again && whole-w.looked > until; {
			again = false
			for i := range wrong {
				again = !w.push(&wrong[i], times) || again
			}
		}
	}
	return false
}

// A pushed statement has where its message was sent and received: settle asks some of them some hundred times.
type pushed struct {
	statement
	ends [2]stay
}

func (w *shift) pushed(m statement) pushed {
	return pushed{m, [2]stay{w.place(m.sent), w.place(m.received)}}
}

// delay is what a message takes when its hosts are moved.
func (w *shift) delay(m *pushed) float64 {
	return float64(m.received-m.sent) + w.at(m.to, m.ends[1]) - w.at(m.from, m.ends[0])
}

// push reports whether a message is right, and moves both its hosts by half of so many times what it is missing if it is not.
func (w *shift) push(m *pushed, times float64) (right bool) {
	w.looked++
	delay := w.delay(m)
	if delay > enough {
		return true
	}
	sent, received := m.ends[0], m.ends[1]
	missing := times * (spare - delay)
	switch w.reference {
	case m.from:
		w.move(m.to, received, missing)
	case m.to:
		w.move(m.from, sent, -missing)
	default:
		w.move(m.to, received, missing/2)
		w.move(m.from, sent, -missing/2)
	}
	return false
}

// apply gives the hosts that are moved new maps, and reports whether it could. It cannot if the clock of one would run backwards then, as it
// may where messages are so late that hosts are moved by more than lies between two instants; all stay as they are then. A time by the new one
// is within 2 ns of the time by the old one and the shift there: both are rounded, and so are the knots, as they were and in their
// shift, each by half a ns at most. It has a knot where the shift turns, as it does at the first and the last instant unless it
// stays what it is there.
func (w *shift) apply(s *Solution) bool {
	moved := make([]*clock.Map, len(w.by))
	for i, by := range w.by {
		if !w.moves(i) {
			continue
		}
		m := s.Hosts[i].Map
		turns := w.turns[i]
		places := make([]int64, 0, len(m.Knots())+len(turns))
		for _, k := range m.Knots() {
			places = append(places, k.Local)
		}
		slope := 0.0 // before the first and after the last
		for k, at := range turns {
			before := slope
			slope = 0
			if k+1 < len(turns) {
				slope = (by[turns[k+1]] - by[at]) / float64(turns[k+1]-at)
			}
			if slope != before {
				places = append(places, m.Local(w.instant(at)))
			}
		}
		slices.Sort(places)
		knots := make([]clock.Knot, 0, len(places))
		for _, x := range slices.Compact(places) {
			y := m.Reference(x)
			inside := min(max(y, w.begin), w.instant(len(by)-1))
			knots = append(knots, clock.Knot{Local: x, Reference: y + int64(math.Round(w.at(int32(i), w.place(inside))))})
		}
		var err error
		if moved[i], err = clock.New(knots, nil); err != nil {
			return false
		}
	}
	for i, m := range moved {
		if m != nil {
			s.Hosts[i].Map = m
		}
	}
	return true
}
