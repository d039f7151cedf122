// Package workload holds what the machines of a simulated cluster do: the
// programs, each kind with its parameters.
//
// A kind is a row of [Kinds]. Its programs are straight code on threads of the
// machines; all chance they take comes from the dice of their threads, so that a
// workload does the same whatever else is in the scenario.
package workload

import (
	"fmt"
	"slices"
	"strings"

	"synchroscope/simulate/machine"
)

// A Kind is one kind of workload.
type Kind struct {
	Name   string
	Does   string // one sentence
	Params []Param
	start  func(s *site) error
}

// Kinds are all kinds, by name.
func Kinds() []Kind {
	kinds := []Kind{balancer, copying, daemons, gossip, load, mpi, pingpong, quiet, storm, threads, web}
	slices.SortFunc(kinds, func(a, b Kind) int { return strings.Compare(a.Name, b.Name) })
	return kinds
}

// Find is the kind with a name.
func Find(name string) (Kind, bool) {
	kinds := Kinds()
	i := slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == name })
	if i < 0 {
		return Kind{}, false
	}
	return kinds[i], true
}

// Check tells what is wrong with the parameters of a workload of the kind in a
// cluster of these hosts: one that the kind does not have, one that is
// missing, a value that cannot be or is out of range, a host that is not there.
func Check(kind string, args map[string]string, hosts []string) error {
	k, ok := Find(kind)
	if !ok {
		return fmt.Errorf("there is no kind of workload %q; there are %s", kind, names(Kinds()))
	}
	_, err := k.resolve(args, hosts)
	return err
}

// A Cluster is the machines that workloads run on, in the order of the scenario.
type Cluster struct {
	machines []*machine.Machine
	ports    map[port]string // who listens
}

// A port is a port of a machine.
type port struct {
	host, protocol string
	number         int
}

// NewCluster is a cluster on which nothing runs.
func NewCluster(machines []*machine.Machine) *Cluster {
	return &Cluster{machines, make(map[port]string)}
}

// Start makes a workload's processes. Nothing happens before the simulation runs.
func (c *Cluster) Start(kind string, args map[string]string, timing Timing) error {
	k, ok := Find(kind)
	if !ok {
		return fmt.Errorf("there is no kind of workload %q; there are %s", kind, names(Kinds()))
	}
	hosts := make([]string, len(c.machines))
	for i, m := range c.machines {
		hosts[i] = m.Name()
	}
	values, err := k.resolve(args, hosts)
	if err != nil {
		return err
	}
	s := &site{values: values, cluster: c, timing: timing, kind: k.Name}
	if err := k.start(s); err != nil {
		return fmt.Errorf("%s: %w", k.Name, err)
	}
	return nil
}

// Timing is when a workload runs, in true ns: its processes begin at From, and
// begin nothing new from Until on.
type Timing struct {
	From, Until int64
}

// A site is what a kind's programs are started with.
type site struct {
	values
	cluster *Cluster
	timing  Timing
	kind    string
}

// at is the machine of a host.
func (s *site) at(host string) *machine.Machine {
	m := s.cluster.machines
	return m[slices.IndexFunc(m, func(m *machine.Machine) bool { return m.Name() == host })]
}

// claim takes a port of a host. It is an error if another workload has it.
func (s *site) claim(host, protocol string, number int) error {
	at := port{host, protocol, number}
	if owner, taken := s.cluster.ports[at]; taken {
		return fmt.Errorf("port %d of %s is that of another workload, %s", number, host, owner)
	}
	s.cluster.ports[at] = s.kind
	return nil
}

// serve starts a program that listens at a port of a host. If one of the same kind does
// already, it serves this workload as well.
func (s *site) serve(host, protocol string, number int, name string, p machine.Program) error {
	if s.cluster.ports[port{host, protocol, number}] == s.kind {
		return nil
	}
	if err := s.claim(host, protocol, number); err != nil {
		return err
	}
	s.at(host).Start(s.timing.From, name, p)
	return nil
}

func names(kinds []Kind) string {
	var all []string
	for _, k := range kinds {
		all = append(all, k.Name)
	}
	return strings.Join(all, ", ")
}
