package network

import (
	"fmt"
	"slices"

	"synchroscope/sync/hull"
	"synchroscope/sync/match"
)

// Constraints are what the messages of a trace set say of its clocks, without the messages: a
// set is synchronized by them as often and in as many ways as one likes. They are immutable.
type Constraints struct {
	hosts  []host
	order  []*link // by (a, b)
	counts match.Counts

	holdings []match.Holding // what is known of addresses
	aliases  []match.Alias
}

// Constraints returns those of all messages. The network must be final, and not be fed any more.
func (n *Network) Constraints() *Constraints {
	c := &Constraints{hosts: n.hosts, order: n.order, counts: n.Counts()}
	c.holdings, c.aliases = n.matcher.Addresses()
	return c
}

// Hosts returns the names of the hosts, by number.
func (c *Constraints) Hosts() []string {
	names := make([]string, len(c.hosts))
	for i, h := range c.hosts {
		names[i] = h.name
	}
	return names
}

// Solve returns the solution that a network of the same config comes to when it is fed the same
// messages. Its version is 1. The errors are about what the config names and is not there.
func (c *Constraints) Solve(config Config) (*Solution, error) {
	if err := c.check(config); err != nil {
		return nil, err
	}
	s := c.network(config).solution
	s.place(c.holdings, c.aliases)
	s.Version = 1
	return s, nil
}

// network is one with a solution.
func (c *Constraints) network(config Config) *Network {
	n := c.solve(config, c.order, nil)
	if config.Window != nil {
		n = c.within(n, n.solution, config)
	}
	return n
}

// solve is a network of these links. They are a part of those of the whole, nil if they are all.
func (c *Constraints) solve(config Config, order []*link, whole *entire) *Network {
	n := &Network{config: config, hosts: c.hosts, links: make(map[[2]int32]*link), ending: true, counts: c.counts, whole: whole}
	n.forest.Grow(len(n.hosts))
	for _, l := range order {
		own := *l
		n.order = append(n.order, &own)
		n.links[[2]int32{l.a, l.b}] = &own
	}
	n.solution = n.solve()
	return n
}

// within is solved by the messages in the config's window of reference time, which is
// that of the solution by all: by each host's clock it is from one time to another.
func (c *Constraints) within(all *Network, s *Solution, config Config) *Network {
	windows := make([]Window, len(s.Hosts))
	for i := range s.Hosts {
		m := s.Hosts[i].Map
		windows[i] = Window{m.Local(config.Window.Begin), m.Local(config.Window.End)}
	}
	order := make([]*link, len(c.order))
	for i, l := range c.order {
		own := *l
		x, y := windows[l.x()], windows[l.a+l.b-l.x()]
		own.all = &l.live.hull
		own.live = l.live.within(hull.Point{X: x.Begin, Y: y.Begin}, hull.Point{X: x.End, Y: y.End})
		order[i] = &own
	}
	return c.solve(config, order, &entire{all, windows})
}

// check tells what a config names that is not there.
func (c *Constraints) check(config Config) error {
	names := c.Hosts()
	if config.Reference != "" && !slices.Contains(names, config.Reference) {
		return fmt.Errorf("there is no host %q", config.Reference)
	}
	for _, pair := range config.Exclude {
		for _, name := range pair {
			if !slices.Contains(names, name) {
				return fmt.Errorf("there is no host %q", name)
			}
		}
		if !slices.ContainsFunc(c.order, func(l *link) bool { return joins(pair, names[l.a], names[l.b]) }) {
			return fmt.Errorf("there is no link between %q and %q", pair[0], pair[1])
		}
	}
	if w := config.Window; w != nil && w.Begin >= w.End {
		return fmt.Errorf("the window begins at %d and ends at %d, no later", w.Begin, w.End)
	}
	return nil
}

// exclude marks the links that do not count.
func (n *Network) exclude() {
	for _, l := range n.order {
		l.excluded = slices.ContainsFunc(n.config.Exclude, func(pair [2]string) bool {
			return joins(pair, n.hosts[l.a].name, n.hosts[l.b].name)
		})
	}
}

func joins(pair [2]string, a, b string) bool {
	return pair == [2]string{a, b} || pair == [2]string{b, a}
}
