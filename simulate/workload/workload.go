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
	ports  func(v values) []port // that its programs listen at, nil if none does
	start  func(s *site)
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
//
// If nothing is, it returns the ports that the workload listens at, in words: no other workload may listen there, but
// where it is true one of the same kind.
func Check(kind string, args map[string]string, hosts []string) (ports map[string]bool, err error) {
	k, values, err := find(kind, args, hosts)
	if err != nil {
		return nil, err
	}
	ports = make(map[string]bool)
	for _, p := range k.listens(values) {
		ports[p.String()] = p.shared
	}
	return ports, nil
}

// find is the kind with a name, and what the parameters of a workload of it say.
func find(kind string, args map[string]string, hosts []string) (Kind, values, error) {
	k, ok := Find(kind)
	if !ok {
		return Kind{}, values{}, fmt.Errorf("there is no kind of workload %q; there are %s", kind, names(Kinds()))
	}
	v, err := k.resolve(args, hosts)
	return k, v, err
}

// A Cluster is the machines that workloads run on, in the order of the scenario.
type Cluster struct {
	machines []*machine.Machine
	ports    map[string]string // the kind that listens
}

// NewCluster is a cluster on which nothing runs.
func NewCluster(machines []*machine.Machine) *Cluster {
	return &Cluster{machines, make(map[string]string)}
}

// Start makes a workload's processes. Nothing happens before the simulation runs.
func (c *Cluster) Start(kind string, args map[string]string, timing Timing) error {
	hosts := make([]string, len(c.machines))
	for i, m := range c.machines {
		hosts[i] = m.Name()
	}
	k, values, err := find(kind, args, hosts)
	if err != nil {
		return err
	}
	s := &site{values: values, cluster: c, timing: timing, served: make(map[port]bool)}
	for _, p := range k.listens(values) {
		owner, taken := c.ports[p.String()]
		if taken && !(p.shared && owner == k.Name) {
			return fmt.Errorf("%s: %s is that of another workload, %s", k.Name, p, owner)
		}
		c.ports[p.String()], s.served[p] = k.Name, taken
	}
	k.start(s)
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
	served  map[port]bool // the ports of the workload: does a program listen there already?
}

// at is the machine of a host.
func (s *site) at(host string) *machine.Machine {
	m := s.cluster.machines
	return m[slices.IndexFunc(m, func(m *machine.Machine) bool { return m.Name() == host })]
}

// serve starts the program that listens at a port of the workload, unless that of another one serves it as well.
func (s *site) serve(p port, name string, does machine.Program) {
	if !s.served[p] {
		s.at(p.host).Start(s.timing.From, name, does)
	}
}

func names(kinds []Kind) string {
	var all []string
	for _, k := range kinds {
		all = append(all, k.Name)
	}
	return strings.Join(all, ", ")
}
