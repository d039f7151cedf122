// Package network keeps the synchronization of one trace set: it takes the
// endpoints of all hosts in the order each host recorded them, and holds
// the links, the forest, the reference host and the clock maps that follow.
package network

import (
	"math/big"

	"synchroscope/sync/clock"
	"synchroscope/sync/hull"
	"synchroscope/sync/match"
)

type Config struct {
	Reference  string // pinned host name, "" for the best
	MaxPending int    // unmatched endpoints kept, 1<<20 if 0
}

// A Network belongs to one goroutine at a time; a Solution is shared freely.
type Network struct{}

func New(c Config) *Network { panic("unbuilt") }

// AddHost returns the host's number, dense from 0. id is the clock's uuid or the host name.
func (n *Network) AddHost(name, id string) int32 { panic("unbuilt") }

// Span tells the part of a host's trace known so far, local ns.
func (n *Network) Span(host int32, begin, end int64) { panic("unbuilt") }

// Endpoint takes the next endpoint of a host. matched is called before it returns, with
// each message that became certain enough to use, in a deterministic order per link.
func (n *Network) Endpoint(e match.Endpoint, matched func(match.Message)) { panic("unbuilt") }

// Done tells that a host has no more endpoints. After the last host the solution is final
// and does not depend on how the hosts' endpoints were interleaved.
func (n *Network) Done(host int32, matched func(match.Message)) { panic("unbuilt") }

// Solution is the newest one; the same pointer until something changed.
func (n *Network) Solution() *Solution { panic("unbuilt") }

// A Solution is one version of all clocks. It is immutable.
type Solution struct {
	Version   int64
	Final     bool
	Reference int32
	Hosts     []Host // by number
	Links     []Link // by (A, B), A < B; only pairs with at least one message
	Counts    match.Counts
}

type Host struct {
	Name, ID   string
	Component  int
	Begin, End int64      // span, local ns
	Map        *clock.Map // to reference time of its component's reference host
}

type Link struct {
	A, B                            int32
	Class                           hull.Class
	InTree                          bool
	AToB, BToA                      int          // messages
	Accurate                        int          // messages that improved the estimate
	AlphaMin, AlphaMax, Alpha, Beta *big.Rat     // b = alpha*a + beta; nil unless they exist
	Upper, Lower                    []hull.Point // the hulls: X in a's, Y in b's local ns
	ErrorMin, ErrorMedian, ErrorMax int64        // half-width of the band over the overlap, ns; -1 unknown
	Violations                      int          // messages received before sent in the mapped time
	Latency                         [2]Latency   // a to b, b to a
}

type Latency struct{ Min, Median, P99 int64 }
