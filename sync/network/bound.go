package network

import (
	"math"
	"slices"

	"synchroscope/sync/clock"
	"synchroscope/sync/hull"
)

// A bounder tells how wrong a map along a path may be.
//
// The truth after one hop is in the band of its corridor. After two it is in
// the second band between the ends of the first: clocks rise, so the ends map
// to ends, and nothing is lost by adding.
//
// Between two instants at which the bands are known the truth is near the
// chord: a clock under a cap is above or below it by κh²/8 at most, and n
// clocks after each other by n times that and a little, since their rates
// differ from 1. The map is straight between its knots. So what bounds both
// ends, and that much more, bounds all between them. Where a clock along the
// path made a step, the bands say where it can be meanwhile, and no more is used.
//
// A clock that ticks shows the time of its last tick. So when it shows a time it may be up to a tick later, by a clock that is
// like it and does not tick, which is what corridors are of; and the clock at the other end may show a time that is a tick ago.
//
// Where both ends exchanged messages, too, and their link is not on the path, the truth is in its band as well: what is in both bands is left.
// Bands that have an instant at which nothing is in both contradict each other, and the path's alone holds then.
type bounder struct {
	m      *clock.Map
	path   []hop          // from the host to the reference
	beside *hull.Corridor // of the link between both ends, nil where it is the path, or bounds nothing
	tick   [2]int64       // ns, of the clocks at both ends
	other  [2]int64       // begin and end of what the host at the other end recorded, by this one's clock
}

// bounder is that of a map along a path from one host to another.
func (s *Solution) bounder(m *clock.Map, path []hop, from, to int32) bounder {
	h := &s.Hosts[to]
	return bounder{m: m, path: path, tick: [2]int64{s.Hosts[from].Tick, h.Tick}, other: [2]int64{m.Local(h.Begin), m.Local(h.End)}}
}

// besides is the same by the link between both ends as well, as the first has it, which is beside the path. By the messages of a window it is not
// asked: of where others show that a clock was set, stated knows for the path alone.
func (b bounder) besides(h hop, linked bool) bounder {
	if linked && len(b.path) > 1 {
		b.beside = h.corridor
	}
	return b
}

// An instant is the truth at one: from lo to hi at each host of the path.
type instant struct {
	at    int64
	error int64
	torn  bool       // nothing is in both bands
	stops [][2]int64 // of local time on the way, the host's own first
}

// stops is room for those of an instant.
func (b bounder) stops() [][2]int64 { return make([][2]int64, 0, len(b.path)) }

// at returns the bound at a local time, with its stops over what there is in stops; ok is false where none is known.
func (b bounder) at(local int64, stops [][2]int64) (n instant, ok bool) {
	lo, hi := local, hull.After(local, b.tick[0])
	n = instant{at: local, stops: stops[:0]}
	for _, h := range b.path {
		if h.corridor == nil {
			return n, false
		}
		n.stops = append(n.stops, [2]int64{lo, hi})
		if lo, hi, ok = h.corridor.Range(lo, hi); !ok {
			return n, false
		}
	}
	if b.beside != nil {
		if low, high, ok := b.beside.Range(local, hull.After(local, b.tick[0])); ok {
			if n.torn = low > hi || high < lo; !n.torn {
				lo, hi = max(lo, low), min(hi, high)
			}
		}
	}
	y := b.m.Reference(local)
	n.error = max(behind(hi, y), behind(hull.After(y, b.tick[1]), lo))
	return n, true
}

// within is the slack where a clock along the path made a step, or may have: the truth is anywhere that it can be between the two instants, also before it was at the
// first and after it was at the second if the clock was set back.
func (b bounder) within(n, o instant) int64 {
	lo, hi, ok := n.stops[0][0], o.stops[0][1], true
	for _, h := range b.path {
		if lo, hi, ok = h.corridor.Range(lo, hi); !ok {
			return math.MaxInt64 / 4
		}
	}
	most := max(behind(hi, b.m.Reference(n.at)), behind(hull.After(b.m.Reference(o.at), b.tick[1]), lo))
	return max(0, most-min(n.error, o.error))
}

// behind is by how many ns a time is after another, 0 if it is not; at most so much that a little may be added.
func behind(time, other int64) int64 {
	if time <= other {
		return 0
	}
	return int64(min(uint64(time)-uint64(other), math.MaxInt64/4))
}

// slack is what is to be added to the bounds of two instants between them.
func (b bounder) slack(n, o instant) int64 {
	var sag int64
	if b.beside != nil {
		for _, e := range b.beside.Edges() {
			if e > n.at && e < o.at || b.tick[0] > 0 && e >= n.at && e <= hull.After(o.at, b.tick[0]) {
				return b.within(n, o)
			}
		}
	}
	for i, h := range b.path {
		for _, e := range h.corridor.Edges() {
			// The first host's own edges are instants, with what holds on both sides; but a tick reaches over the next ones.
			ahead := i == 0 && b.tick[0] > 0 && e > n.stops[0][1] && e <= o.stops[0][1]
			if ahead || i > 0 && e >= n.stops[i][0] && e <= o.stops[i][1] {
				return b.within(n, o)
			}
		}
		sag += h.corridor.Cap().Sag(uint64(o.at) - uint64(n.at))
	}
	if len(b.path) > 1 {
		sag += sag/8 + 1
	}
	return sag
}

const (
	depth = 11 // intervals are halved so many times at most
	near  = 7  // and so many times for the shape of the bound
)

// bounds returns entries for clock.Map from begin to end: more of them where
// the bound changes fast, until neighbours differ by an eighth or so, and
// until little is to be added for what may be between them.
func (b bounder) bounds(begin, end int64) [][2]int64 {
	if len(b.path) == 0 {
		return exact(begin, end)
	}
	entries, torn := b.entries(begin, end)
	if torn {
		b.beside = nil
		entries, _ = b.entries(begin, end)
	}
	return entries
}

// entries are those of bounds; torn tells that the bands contradict each other.
func (b bounder) entries(begin, end int64) (entries [][2]int64, torn bool) {
	at := b.places(begin, end)
	last, ok := b.at(at[0], b.stops())
	if !ok {
		return nil, false
	}
	torn = last.torn
	entries = [][2]int64{{last.at, last.error + 1}} // 1: the map rounds
	join := func(n, o instant) {
		slack := b.slack(n, o)
		e := &entries[len(entries)-1]
		e[1] = max(e[1], n.error+1+slack)
		entries = append(entries, [2]int64{o.at, o.error + 1 + slack})
	}
	var split func(n, o instant, left int)
	split = func(n, o instant, left int) {
		middle, ok := b.at(n.at+int64((uint64(o.at)-uint64(n.at))/2), b.stops())
		torn = torn || middle.torn
		least := min(n.error, middle.error, o.error)
		rough := max(n.error, o.error)-least > 100+least/8 && left > depth-near
		if left > 0 && ok && middle.at > n.at && (rough || b.slack(n, o) > 100+least/16) {
			split(n, middle, left-1)
			split(middle, o, left-1)
			return
		}
		join(n, o)
	}
	for _, x := range at[1:] {
		n, ok := b.at(x, b.stops())
		if !ok {
			return nil, false
		}
		torn = torn || n.torn
		split(last, n, depth)
		last = n
	}
	return entries, torn
}

// places are the ends, and between them the knots of the map, the steps of the first clock, those of the link beside the path, too, and where both hosts begin and end to be recorded: so the
// stretch in which both were has entries at the same instants whichever of the two is the first.
func (b bounder) places(begin, end int64) []int64 {
	at := []int64{begin, end}
	add := func(x int64) {
		if x > begin && x < end {
			at = append(at, x)
		}
	}
	add(b.other[0])
	add(b.other[1])
	for _, k := range b.m.Knots() {
		add(k.Local)
	}
	for _, c := range []*hull.Corridor{b.path[0].corridor, b.beside} {
		if c == nil {
			continue
		}
		for _, e := range c.Edges() {
			add(e)
		}
	}
	slices.Sort(at)
	return slices.Compact(at)
}

// exact is the bound of the reference host.
func exact(begin, end int64) [][2]int64 {
	if begin == end {
		return [][2]int64{{begin, 0}}
	}
	return [][2]int64{{begin, 0}, {end, 0}}
}

// cap is that of the path: all links of a component have the same. ok is
// false where nothing is assumed: at the reference.
func (b bounder) cap() (c hull.Cap, ok bool) {
	if len(b.path) == 0 {
		return 0, false
	}
	return b.path[0].corridor.Cap(), true
}

// summary samples the bound at equal distances and beside the steps of the first clock: the
// least, the median of the equal distances and the worst, -1 where it is not known throughout.
func (b bounder) summary(begin, end int64) (least, median, worst int64) {
	const samples = 128
	errors, stops := make([]int64, 0, samples+1), b.stops()
	step := (uint64(end) - uint64(begin)) / samples
	for i := range uint64(samples + 1) {
		x := end
		if i < samples {
			x = int64(uint64(begin) + i*step)
		}
		n, ok := b.at(x, stops)
		if !ok {
			return -1, -1, -1
		}
		errors = append(errors, n.error)
	}
	slices.Sort(errors)
	least, median, worst = errors[0], errors[samples/2], errors[samples]
	if c := b.path[0].corridor; c != nil {
		for _, e := range c.Edges() {
			if e < begin || e > end {
				continue
			}
			n, ok := b.at(e, stops)
			if !ok {
				return -1, -1, -1
			}
			least, worst = min(least, n.error), max(worst, n.error)
		}
	}
	return least, median, worst
}

// beyond is the mean of the bound over the parts of the time from begin to end that are not between from and to,
// which are between begin and end: at most unbounded, -1 where it is not known. length is that of these parts.
func (b bounder) beyond(begin, from, to, end int64) (mean int64, length uint64) {
	const samples = 32 // of both together, and one for each
	before, after := uint64(from)-uint64(begin), uint64(end)-uint64(to)
	length = before + after
	stops := b.stops()
	var sum, count int64
	for _, part := range [2]struct {
		begin  int64
		length uint64
	}{{begin, before}, {to, after}} {
		if part.length == 0 {
			continue
		}
		n := 1 + part.length/(length/samples+1)
		for i := range n {
			at, ok := b.at(int64(uint64(part.begin)+part.length/n*i+part.length/n/2), stops)
			if !ok {
				return -1, length
			}
			sum += min(at.error, unbounded)
			count++
		}
	}
	return sum / max(count, 1), length
}
