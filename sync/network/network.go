// Package network keeps the synchronization of one trace set: it takes the
// endpoints of all hosts in the order each host recorded them, and holds
// the links, the forest, the reference host and the clock maps that follow.
//
// # Live and settled
//
// While the import runs, every message counts as soon as it is matched, and a
// Solution may be had at any time. A message may have to be taken back when a
// copy of its packet turns up, and a convex hull cannot give a point back. So
// each link has two estimates: one of the messages that are settled, which the
// matcher cannot retract any more, and a live one of all. After a retraction
// the live one is made anew from the settled one and the messages the matcher
// still holds. Both are bounded: hulls are small, samples have a limit, and
// the matcher holds what it is allowed to hold.
//
// # The law of order
//
// The final solution is a function of the endpoints, not of their
// interleaving: pairing, hulls, samples, forest and reference are each
// determined by sets, ties by host numbers. It holds as long as the matcher
// forgot nothing, that is, the set has at most MaxPending different keys;
// beyond that, hosts that are read far apart may lose matches, and
// Counts.Evicted says how many endpoints were given up.
package network

import (
	"cmp"
	"slices"

	"synchroscope/state/scratch"
	"synchroscope/sync/graph"
	"synchroscope/sync/hull"
	"synchroscope/sync/match"
)

type Config struct {
	Reference  string // pinned host name; the best if "" or if no host has it
	MaxPending int    // keys of endpoints kept, matched or not, 1<<20 if 0; about 200 bytes each

	// Space is where most of that memory comes from, off the heap if it is nil. It serves one network.
	Space *scratch.Space

	// Settled is told every message that will not be retracted any more, once, in an order that depends on how hosts are
	// read; it may be nil.
	Settled func(match.Message)

	Exclude [][2]string // links that do not count, by the names of their hosts
	Window  *Window     // only messages that were sent and received in it count, in the final solution; all if nil
}

// A Network belongs to one goroutine at a time; a Solution is shared freely.
type Network struct {
	config  Config
	hosts   []host
	links   map[[2]int32]*link
	order   []*link // by (a, b)
	matcher *match.Matcher
	forest  graph.Forest
	caps    []hull.Cap       // by host: that of its component
	hops    map[[2]int32]hop // of the newest solution

	ending   bool // settled messages are collected, to be added in canonical order
	stale    bool // a message was retracted
	changed  bool // the solution is out of date
	counted  int64
	done     int
	solution *Solution
	counts   match.Counts // without a matcher: what it said
	whole    *entire      // of whose messages these are a part; nil if they are all
}

type host struct {
	name, id   string
	begin, end int64
	spanned    bool
	tick       int64 // ns, 0 for a clock that shows every one
	rising     bool  // it never went back, by what was recorded
	done       bool
}

// New returns a network without hosts.
func New(c Config) *Network {
	n := &Network{config: c, links: make(map[[2]int32]*link), changed: true}
	n.matcher = match.NewMatcher(c.MaxPending, n.settle)
	n.matcher.Space(c.Space)
	n.config.Space = nil // the matcher lets go of it once it is done
	return n
}

// AddHost returns the host's number, dense from 0. id is the clock's uuid or
// the host name; of the two hosts of a link the one with the lower id, as a
// string, is X of the geometry, whatever the numbers are.
func (n *Network) AddHost(name, id string) int32 {
	n.hosts = append(n.hosts, host{name: name, id: id})
	n.forest.Grow(len(n.hosts))
	n.matcher.Hosts(len(n.hosts))
	n.changed = true
	return int32(len(n.hosts) - 1)
}

// Span tells the part of a host's trace known so far, local ns.
func (n *Network) Span(host int32, begin, end int64) {
	h := &n.hosts[host]
	if h.widen(begin, end) && (n.solution == nil || !n.solution.covers(host, h.begin, h.end)) {
		n.changed = true
	}
}

// Tick tells by how many ns the host's clock advances at once, as far as that is known; see clock.Ticks. 0, which is what holds
// where nothing is told, is a clock that shows every ns. The last word before the last host is done counts.
func (n *Network) Tick(host int32, ns int64) {
	if h := &n.hosts[host]; h.tick != max(ns, 0) {
		h.tick = max(ns, 0)
		n.changed = true
	}
}

// Rising tells whether the host's clock never went back by what was recorded of it; false, which is what holds where nothing is told, says
// nothing. The last word before the last host is done counts.
func (n *Network) Rising(host int32, rising bool) {
	if h := &n.hosts[host]; h.rising != rising {
		h.rising = rising
		n.changed = true
	}
}

func (h *host) widen(begin, end int64) bool {
	if !h.spanned {
		h.begin, h.end, h.spanned = begin, max(begin, end), true
		return true
	}
	wider := begin < h.begin || end > h.end
	h.begin, h.end = min(h.begin, begin), max(h.end, end)
	return wider
}

// Endpoint takes the next endpoint of a host. matched is called before it
// returns, mostly never or once: with a message that may be used, or, Retracted, with
// an earlier one that may not be used any more. It may be nil.
func (n *Network) Endpoint(e match.Endpoint, matched func(match.Message)) {
	n.Span(e.Host, e.Time, e.Time)
	n.matcher.Add(e, func(m match.Message) {
		if m.Retracted {
			n.stale, n.changed = true, true
		} else if n.link(m).live.add(n.link(m).constraint(m)) {
			n.changed = true
		}
		if matched != nil {
			matched(m)
		}
	})
}

// Done tells that a host has no more endpoints. After the last host the solution is final
// and does not depend on how the hosts' endpoints were interleaved. matched is called with messages
// that only a look at all endpoints finds; what was told and not retracted holds.
func (n *Network) Done(host int32, matched func(match.Message)) {
	if h := &n.hosts[host]; !h.done {
		h.done = true
		n.done++
	}
	if n.done < len(n.hosts) {
		return
	}
	n.ending = true
	for _, l := range n.order {
		l.live, l.late = estimate{}, nil // what all come to follows
	}
	n.matcher.Settle(matched)
	for _, l := range n.order {
		l.finish()
	}
	n.stale, n.changed = false, true
}

// settle takes a message that will not be retracted any more.
func (n *Network) settle(m match.Message) {
	if n.config.Settled != nil {
		n.config.Settled(m)
	}
	l := n.link(m)
	if n.ending {
		c := l.constraint(m)
		l.last[c.side].add(c.at, uint64(c.bytes))
		return
	}
	l.settled.add(l.constraint(m))
}

// refresh makes the live estimates anew after a retraction.
func (n *Network) refresh() {
	if !n.stale {
		return
	}
	for _, l := range n.order {
		l.live = l.settled.clone()
	}
	n.matcher.Held(func(m match.Message) {
		l := n.link(m)
		l.live.add(l.constraint(m))
	})
	n.stale = false
}

// link finds the link of a message or makes it.
func (n *Network) link(m match.Message) *link {
	key := [2]int32{min(m.From, m.To), max(m.From, m.To)}
	if l := n.links[key]; l != nil {
		return l
	}
	l := newLink(n.hosts, key[0], key[1])
	n.links[key] = l
	at, _ := slices.BinarySearchFunc(n.order, l, func(p, q *link) int {
		return cmp.Or(cmp.Compare(p.a, q.a), cmp.Compare(p.b, q.b))
	})
	n.order = slices.Insert(n.order, at, l)
	return l
}

// Forgot reports whether endpoints had to be dropped: then what is known depends on the order in which
// hosts were read, see match.Pace.
func (n *Network) Forgot() bool { return n.matcher.Forgot() }

// Counts tells what became of the endpoints so far.
func (n *Network) Counts() match.Counts {
	if n.matcher == nil {
		return n.counts
	}
	return n.matcher.Counts()
}

// Solution is the newest one; the same pointer until something changed: an
// estimate, a host, a span beyond the one covered, or the number of messages by an eighth.
func (n *Network) Solution() *Solution {
	matched := n.matcher.Counts().Matched
	if n.solution != nil && !n.changed && matched <= n.counted+n.counted/8 {
		return n.solution
	}
	n.refresh()
	s := n.solve()
	if n.ending && n.config.Window != nil {
		s = n.Constraints().within(n, s, n.config).solution
	}
	s.place(n.matcher.Addresses())
	if n.solution != nil {
		s.Version = n.solution.Version
	}
	s.Version++
	n.solution, n.changed, n.counted = s, false, matched
	return s
}
