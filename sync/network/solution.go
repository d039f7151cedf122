package network

import (
	"math"
	"math/big"

	"synchroscope/sync/clock"
	"synchroscope/sync/hull"
	"synchroscope/sync/match"
)

// A Solution is one version of all clocks. It is immutable.
type Solution struct {
	Version   int64
	Final     bool
	Reference int32  // of the largest component; -1 without hosts
	Hosts     []Host // by number
	Links     []Link // by (A, B), A < B; only pairs with at least one message
	Counts    match.Counts
	Options   Options
	Pinned    *Pinned // nil if the reference is the best

	pairs map[[2]int32]*clock.Map // see WithPairs
	unset map[[2]int32]unset      // see Network.unset; nil without a window
}

// MethodHull is the method of this package, as users call it.
const MethodHull = "hull"

// Options are what a solution was made by.
type Options struct {
	Method    string      // how links were estimated: MethodHull, here
	Reference string      // that was pinned, "" if none was
	Exclude   [][2]string // links that did not count
	Window    *Window     // of the messages that counted, nil for all
}

type Host struct {
	Name, ID   string
	Component  int        // hosts that are linked, if only by others, share a number
	Reference  int32      // of the component
	Begin, End int64      // span, local ns; both 0 while unknown
	Window     *Window    // local ns, in which messages counted; nil for all
	Tick       int64      // ns by which the clock advances at once; 0 if it shows every one, or nothing is known
	Map        *clock.Map // to reference time of its component's reference host
	Addresses  []match.Holding
	Aliases    []match.Alias // addresses that others know it by
	RateCap    float64       // per second: how fast the clocks' rates may change for Map's bounds to hold; 0 where they assume nothing
	Loss       *int64        // ns by which the errors of its component would add up to more, were it the reference, as Pinned.Loss; nil unknown
}

// Unsynchronized reports whether nothing relates the host's clock to the
// solution's reference: it is on an island.
func (s *Solution) Unsynchronized(host int32) bool {
	return s.Hosts[host].Component != s.Hosts[s.Reference].Component
}

// Related tells whether messages relate the clocks of two hosts, be it by way of others.
func (s *Solution) Related(a, b int32) bool {
	n := int32(len(s.Hosts))
	return a < n && b < n && s.Hosts[a].Component == s.Hosts[b].Component
}

// Error is by how many ns at most the host's clock is off that of its component's reference, at a local time;
// ok is false where no bound is known. The map of an island's reference has none, but among the hosts of
// the island its clock is the one that is right.
func (s *Solution) Error(host int32, local int64) (ns int64, ok bool) {
	h := &s.Hosts[host]
	if host != h.Reference || !s.Unsynchronized(host) {
		return h.Map.Error(local)
	}
	begin, end := margin(h.Begin, h.End, s.Final)
	return 0, begin <= local && local <= end
}

type Link struct {
	A, B                            int32
	Class                           hull.Class
	Shape                           Shape
	InTree                          bool
	Excluded                        bool         // it does not count
	AToB, BToA                      int          // messages
	Accurate                        int          // messages that improved the estimate
	AlphaMin, AlphaMax, Alpha, Beta *big.Rat     // b = alpha*a + beta; nil unless they exist
	Apart                           *Apart       // the lines of AlphaMin and AlphaMax; nil unless both exist
	Relaxed                         int64        // class Fail: ns by which all constraints must give way for a line to fit
	Upper, Lower                    []hull.Point // the hulls: X in a's, Y in b's local ns
	ErrorMin, ErrorMedian, ErrorMax int64        // half-width of the band over the overlap, ns; -1 unknown
	Served                          int64        // the median, and for the time that only one of the hosts was recorded the mean, by their lengths, ns; -1 unknown
	steps                           int64        // what its steps count beside Served where links are weighed, ns
	RateCap                         float64      // per second: the cap that the error is under; 0 unknown
	Pieces                          int          // of the link's own clock; 0 where there is none
	Path                            []hull.Point // its knots where it is no line: X in a's, Y in b's local ns
	Force                           *Force       // as the maps have it; nil outside the tree, and by methods that bound nothing
	Cuts                            []hull.Contradiction
	Told                            []hull.Cut // where its band is cut for steps that other links show, by the clock of the lower id as the first
	Loop                            *Loop      // outside the tree, in a final solution; nil where something around it has no bound
	Violations                      int        // messages received before sent in the mapped time
	Latency                         [2]Latency // a to b, b to a
}

// Latency is over the messages of one direction, mapped to reference time; all 0 without
// messages. Beyond 4096 messages Median, P99 and Link.Violations are from a
// sample, Min never is. The median of an even number is the mean of the two in the middle; P99 is the shortest that 99 of a hundred are not longer than.
type Latency struct {
	Min, Median, P99 int64
	Of               int // how many messages Median and P99 are of
}

// covers reports whether the host's bounds reach over a span.
func (s *Solution) covers(host int32, begin, end int64) bool {
	if int(host) >= len(s.Hosts) {
		return false
	}
	h := &s.Hosts[host]
	if h.Begin == 0 && h.End == 0 {
		return false
	}
	begins, ends := margin(h.Begin, h.End, s.Final)
	return begin >= begins && end <= ends
}

// margin is the part of a host's time that its bounds cover: its span, and
// while that still grows a quarter more on both sides, at least a second.
func margin(begin, end int64, final bool) (int64, int64) {
	if final {
		return begin, end
	}
	more := max(int64((uint64(end)-uint64(begin))/4), 1_000_000_000)
	return max(begin, math.MinInt64+more) - more, min(end, math.MaxInt64-more) + more
}
