package network

import (
	"cmp"
	"math"
	"slices"

	"synchroscope/sync/clock"
	"synchroscope/sync/hull"
)

// The shortest of sixty delays are a hundredth of what is known. Once maps are right to a µs by them the delays of all times can be laid
// upon each other, and then all messages tell: how those of a stretch of time lie to all others of their length and direction
// says how the clocks went, whatever the two directions have in common, and how both directions lie to each other says
// by how much clocks are apart (see overlap). Of the first more is known, and it is asked of every length that there is, also where the two
// directions have none in common.

const (
	late       = 8     // times what the median is later than the shortest: nothing later is looked at
	blunt      = 0.3   // bandwidth of a direction's density, in parts of what the shortest and the median delay differ by, of one message
	blunting   = 0.2   // the power of the number of messages by which it is less
	bulk       = 0.9   // of a direction's delays of which the density is known
	elsewhere  = 0.02  // of messages that come at any time, for what densities do not know
	reaching   = 8     // bandwidths by which a stretch may be off, of the narrowest
	widest     = 8     // times the narrowest bandwidth, that of any other
	steady     = 100.0 // ns², of a stretch, however many messages it has
	about      = 0.25  // parts of the shortest, by which lengths that few messages have are about equal
	unequal    = 0.02  // parts, by which their mean may differ from one direction to the other
	partOfBand = 0.25  // of how uncertain a link is, that the middle may be off where lengths cannot be compared
)

// What a tie has said: votes on by how much b's map is ahead of a's, and by how much all of them may be off together.
type said struct {
	a, b   int32
	votes  []vote
	common float64 // ns², a variance
	sparse bool    // it has too few messages to say how clocks went
	round  float64 // ns, the shortest way there and back
}

// sharpen moves the maps by what all messages say, from where base has them, and reports whether any link says something. What the shortest
// delays of links have said, by host, counts once more.
func (s *Solution) sharpen(n *Network, courses []course, base []*clock.Map, shortest map[[2]int32]said, in func(reference int32) bool) bool {
	found := make([]said, len(s.Links))
	parallel(len(s.Links), func(i int) {
		k := &s.Links[i]
		if r := s.Hosts[k.A].Reference; k.Class == hull.Accurate && !k.Excluded && s.Hosts[k.B].Reference == r && in(r) {
			found[i] = s.hear(n.links[[2]int32{k.A, k.B}], k, courses)
			found[i].from(s, base)
		}
	})
	heard := make(map[int32][]said) // by reference
	for _, t := range found {
		if len(t.votes) > 0 {
			r := s.Hosts[t.a].Reference
			heard[r] = append(heard[r], t)
		}
	}
	for r, list := range heard {
		begin, end := s.span(r)
		line := newBend(begin, end, 1, n.caps[r])
		weighSparse(list)
		list = slices.DeleteFunc(list, func(t said) bool { return !t.sparse && !line.straight(t.votes) })
		list, _ := related(r, list)
		g := stiffest(list, begin, end, n.caps[r])
		list, tied := related(r, g.placed(r, list))
		if len(list) == 0 {
			continue // the shortest delays have said what there is to say
		}
		for _, t := range list {
			if short := shortest[[2]int32{t.a, t.b}]; len(short.votes) > 0 {
				list = append(list, short.again())
			}
		}
		ahead, own := g.balance(r, list, len(s.Hosts))
		parallel(len(ahead), func(i int) {
			if f := own[i]; f[0] != nil {
				ahead[i] = f.fewest(ahead[i])
			}
		})
		s.leave(r, g, ahead, tied, courses, base)
	}
	return len(heard) > 0
}

// again is how the clocks went by what the shortest delays have said. How far they are apart is told better by all. Where
// there are few messages the shortest, which hardly scatter, are as good a witness of the course as densities are; but they are among all, so that both
// say the same in part, and they count half.
func (t said) again() said {
	votes := slices.Clone(t.votes)
	for i := range votes {
		votes[i].variance *= 2
	}
	return said{a: t.a, b: t.b, votes: votes, common: math.Inf(1)}
}

// from counts votes from where base has the maps, which were moved since.
func (t *said) from(s *Solution, base []*clock.Map) {
	for i := range t.votes {
		v := &t.votes[i]
		v.ns += moved(s.Hosts[t.b].Map, base[t.b], v.at) - moved(s.Hosts[t.a].Map, base[t.a], v.at)
	}
}

// moved is by how much a map is earlier than it was, at a time by the map. Where that goes through a step in a ns it is so at the end of
// it that is next: the one map's is not to be compared with the other's.
func moved(now, before *clock.Map, at int64) float64 {
	x := now.Local(at)
	if end := now.Reference(x); max(end-at, at-end) > 1 {
		at = end
	}
	return float64(before.Reference(x) - at)
}

// A kind is the messages of one length of a link, or of about one, by side, and which sides of it count.
type kind struct {
	bytes  uint32 // the least; 0 unknown
	side   pool
	use    [2]bool
	delays [2][]float64 // of the sides that count, sorted
	equal  bool         // enough in both directions
}

// kinds divides messages by length; those count whose length enough have in both directions, or where there is none such, that
// enough have in one. Of lengths that few have in either direction, those are together that are about equal.
func kinds(ways pool) (list []kind, equal bool) {
	for side, way := range ways {
		// By time and delay as well, for sums of their parts are by a hair others in another order, and messages come in any.
		slices.SortFunc(way, func(a, b lag) int {
			switch {
			case a.bytes != b.bytes:
				return cmp.Compare(a.bytes, b.bytes)
			case a.at != b.at:
				return cmp.Compare(a.at, b.at)
			}
			return cmp.Compare(a.ns, b.ns)
		})
		ways[side] = way
	}
	var rest pool
	for len(ways[0])+len(ways[1]) > 0 {
		k := ways.cut(0)
		if k.use[0] || k.use[1] {
			list = append(list, k)
			continue
		}
		for side, way := range k.side {
			rest[side] = append(rest[side], way...)
		}
	}
	for len(rest[0])+len(rest[1]) > 0 {
		list = append(list, rest.cut(about))
	}
	for i := range list {
		k := &list[i]
		a, b := meanLength(k.side[0]), meanLength(k.side[1])
		k.equal = k.use[0] && k.use[1] && math.Abs(a-b) <= float64(unequal*a)
		equal = equal || k.equal
	}
	for i := range list {
		k := &list[i]
		for side := range k.side {
			if k.use[side] = k.use[side] && k.equal == equal; k.use[side] {
				k.side[side], k.delays[side] = inTime(k.side[side])
			}
		}
	}
	return list, equal
}

// cut takes the messages of the least length off a pool that is sorted by it, and those that are longer by no more than so many parts of it.
func (p *pool) cut(longer float64) (k kind) {
	least := uint32(math.MaxUint32)
	for _, way := range p {
		if len(way) > 0 {
			least = min(least, way[0].bytes)
		}
	}
	most := float64(least) + float64(longer*float64(least))
	for side, way := range p {
		n := 0
		for n < len(way) && float64(way[n].bytes) <= most {
			n++
		}
		k.side[side], p[side] = way[:n:n], way[n:]
		k.use[side] = n >= inPool
	}
	k.bytes = least
	return k
}

func meanLength(way []lag) (bytes float64) {
	for _, m := range way {
		bytes += float64(m.bytes) / float64(len(way))
	}
	return bytes
}

// inTime returns the messages that are not late, in which case it is of no matter how late they are nor how many, and their delays sorted.
func inTime(way []lag) (kept []lag, delays []float64) {
	delays = make([]float64, len(way))
	for i, m := range way {
		delays[i] = m.ns
	}
	slices.Sort(delays)
	limit := delays[0] + float64(late*(delays[(len(delays)-1)/2]-delays[0])) + leastWide
	n, _ := slices.BinarySearch(delays, limit)
	return slices.DeleteFunc(way, func(m lag) bool { return m.ns >= limit }), delays[:n]
}

// hear asks a link by how much b's map is ahead of a's, by the present maps.
func (s *Solution) hear(l *link, k *Link, courses []course) said {
	x := l.x()
	t := said{a: x, b: l.a + l.b - x}
	ticks := s.Hosts[t.a].Tick > 0 || s.Hosts[t.b].Tick > 0
	ways := s.lags(l, courses)
	t.round = ways.round()
	if min(len(ways[0]), len(ways[1])) < inPool {
		if ticks {
			return said{}
		}
		return sparse(t, ways, k)
	}
	list, equal := kinds(ways)
	var use pool
	for side := range use {
		use[side] = make([]lag, 0, len(ways[side]))
	}
	for _, d := range list {
		for side, way := range d.side {
			if d.use[side] {
				use[side] = append(use[side], way...)
			}
		}
	}
	d, ok := divide(use)
	if !ok {
		return said{}
	}
	if ticks {
		// Delays are by ticks, which no density is to be made of: what the shortest say stays.
		for i := range d.count {
			t.votes = append(t.votes, vote{difference{at: d.middle(i)}, steady})
		}
		return t
	}
	t.votes = d.course(list)
	if len(t.votes) < leastOf {
		return said{}
	}
	untold := list[0].bytes == 0
	if !equal && !untold {
		if w, ok := wiredBy(list); ok {
			if apart, variance, ok := w.apart(list); ok {
				return t.ahead(apart, variance)
			}
		}
	}
	if !equal || untold && !alike(use) {
		part := float64(partOfBand * float64(k.ErrorMedian))
		t.common = float64(part * part)
		return t
	}
	var pairs [][2][]float64
	for _, d := range list {
		if d.equal {
			pairs = append(pairs, d.delays)
		}
	}
	return t.ahead(offset(pairs))
}

// ahead says that b's map is ahead by so much all the time.
func (t said) ahead(ns, variance float64) said {
	for i := range t.votes {
		t.votes[i].ns += ns
	}
	t.common = variance
	return t
}

// course is how the clocks went: for each stretch with enough messages in both directions by how much b's is ahead of what it is in the
// others.
func (d division) course(list []kind) (votes []vote) {
	narrow := math.Inf(1)
	each(list, func(_ []lag, _ int, delays []float64) { narrow = min(narrow, bandwidth(delays)) })
	width := narrow / perKernel
	reach := reaching * perKernel
	likely := make([]chance, d.count)
	for i := range likely {
		likely[i] = chance{-float64(reach) * width, width, make([]float64, 2*reach+1)}
	}
	count := make([][2]int, d.count)
	var flat []float64
	each(list, func(way []lag, side int, delays []float64) {
		wide := min(bandwidth(delays), widest*narrow)
		far := float64(reach)*width + 4*wide
		all := newBins(delays[0]-far, quantile(delays, bulk)+far, width)
		k := kernel(wide / width)
		size := len(all.count)
		flat = slices.Grow(flat[:0], (d.count+2)*size)[:(d.count+2)*size]
		clear(flat)
		whole, rest := flat[d.count*size:(d.count+1)*size], flat[(d.count+1)*size:]
		own := make([]bins, d.count)
		for i := range own {
			own[i] = bins{all.low, all.width, flat[i*size : (i+1)*size]}
		}
		for _, m := range way {
			all.add(m.ns, 1)
			if i, ok := d.stretch(m.at); ok {
				own[i].add(m.ns, 1)
				count[i][side]++
			}
		}
		n := float64(len(way))
		floor := float64(elsewhere*n*width) / (quantile(delays, bulk) - delays[0] + wide)
		smooth(all.count, k, whole)
		for i := range own {
			smooth(own[i].count, k, rest)
			var mine float64
			for _, c := range own[i].count {
				mine += c
			}
			for b := range rest {
				rest[b] = math.Log(float64(max(whole[b]-rest[b], 0)*n/max(n-mine, 1)) + floor)
			}
			compare(own[i].count, rest, side, likely[i].log)
		}
	})
	for i, c := range likely {
		if min(count[i][0], count[i][1]) < inStretch {
			continue
		}
		ns, variance := c.expect()
		votes = append(votes, vote{difference{at: d.middle(i), ns: ns}, variance + steady})
	}
	scatter(votes)
	return votes
}

// scatter raises the variances of votes where neighbours are farther apart than they say: a stretch in which a clock's rate is set, or
// loads change, is not what densities take it for.
func scatter(votes []vote) {
	var sum, n float64
	for i := 2; i < len(votes); i++ {
		p, q, r := votes[i-2], votes[i-1], votes[i]
		part := float64(q.at-p.at) / float64(r.at-p.at)
		off := q.ns - float64(p.ns*(1-part)) - float64(r.ns*part)
		sum += off * off / (q.variance + float64(p.variance*(1-part)*(1-part)) + float64(r.variance*part*part))
		n++
	}
	if more := sum / max(n, 1); more > 1 {
		for i := range votes {
			votes[i].variance *= more
		}
	}
}

// compare adds to the logarithms of shifts how likely counts are, each bin being as likely as its logarithm says. The shift in the middle is
// none; delays there (side 0) are longer by it, those back are shorter.
func compare(count, log []float64, side int, to []float64) {
	reach, last := len(to)/2, len(log)-1
	for b, n := range count {
		if n == 0 {
			continue
		}
		// Of the shifts some lead before the first bin, some to bins, and some behind the last; those there the other way round.
		before := max(reach-b, 0)
		behind := max(b+reach-last, 0)
		first, end := float64(n*log[0]), float64(n*log[last])
		inside := log[b-reach+before : b-reach+len(to)-behind]
		if side == 1 {
			for i := range to[:before] {
				to[i] += first
			}
			part := to[before : before+len(inside)]
			for i, l := range inside {
				part[i] += float64(n * l)
			}
			for i := range to[len(to)-behind:] {
				to[len(to)-behind+i] += end
			}
			continue
		}
		for i := range to[:behind] {
			to[i] += end
		}
		part := to[behind : behind+len(inside)]
		for i := range part {
			part[i] += float64(n * inside[len(inside)-1-i])
		}
		for i := range to[len(to)-before:] {
			to[len(to)-before+i] += first
		}
	}
}

// each calls f for every direction of every length that counts.
func each(list []kind, f func(way []lag, side int, delays []float64)) {
	for _, k := range list {
		for side, way := range k.side {
			if k.use[side] {
				f(way, side, k.delays[side])
			}
		}
	}
}

// bandwidth is how wide the kernel of a direction's density is.
func bandwidth(delays []float64) float64 {
	return max(float64(blunt*(quantile(delays, 0.5)-delays[0]))*math.Pow(float64(len(delays)), -blunting), leastWide)
}
