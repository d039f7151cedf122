package match

import "math"

const (
	// longestWay is how long a packet may be on its way, in ns: as long as TCP waits for what is left of a connection.
	longestWay = 60_000_000_000
	// mostWindows is how many windows a relation has.
	mostWindows = 64
	// firstWidth is their width at first, log2 of ns.
	firstWidth = 30
	// stale is how old a time can be that a clock shows which ticks, in ns: what it says of another is off by as much.
	stale = 100_000_000
)

// A relation is what messages say, roughly, of how far a clock y is ahead of a clock x, by the time of x: enough to tell
// a packet from another with the same key that was sent minutes later, and no more. Windows of
// time are 2^width ns wide, aligned, and as few as they can be, so it is a function of the set of messages.
type relation struct {
	width   uint
	first   int64 // number of the first window: its begin >> width
	windows []offsets
	useful  bool // a window has messages of both directions
}

// offsets are what the messages in a window say: y is ahead of x by low at least, which is a message from y to x, and
// by high at most, which is one from x to y.
type offsets struct{ low, high int64 }

var noOffsets = offsets{math.MinInt64, math.MaxInt64}

func (o *offsets) join(p offsets) { o.low, o.high = max(o.low, p.low), min(o.high, p.high) }

// both reports whether there are messages of either direction.
func (o offsets) both() bool { return o.low != math.MinInt64 && o.high != math.MaxInt64 }

// message takes the ends of a message from x to y, or from y to x.
func (r *relation) message(x, y int64, fromX bool) {
	d, ok := minus(y, x)
	if !ok {
		return
	}
	o := offsets{low: d, high: math.MaxInt64}
	if fromX {
		o = offsets{low: math.MinInt64, high: d}
	}
	if len(r.windows) == 0 {
		r.width = firstWidth
		r.first = x >> r.width
		r.windows = append(r.windows, o)
		return
	}
	for x>>r.width < r.first+int64(len(r.windows))-mostWindows || x>>r.width >= r.first+mostWindows {
		r.widen()
	}
	at := x >> r.width
	if at < r.first {
		more := int(r.first - at)
		n := len(r.windows)
		for range more {
			r.windows = append(r.windows, noOffsets)
		}
		copy(r.windows[more:], r.windows[:n])
		for i := range min(more, n) {
			r.windows[i] = noOffsets
		}
		for i := n; i < more; i++ {
			r.windows[i] = noOffsets
		}
		r.first = at
	}
	for at >= r.first+int64(len(r.windows)) {
		r.windows = append(r.windows, noOffsets)
	}
	r.windows[at-r.first].join(o)
	r.useful = r.useful || r.windows[at-r.first].both()
}

// widen makes one window of two.
func (r *relation) widen() {
	first := r.first >> 1
	n := 0
	for i, o := range r.windows {
		if at := int((r.first+int64(i))>>1 - first); at < n {
			r.windows[at].join(o)
			r.useful = r.useful || r.windows[at].both()
		} else {
			r.windows[at] = o
			n = at + 1
		}
	}
	r.windows, r.first, r.width = r.windows[:n], first, r.width+1
}

// at returns by how much y can be ahead when x shows a time, from the nearest windows before and after it that have messages of
// both directions, and from how much a clock can drift until there. It is not ok if there is none, or if
// they contradict each other or themselves by more than clocks that tick do: then a clock was set, or a message is none.
func (r *relation) at(x int64) (o offsets, ok bool) {
	at := x>>r.width - r.first
	n := int64(len(r.windows))
	o = noOffsets
	for i := min(at, n-1); i >= 0 && r.useful; i-- {
		if r.windows[i].both() {
			o.join(r.drifted(i, at))
			break
		}
	}
	for i := max(at, 0); i < n && r.useful; i++ {
		if r.windows[i].both() {
			o.join(r.drifted(i, at))
			break
		}
	}
	return o, o.both() && o.low <= o.high+2*stale
}

// drifted is what window i says of window at.
func (r *relation) drifted(i, at int64) offsets {
	drift := math.Ldexp(float64(max(i-at, at-i)+1), int(r.width)) * steep
	if drift > math.MaxInt64/8 {
		return noOffsets
	}
	low, ok1 := minus(r.windows[i].low, int64(drift))
	high, ok2 := minus(r.windows[i].high, -int64(drift))
	if !ok1 || !ok2 {
		return noOffsets
	}
	return offsets{low, high}
}

// minus is a - b unless that is out of range, or so near its ends that no way can be added.
func minus(a, b int64) (d int64, ok bool) {
	d = a - b
	if (a >= b) != (d >= 0) {
		return 0, false
	}
	return d, d > math.MinInt64+2*longestWay && d < math.MaxInt64-2*longestWay
}

// relations are those of all hosts that have messages for each other.
type relations struct {
	list map[[2]int32]*pairRelation
	// The one asked for last.
	key  [2]int32
	last *pairRelation
}

// A pairRelation has two: of messages whose key is their own for good, and, where there are none of these, of the others.
type pairRelation struct{ sure, likely relation }

func (r *relations) find(a, b int32) *pairRelation {
	key := hosts(a, b)
	if r.last == nil || r.key != key {
		p := r.list[key]
		if p == nil {
			return nil
		}
		r.key, r.last = key, p
	}
	return r.last
}

// knows reports whether there are messages between two hosts whose keys are their own for good.
func (r *relations) knows(a, b int32) bool {
	p := r.find(a, b)
	return p != nil && len(p.sure.windows) > 0
}

// message learns from a message; sure tells that no other packet ever has its key.
func (r *relations) message(m *Message, sure bool) {
	p := r.find(m.From, m.To)
	if p == nil {
		if r.list == nil {
			r.list = make(map[[2]int32]*pairRelation)
		}
		p = new(pairRelation)
		r.list[hosts(m.From, m.To)] = p
	}
	of := &p.likely
	if sure {
		of = &p.sure
	}
	if m.From < m.To {
		of.message(m.Sent, m.Received, true)
	} else {
		of.message(m.Received, m.Sent, false)
	}
}

// possible reports whether what was received may be what was sent, as far as is known of the clocks.
func (r *relations) possible(send, receive *end) bool {
	if send.host == receive.host {
		d, ok := minus(receive.time, send.time)
		return ok && d >= 0 && d <= longestWay
	}
	p := r.find(send.host, receive.host)
	if p == nil {
		return true
	}
	of := &p.sure
	if !of.useful {
		of = &p.likely
	}
	if send.host < receive.host {
		o, ok := of.at(send.time)
		if !ok {
			return true
		}
		d, ok := minus(receive.time, send.time)
		return ok && d >= o.low-2*stale && d <= o.high+2*stale+longestWay
	}
	o, ok := of.at(receive.time)
	if !ok {
		return true
	}
	d, ok := minus(send.time, receive.time)
	return ok && d >= o.low-2*stale-longestWay && d <= o.high+2*stale
}
