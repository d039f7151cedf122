package simulate

import (
	"errors"
	"fmt"

	"synchroscope/simulate/agenda"
	"synchroscope/simulate/chance"
	"synchroscope/simulate/clock"
	"synchroscope/simulate/machine"
	"synchroscope/simulate/network"
	"synchroscope/simulate/scenario"
	"synchroscope/simulate/truth"
	"synchroscope/simulate/workload"
)

// A cluster is everything that there is in a simulation.
type cluster struct {
	scenario *scenario.Scenario
	opt      Options
	agenda   *agenda.Agenda
	net      *network.Network
	names    *names
	machines []*machine.Machine
	clocks   []*clock.Clock
	tracings []*tracing // of the hosts that are traced, by boot
	truth    *truth.Writer
	err      error // the first that happened while it ran
}

// newCluster makes a cluster and puts on its agenda what happens by itself.
func newCluster(s *scenario.Scenario, o Options) (*cluster, error) {
	c := &cluster{scenario: s, opt: o, agenda: &agenda.Agenda{}}
	var err error
	if c.truth, err = truth.Create(o.Out); err != nil {
		return nil, err
	}
	c.net = network.New(c.agenda, o.Seed, c)
	c.names = number(s)
	err = c.populate()
	if err == nil {
		c.wire()
		err = c.employ()
	}
	if err != nil {
		c.abort()
		return nil, err
	}
	for i := range s.Hosts {
		c.plan(i)
	}
	return c, nil
}

// populate makes the machines.
func (c *cluster) populate() error {
	for i := range c.scenario.Hosts {
		h := &c.scenario.Hosts[i]
		k, err := clock.New(h.Clock, chance.New(c.opt.Seed, clock.Stream(h.Name)))
		if err != nil {
			return err
		}
		c.clocks = append(c.clocks, k)
		c.machines = append(c.machines, machine.New(machine.Options{
			Name: h.Name, CPUs: h.CPUs, Address: c.names.hosts[h.Name], Seed: c.opt.Seed,
			Clock: k, Agenda: c.agenda, Network: c.net, Names: c.names, Kernel: machine.Kernel(h.Kernel),
			Observe: c.observer(h.Name, k),
		}))
	}
	return nil
}

// observer is what a machine tells of its threads, nil if nobody asks.
func (c *cluster) observer(host string, k *clock.Clock) machine.Observer {
	if c.opt.Observe == nil {
		return nil
	}
	return func(change *machine.Change) { c.opt.Observe(host, k.Local(change.At), change) }
}

// wire makes switches and links.
func (c *cluster) wire() {
	nodes := make(map[string]int)
	for _, m := range c.machines {
		nodes[m.Name()] = m.Node()
	}
	for _, w := range c.scenario.Switches {
		nodes[w.Name] = c.net.Switch(w.Name, c.names.hosts[w.Name])
	}
	for _, l := range c.scenario.Links {
		c.net.Link(nodes[l.A], nodes[l.B], l.Out, l.Back)
	}
	for _, h := range c.scenario.Hosts {
		if h.Behind != "" {
			c.net.Hide(nodes[h.Name], nodes[h.Behind])
		}
	}
	c.net.Route()
}

// employ starts the workloads.
func (c *cluster) employ() error {
	all := workload.NewCluster(c.machines)
	for _, w := range c.scenario.Workloads {
		until := w.Until
		if until == 0 {
			until = c.scenario.Duration
		}
		if err := all.Start(w.Kind, w.Params, workload.Timing{From: w.From, Until: until}); err != nil {
			return fmt.Errorf("the workload in line %d of scenario %s: %w", w.Line, c.scenario.Name, err)
		}
	}
	return nil
}

// abort leaves everything as it is, without the truth.
func (c *cluster) abort() {
	for _, m := range c.machines {
		m.Halt()
	}
	for _, t := range c.tracings {
		t.end(c.agenda.Now())
	}
	c.truth.Abort()
}

// finish ends tracing and writes the truth.
func (c *cluster) finish() (*Summary, error) {
	end := c.scenario.Duration
	for _, t := range c.tracings {
		t.end(end)
	}
	for _, m := range c.machines {
		m.Halt()
	}
	c.net.Close()
	all := c.record()
	if err := errors.Join(c.err, c.truth.Close(all, c.clocks)); err != nil {
		return nil, err
	}
	counts := all.Counts()
	sum := &Summary{
		Scenario: all.Scenario, Seed: all.Seed, End: end, Events: counts.Events, Lost: counts.Lost, Messages: c.truth.Count(),
	}
	for i := range all.Hosts {
		n := all.Hosts[i].Counts()
		sum.Hosts = append(sum.Hosts, Count{all.Hosts[i].Name, n.Events, n.Lost})
	}
	return sum, nil
}
