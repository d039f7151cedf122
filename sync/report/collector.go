package report

import (
	"synchroscope/sync/hull"
	"synchroscope/sync/match"
	"synchroscope/sync/network"
)

// A Collector is shown every message of a set once and keeps of each link what its band is made of:
// as much as a solution keeps, whatever the number of messages. It belongs to one goroutine.
type Collector struct {
	ids   []string // of the hosts
	links map[[2]int32]*network.Evidence
}

// NewCollector returns a collector of the messages between hosts with these ids, by number.
func NewCollector(ids []string) *Collector {
	return &Collector{ids, make(map[[2]int32]*network.Evidence)}
}

// Message takes a message that is final.
func (c *Collector) Message(m match.Message) {
	c.link(m.From, m.To).Add(constraint(m))
}

func (c *Collector) link(a, b int32) *network.Evidence {
	key := pair(a, b)
	e := c.links[key]
	if e == nil {
		e = network.NewEvidence(c.ids[key[0]], c.ids[key[1]])
		c.links[key] = e
	}
	return e
}

func pair(a, b int32) [2]int32 { return [2]int32{min(a, b), max(a, b)} }

// constraint is what a message says of its link's clock, as the host of the lower number sees it.
func constraint(m match.Message) (hull.Side, hull.Point) {
	if m.From < m.To {
		return hull.Upper, hull.Point{X: m.Sent, Y: m.Received}
	}
	return hull.Lower, hull.Point{X: m.Received, Y: m.Sent}
}
