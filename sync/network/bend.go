package network

import (
	"math"
	"slices"

	"synchroscope/sync/clock"
	"synchroscope/sync/hull"
)

// Crystals wander, and what the messages of hours say of two clocks is no straight line beside the
// line that fits all of them. A bend is the time of a component cut into pieces of equal length: by how much a host is
// ahead is a number at each instant where pieces meet, and straight between. One piece is enough
// unless the differences are explained far better by more.
type bend struct {
	begin int64   // reference ns, of the first instant
	gap   uint64  // between two
	count int     // of instants, at least 2
	stiff float64 // weight of a change of direction at an instant, per ns²
}

const (
	mostPieces = 8
	perInstant = 3 // differences that a tie must have for each instant that it touches, to speak for more than one piece
	reluctance = 3 // how many times better than by its Bayesian information criterion a bend must explain the differences
	leastGain  = 1 // in the criterion: a bend where no tie reaches explains nothing
)

// A vote is a difference and how far it may be off.
type vote struct {
	difference
	variance float64 // ns²
}

// bent chooses the number of pieces, by all ties.
func bent(list []tie, begin, end int64, most hull.Cap) (best bend) {
	least := math.Inf(1)
	for pieces := uint64(1); pieces <= mostPieces; pieces *= 2 {
		g := newBend(begin, end, pieces, most)
		var sum float64
		for i := range list {
			_, criterion := list[i].votes(g)
			sum += criterion
		}
		if sum < least-leastGain {
			best, least = g, sum
		}
	}
	return best
}

// newBend is one of so many pieces. Where no difference tells, a clock goes on straight, as one does under the cap.
func newBend(begin, end int64, pieces uint64, most hull.Cap) bend {
	span := min(uint64(end)-uint64(begin), 1<<63) // so that all pieces together are less than 2^64
	g := bend{begin: begin, gap: span/pieces + 1, count: int(pieces) + 1}
	seconds := float64(g.gap) / 1e9
	turn := float64(float64(most.PerSecond()*1e9*seconds) * seconds)
	g.stiff = 1 / float64(turn*turn)
	return g
}

// instant is the time of one.
func (g bend) instant(i int) int64 { return int64(uint64(g.begin) + uint64(i)*g.gap) }

// place returns the instant before a time, or the first or the last but one, and how far the time is towards the
// next: from 0 to 1, beyond outside.
func (g bend) place(at int64) (i int, part float64) {
	if at < g.begin {
		return 0, -float64(uint64(g.begin)-uint64(at)) / float64(g.gap)
	}
	d := uint64(at) - uint64(g.begin)
	i = int(min(d/g.gap, uint64(g.count-2)))
	return i, float64(d-uint64(i)*g.gap) / float64(g.gap)
}

// at is what a host is ahead by at a time, given that at all instants.
func (g bend) at(ahead []float64, at int64) float64 {
	i, part := g.place(at)
	return float64(ahead[i]*(1-part)) + float64(ahead[i+1]*part)
}

// votes are the differences of a tie, the variance of each by how far all are from what the bend makes of
// them alone. The criterion says how well that explains them, less being better; it is 0 of a tie that votes for nothing but to stay.
func (t *tie) votes(g bend) (votes []vote, criterion float64) {
	best := t.list[0].round
	for _, d := range t.list {
		best = min(best, d.round)
	}
	votes = make([]vote, len(t.list))
	weigh := func(noise float64) {
		for i, d := range t.list {
			// What the way there and back takes longer than at best, either direction may have taken longer.
			more := (d.round - best) / 2
			votes[i] = vote{d, noise + float64(more*more)}
		}
	}
	weigh(doubt * doubt)
	count, price := float64(len(votes)), reluctance*math.Log(float64(len(votes)))
	touched := g.touched(votes)
	sums := g.sums(votes)
	f, ok := g.factor([]sum{sums})
	if g.count > 2 && (len(votes) < perInstant*touched || !ok) {
		one := bend{begin: g.begin, gap: g.gap * uint64(g.count-1), count: 2}
		votes, criterion = t.votes(one)
		if !t.still {
			criterion += float64(price * float64(touched-2))
		}
		return votes, criterion
	}
	var squares float64
	if ok {
		f.solve(sums.right)
		for _, v := range votes {
			off := v.ns - g.at(sums.right, v.at)
			squares += float64(off * off)
		}
	}
	// A line has two instants, which every tie has, so that only more are taken off.
	weigh(squares/(count-float64(touched)+2) + doubt*doubt)
	if t.still {
		for i := range votes {
			votes[i].ns = 0
		}
		return votes, 0
	}
	return votes, float64(count*math.Log(squares/count+doubt*doubt)) + float64(price*float64(touched))
}

// straight reports whether the differences of a tie tell a line: they do not where they are all but at one instant of the time of g.
func (t *tie) straight(g bend) bool {
	votes, _ := t.votes(g)
	return g.straight(votes)
}

func (g bend) straight(votes []vote) bool {
	_, ok := g.factor([]sum{g.sums(votes)})
	return ok
}

// touched is how many instants the votes say something of.
func (g bend) touched(votes []vote) (n int) {
	by := make([]bool, g.count)
	for _, v := range votes {
		i, _ := g.place(v.at)
		by[i], by[i+1] = true, true
	}
	for _, b := range by {
		if b {
			n++
		}
	}
	return n
}

// flat is how little, in ns, what does not turn at an instant may do so by how it was computed.
const flat = 1e-3

// behind is a map whose references are earlier by what its host is ahead. It has a knot where that turns.
func (g bend) behind(m *clock.Map, ahead []float64) *clock.Map {
	if !slices.ContainsFunc(ahead, func(ns float64) bool { return ns != 0 }) {
		return m
	}
	var places []int64
	for _, k := range m.Knots() {
		places = append(places, k.Local)
	}
	for i := 1; i < g.count-1; i++ {
		if turn := ahead[i-1] - 2*ahead[i] + ahead[i+1]; math.Abs(turn) > flat {
			places = append(places, m.Local(g.instant(i)))
		}
	}
	slices.Sort(places)
	var knots []clock.Knot
	for _, x := range slices.Compact(places) {
		y := m.Reference(x)
		knots = append(knots, clock.Knot{Local: x, Reference: y - int64(math.Round(g.at(ahead, y)))})
	}
	moved, err := clock.New(knots, nil)
	if err != nil {
		return m
	}
	return moved
}
