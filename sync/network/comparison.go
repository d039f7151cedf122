package network

import (
	"fmt"

	"synchroscope/sync/clock"
)

// A Comparison is of two hosts directly, along their way through the tree, with bounds that their own messages narrow. What both have in
// common on their ways to the reference does not count.
type Comparison struct {
	From, To *Host
	Way      []string   // names of the hosts from the one to the other, both among them
	Map      *clock.Map // from the clock of From to that of To, without bounds where a link on the way has none
	RateCap  float64    // per second, of the clocks' rates, for Map's bounds to hold; 0 where they assume nothing or there are none
}

// Compare compares pairs of hosts, by name, in the solution that Solve gives for the config. The errors are about
// what config and pairs name and is not there, and pairs that no message relates.
func (c *Constraints) Compare(config Config, pairs ...[2]string) ([]Comparison, error) {
	x, err := c.Comparer(config)
	if err != nil {
		return nil, err
	}
	return x.Compare(pairs...)
}

// Compare compares pairs of hosts, by name, by their maps to the reference: the comparisons have no bounds. It is for
// methods that have none. Errors are those of [Constraints.Compare].
func (s *Solution) Compare(pairs ...[2]string) ([]Comparison, error) {
	return comparisons(s, pairs, s.byMaps)
}

func comparisons(s *Solution, pairs [][2]string, compare func(a, b int32) (Comparison, bool)) ([]Comparison, error) {
	number := make(map[string]int32, len(s.Hosts))
	for i := range s.Hosts {
		number[s.Hosts[i].Name] = int32(i)
	}
	out := make([]Comparison, 0, len(pairs))
	for _, p := range pairs {
		for _, name := range p {
			if _, ok := number[name]; !ok {
				return nil, fmt.Errorf("there is no host %q", name)
			}
		}
		if p[0] == p[1] {
			return nil, fmt.Errorf("%q is to be compared with itself", p[0])
		}
		c, ok := compare(number[p[0]], number[p[1]])
		if !ok {
			which := "no message"
			if len(s.Options.Exclude) > 0 || s.Options.Window != nil {
				which = "no message that counts"
			}
			return nil, fmt.Errorf("%s relates the clocks of %q and %q", which, p[0], p[1])
		}
		out = append(out, c)
	}
	return out, nil
}

// byMaps compares by a's map and the inverse of b's.
func (s *Solution) byMaps(a, b int32) (c Comparison, ok bool) {
	from, to := &s.Hosts[a], &s.Hosts[b]
	if from.Component != to.Component {
		return c, false
	}
	c = Comparison{From: from, To: to, Map: s.direct(a, b)}
	for _, host := range s.way(a, b) {
		c.Way = append(c.Way, s.Hosts[host].Name)
	}
	return c, true
}

// way is from a to b through links in the tree, of which it needs no more than that they make one.
func (s *Solution) way(a, b int32) []int32 {
	neighbours := make([][]int32, len(s.Hosts))
	for i := range s.Links {
		if k := &s.Links[i]; k.InTree {
			neighbours[k.A] = append(neighbours[k.A], k.B)
			neighbours[k.B] = append(neighbours[k.B], k.A)
		}
	}
	towards := map[int32]int32{b: b} // the next host on the way to b
	for queue := []int32{b}; len(queue) > 0; queue = queue[1:] {
		for _, next := range neighbours[queue[0]] {
			if _, seen := towards[next]; !seen {
				towards[next] = queue[0]
				queue = append(queue, next)
			}
		}
	}
	way := []int32{a}
	for at := a; at != b; way = append(way, at) {
		next, ok := towards[at]
		if !ok {
			return nil
		}
		at = next
	}
	return way
}

// A ComparisonReport is a Comparison as `sync --between --json` and the HTTP API print it.
type ComparisonReport struct {
	A          string            `json:"a"`
	B          string            `json:"b"`
	Path       []string          `json:"path"`      // hosts from a to b, both among them
	Offset     OffsetsReport     `json:"offset_ns"` // b's clock less a's, while a was recorded
	Error      *RangeReport      `json:"error_ns"`  // null where nothing is bounded
	Map        []ComparisonPiece `json:"map"`       // from a's clock to b's
	Bounds     []Bound           `json:"error"`     // by a's clock, empty where unknown
	Assumption *string           `json:"assumption"`
	RateCap    *Float            `json:"rate_cap"`
}

// An OffsetsReport is by how much one clock is ahead of another at the beginning, in the middle and at the end.
type OffsetsReport struct {
	Begin  Time `json:"begin"`
	Middle Time `json:"middle"`
	End    Time `json:"end"`
}

// A ComparisonPiece is one straight piece of the map from a clock to another.
type ComparisonPiece struct {
	Begin  Time  `json:"begin"` // by the clock of a
	End    Time  `json:"end"`
	BBegin Time  `json:"b_begin"` // what b's shows then
	BEnd   Time  `json:"b_end"`
	Rate   Float `json:"rate"` // b's ns per a's
}

// Report returns the comparison in its public form.
func (c *Comparison) Report() ComparisonReport {
	begin, end := c.From.Begin, c.From.End
	at := func(t int64) Time { return Time(c.Map.Reference(t) - t) }
	r := ComparisonReport{
		A: c.From.Name, B: c.To.Name, Path: c.Way,
		Offset: OffsetsReport{at(begin), at(begin + int64((uint64(end)-uint64(begin))/2)), at(end)},
		Map:    []ComparisonPiece{}, Bounds: []Bound{},
	}
	for _, p := range pieces(c.Map, begin, end) {
		r.Map = append(r.Map, ComparisonPiece{p.Begin, p.End, p.ReferenceBegin, p.ReferenceEnd, p.Rate})
	}
	r.Bounds, r.Error = reportBounds(c.Map)
	if r.Error != nil {
		r.Assumption, r.RateCap = assumption(c.RateCap)
	}
	return r
}
