// Package network is what lies between the machines of a simulated cluster: links, switches,
// and what becomes of a packet on its way.
//
// A [Network] is built first: hosts and switches, links between them, then [Network.Route].
// It runs on the cluster's agenda: each packet is there at each end of
// each link it goes over, and meets the packets that are there at the same time.
package network

import (
	"fmt"

	"synchroscope/simulate/agenda"
	"synchroscope/simulate/chance"
)

// A Receiver is the card of a host. It owns the packet until it gives it back with
// [Network.Taken] or [Network.Drop].
type Receiver interface {
	Receive(now int64, p *Packet)
}

// An Observer is told of each message once, when nothing of it is under way any more. It
// must not keep it.
type Observer interface {
	Message(m *Message)
}

// A Network is the hosts, switches and links of a cluster. It belongs to one goroutine.
type Network struct {
	agenda   *agenda.Agenda
	seed     uint64
	observer Observer

	nodes   []node
	ports   []*port
	routes  [][]int32 // by node and node: the port that leads there, -1 for none
	address map[uint32]int32

	packets  []*Packet // all there are; arg of the agenda is an index
	free     []*Packet
	messages []*Message // under way
	spare    []*Message
	counts   Counts
}

// Counts are packets, of one link's end each.
type Counts struct {
	Carried    int64 // over a link
	Lost       int64 // by chance
	Dropped    int64 // for want of room in a queue
	Unroutable int64 // no link leads there
	Duplicated int64
}

// A node is a host, or a switch if it has no receiver.
type node struct {
	name     string
	host     int32 // its number, -1 for a switch
	receiver Receiver
	ports    []*port
	nat      *nat
	behind   int32 // the node that hides it, -1 for none
}

// New is a network without anything in it.
func New(a *agenda.Agenda, seed uint64, o Observer) *Network {
	return &Network{agenda: a, seed: seed, observer: o, address: make(map[uint32]int32)}
}

// Host adds a host with its address and returns its node. Hosts are numbered in order.
func (n *Network) Host(name string, ip uint32, r Receiver) int {
	hosts := int32(0)
	for _, d := range n.nodes {
		if d.host >= 0 {
			hosts++
		}
	}
	n.nodes = append(n.nodes, node{name: name, host: hosts, receiver: r, behind: -1})
	n.address[ip] = int32(len(n.nodes) - 1)
	return len(n.nodes) - 1
}

// Switch adds a switch and returns its node. With an address that is not 0 it hides the
// addresses of the hosts behind it, see [Network.Hide].
func (n *Network) Switch(name string, ip uint32) int {
	d := node{name: name, host: -1, behind: -1}
	i := len(n.nodes)
	if ip != 0 {
		d.nat = newNAT(ip)
		n.address[ip] = int32(i)
	}
	n.nodes = append(n.nodes, d)
	return i
}

// Hide puts a host behind a switch that has an address.
func (n *Network) Hide(host, behind int) { n.nodes[host].behind = int32(behind) }

// SetAddress gives a host an address in place of the one it has.
func (n *Network) SetAddress(host int, old, ip uint32) {
	if n.address[old] == int32(host) {
		delete(n.address, old)
	}
	n.address[ip] = int32(host)
}

// Link joins two nodes.
func (n *Network) Link(a, b int, out, back LinkSpec) {
	for _, e := range [2]struct {
		from, to int
		spec     LinkSpec
	}{{a, b, out}, {b, a, back}} {
		from, to := n.nodes[e.from].name, n.nodes[e.to].name
		parallel := 0
		for _, p := range n.nodes[e.from].ports {
			if p.to == int32(e.to) {
				parallel++
			}
		}
		p := &port{net: n, spec: e.spec, from: int32(e.from), to: int32(e.to), dice: chance.New(n.seed, fmt.Sprintf("link/%s/%s/%d", from, to, parallel))}
		n.nodes[e.from].ports = append(n.nodes[e.from].ports, p)
		n.ports = append(n.ports, p)
	}
}

// Counts is what has become of packets so far.
func (n *Network) Counts() Counts { return n.counts }

// Reaches tells whether a link, or some in a row, lead from a node to another.
func (n *Network) Reaches(from, to int) bool { return from == to || n.routes[from][to] >= 0 }

// NodeOf is the node with an address, -1 if there is none.
func (n *Network) NodeOf(ip uint32) int {
	d, ok := n.address[ip]
	if !ok {
		return -1
	}
	return int(d)
}

// HostOf is the number of the host at a node, -1 for a switch.
func (n *Network) HostOf(d int) int { return int(n.nodes[d].host) }

// Route finds the ways, each over as few links as there can be; of some the one whose links were added
// first. Hosts do not forward.
func (n *Network) Route() {
	n.routes = make([][]int32, len(n.nodes))
	for i := range n.routes {
		n.routes[i] = make([]int32, len(n.nodes))
		for j := range n.routes[i] {
			n.routes[i][j] = -1
		}
	}
	into := make([][]int32, len(n.nodes)) // ports that lead to a node
	index := make(map[*port]int32, len(n.ports))
	for i, p := range n.ports {
		index[p] = int32(i)
		into[p.to] = append(into[p.to], int32(i))
	}
	var queue []int32
	for to := range n.nodes {
		queue = append(queue[:0], int32(to))
		for len(queue) > 0 {
			at := queue[0]
			queue = queue[1:]
			if at != int32(to) && n.nodes[at].receiver != nil {
				continue
			}
			for _, i := range into[at] {
				from := n.ports[i].from
				if from != int32(to) && n.routes[from][to] < 0 {
					n.routes[from][to] = i
					queue = append(queue, from)
				}
			}
		}
	}
}
