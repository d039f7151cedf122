package network

import (
	"math"
	"slices"
)

// Where a clock's rate was set and messages are few, a path in the middle of what is allowed swings, and so do those of all hosts whose way leads over
// it; shifts between fixed instants do not put that right. So the clocks of a component are then sought all at once: each begins as
// a straight line, and a piece is divided only where messages are received before they are sent although all clocks
// have been moved as well as they can be. Of the two hosts of such a message it is the one that most of what is missing can be put
// down to, which is the clock that was set.
//
// No clock is held still meanwhile, not even the reference's: were it that one that was set, all others would have to bend as it did. What all
// are to the reference is said in the end, see drawn.

const (
	distance   = 8         // ns of delay that a message is to have: what is drawn of a clock is rounded up to four times at each end
	aim        = 16        // ns that one is given that has less
	little     = 100       // ns: if no message misses more, moving further may do it, and no piece is divided
	nudges     = 4         // how often that is tried before one is
	nearly     = 10_000    // ns: if no message misses more, and dividing does not help, it may be what holds the hosts back that is in the way
	rounds     = 64        // of moving and dividing
	labour     = 256 << 20 // looks at messages, of all rounds
	leastOwn   = 0.5       // of what is missing of the worst piece, that must be missing of another that is divided too
	edge       = 8         // a division is no nearer to the ends of a piece than this part of it
	leastPiece = 1000      // ns: no piece is made shorter
	quickest   = 0.01      // by how much the rate of a piece may differ from that of a line, or from 1: what differs from both by more is no clock
)

// A track is by how much a host is moved: at some instants, by rising reference time, and straight between and beyond them.
type track struct {
	at []int64
	by []float64 // ns
}

// A stay is where in a track, or among the instants of a shift, a time is: after which instant, and how far towards the next, from 0 to 1.
type stay struct {
	piece int
	part  float64
}

func (t *track) place(at int64) stay {
	i, found := slices.BinarySearch(t.at, at)
	if !found {
		i--
	}
	i = min(max(i, 0), len(t.at)-2)
	length := float64(uint64(t.at[i+1]) - uint64(t.at[i]))
	if at < t.at[i] {
		return stay{i, -float64(uint64(t.at[i])-uint64(at)) / length}
	}
	return stay{i, float64(uint64(at)-uint64(t.at[i])) / length}
}

func (t *track) value(p stay) float64 {
	return float64(t.by[p.piece]*(1-p.part)) + float64(t.by[p.piece+1]*p.part)
}

// A straightest is the search for the straightest clocks of a component that all its messages allow.
type straightest struct {
	list   []statement
	more   []float64 // ns that a message is to have beyond aim
	ends   [][2]stay // of messages, where they were sent and received
	tracks []track   // by host; none of those without a message
	rates  []float64 // by host: of the line that it is moved from, which may be no clock's itself; 0 unknown
	free   []int     // the others
	looked int       // at messages
	worst  float64   // ns that the worst message missed, a round before
	nudged int       // rounds since a piece was divided
	system           // of the step that is made
}

func newStraightest(hosts int, list []statement) *straightest {
	w := &straightest{list: list, more: make([]float64, len(list)), ends: make([][2]stay, len(list)), tracks: make([]track, hosts), rates: make([]float64, hosts), worst: math.Inf(1), system: system{ease: 1}}
	begin, end := list[0].sent, list[0].sent
	for _, m := range list {
		begin, end = min(begin, m.sent, m.received), max(end, m.sent, m.received)
	}
	for _, m := range list {
		for _, h := range [2]int32{m.from, m.to} {
			w.tracks[h] = track{[]int64{begin, max(end, begin+1)}, []float64{0, 0}}
		}
	}
	for h := range w.tracks {
		if len(w.tracks[h].at) > 0 {
			w.free = append(w.free, h)
		}
	}
	return w
}

// solve reports whether it found clocks by which all messages are right.
func (w *straightest) solve() bool {
	for range rounds {
		w.locate()
		w.minimize()
		wrong, worst := w.wrong()
		if len(wrong) == 0 {
			w.straighten()
			return w.clocks()
		}
		if w.looked > labour {
			return false
		}
		if worst > w.worst/2 && worst < nearly {
			w.ease = max(w.ease/4, leastEase)
		}
		if w.worst = worst; worst < little && w.nudged < nudges {
			w.nudged++
			for _, k := range wrong {
				w.more[k] += 2 * (aim - w.delay(k))
			}
			continue
		}
		w.nudged = 0
		if !w.divide(wrong) {
			return false
		}
	}
	return false
}

// clocks reports whether all tracks are such that clocks may have.
func (w *straightest) clocks() bool {
	for i := range w.tracks {
		t := &w.tracks[i]
		for k := 1; k < len(t.at); k++ {
			turn := (t.by[k] - t.by[k-1]) / float64(uint64(t.at[k])-uint64(t.at[k-1]))
			if math.Abs(turn) > quickest && math.Abs(float64(w.rates[i]*(1+turn))-1) > quickest {
				return false
			}
		}
	}
	return true
}

// locate finds the places of all messages.
func (w *straightest) locate() {
	for k, m := range w.list {
		w.ends[k] = [2]stay{w.tracks[m.from].place(m.sent), w.tracks[m.to].place(m.received)}
	}
	w.looked += len(w.list)
}

// delay is what a message takes when its hosts are moved.
func (w *straightest) delay(k int) float64 {
	m, e := &w.list[k], &w.ends[k]
	return float64(m.received-m.sent) + w.tracks[m.to].value(e[1]) - w.tracks[m.from].value(e[0])
}

// wrong are the messages that take too little, and what the worst of them misses, ns.
func (w *straightest) wrong() (list []int, worst float64) {
	for k := range w.list {
		if d := w.delay(k); d <= distance {
			list = append(list, k)
			worst = max(worst, aim-d)
		}
	}
	w.looked += len(w.list)
	return list, worst
}
