package workload

import "fmt"

// A port is one of a machine that a program listens at.
type port struct {
	host, protocol string
	number         int
	shared         bool // the program is the same for all workloads of the kind, so one serves all of them
}

func (p port) String() string { return fmt.Sprintf("%s port %d of %s", p.protocol, p.number, p.host) }

// listens is the ports that a workload listens at.
func (k Kind) listens(v values) []port {
	if k.ports == nil {
		return nil
	}
	return k.ports(v)
}

// each is the same port of some hosts.
func each(hosts []string, p port) []port {
	var all []port
	for _, h := range hosts {
		p.host = h
		all = append(all, p)
	}
	return all
}
