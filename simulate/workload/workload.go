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
func Check(kind string, args map[string]string, hosts []string) error {
	k, ok := Find(kind)
	if !ok {
		return fmt.Errorf("there is no kind of workload %q; there are %s", kind, names(Kinds()))
	}
	_, err := k.resolve(args, hosts)
	return err
}

// Start makes a workload's processes on the machines of a cluster, which are in
// the order of the scenario. Nothing happens before the simulation runs.
func Start(kind string, args map[string]string, machines []*machine.Machine, timing Timing) error {
	k, ok := Find(kind)
	if !ok {
		return fmt.Errorf("there is no kind of workload %q; there are %s", kind, names(Kinds()))
	}
	hosts := make([]string, len(machines))
	for i, m := range machines {
		hosts[i] = m.Name()
	}
	values, err := k.resolve(args, hosts)
	if err != nil {
		return err
	}
	k.start(&site{values: values, machines: machines, timing: timing})
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
	machines []*machine.Machine
	timing   Timing
}

// at is the machine of a host.
func (s *site) at(host string) *machine.Machine {
	return s.machines[slices.IndexFunc(s.machines, func(m *machine.Machine) bool { return m.Name() == host })]
}

func names(kinds []Kind) string {
	var all []string
	for _, k := range kinds {
		all = append(all, k.Name)
	}
	return strings.Join(all, ", ")
}
