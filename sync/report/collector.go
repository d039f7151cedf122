package report

import (
	"cmp"

	"synchroscope/sync/hull"
	"synchroscope/sync/match"
	"synchroscope/sync/network"
)

// A Collector is shown every message of a set once and keeps of each link what its band is made of:
// as much as a solution keeps, whatever the number of messages. It belongs to one goroutine.
type Collector struct {
	ids   []string // of the hosts
	links map[[2]int32]*series
}

// series is what a link's messages say by time, with the clock of the lower id as the first, as in the solution.
type series struct {
	hull.Series
	swapped bool // b's clock is the first
}

// NewCollector returns a collector of the messages between hosts with these ids, by number.
func NewCollector(ids []string) *Collector {
	return &Collector{ids, make(map[[2]int32]*series)}
}

// Message takes a message that is final.
func (c *Collector) Message(m match.Message) {
	s := c.links[pair(m.From, m.To)]
	if s == nil {
		a, b := min(m.From, m.To), max(m.From, m.To)
		s = &series{swapped: cmp.Or(cmp.Compare(c.ids[a], c.ids[b]), cmp.Compare(a, b)) > 0}
		c.links[pair(a, b)] = s
	}
	first := min(m.From, m.To)
	if s.swapped {
		first = max(m.From, m.To)
	}
	if m.From == first {
		s.Add(hull.Upper, hull.Point{X: m.Sent, Y: m.Received})
	} else {
		s.Add(hull.Lower, hull.Point{X: m.Received, Y: m.Sent})
	}
}

func (c *Collector) link(a, b int32) *series {
	if s := c.links[pair(a, b)]; s != nil {
		return s
	}
	return &series{}
}

// points are those kept of one side, as the link's a sees them.
func (s *series) points(side hull.Side) []hull.Point {
	if !s.swapped {
		return s.Points(side)
	}
	points := s.Points(1 - side)
	for i, p := range points {
		points[i] = hull.Point{X: p.Y, Y: p.X}
	}
	return points
}

// corridor is where b's clock can be by a's; nil where nothing bounds the link.
func (s *series) corridor(k *network.Link) *hull.Corridor {
	if k.RateCap <= 0 {
		return nil
	}
	fit := s.Fit()
	if !fit.OK {
		return nil
	}
	c := hull.Crystals
	for c < 40 && c.PerSecond() < k.RateCap*(1-1e-9) {
		c++
	}
	if s.swapped {
		return s.Corridor(fit, c).Swap()
	}
	return s.Corridor(fit, c)
}
