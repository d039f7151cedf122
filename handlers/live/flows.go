package live

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"synchroscope/handlers/wire"
)

// mostFlows is how many connections of a host are told apart, those with most messages.
const mostFlows = 120

// flowLimit is how many connections are counted at once, one between two hosts that are asked for at both: some 100 MB.
const flowLimit = 1 << 20

// errFlows is that there are more.
const errFlows = refusal("There are too many connections in this range to list them; choose a shorter one.")

// answerFlows lists the connections of hosts that have messages in a part of a range: exactly as many as
// they have there. Which of very many are listed, the whole range decides, as it does for
// messages, so that each that is listed has its own arrows in the answer of the same range.
func answerFlows(ctx context.Context, s *session, r wire.Request) (answer, error) {
	out, err := flowsIn(ctx, s, r)
	if err != nil {
		return nil, err
	}
	return func(uint32) ([]byte, error) { return wire.EncodeJSON(wire.KindFlows, r.Header, out) }, nil
}

func flowsIn(ctx context.Context, s *session, r wire.Request) (out *wire.Flows, err error) {
	err = s.reading(ctx, r, true, func(x *reading) error {
		out, err = x.listed(ctx)
		return err
	})
	return out, err
}

func (x *reading) listed(ctx context.Context) (*wire.Flows, error) {
	r := x.r
	all, err := x.flows(ctx, r.Begin, r.End)
	if err != nil {
		return nil, err
	}
	counted, err := x.flows(ctx, r.From, r.To)
	if err != nil {
		return nil, err
	}
	out := &wire.Flows{Hosts: []wire.HostFlows{}}
	listed := all.most(r)
	for _, host := range slices.Sorted(maps.Keys(counted)) {
		h := wire.HostFlows{Host: host, Flows: []wire.Flow{}}
		of := counted[host]
		for _, f := range slices.SortedFunc(maps.Keys(of), func(f, g connection) int {
			return cmp.Or(cmp.Compare(of[f].first, of[g].first), f.compare(g))
		}) {
			if !listed[host][f] {
				h.More++
				continue
			}
			h.Flows = append(h.Flows, wire.Flow{Protocol: f.protocol, Port: f.port, Peer: f.peer, PeerPort: f.peerPort, Count: of[f].count})
		}
		out.Hosts = append(out.Hosts, h)
	}
	return out, nil
}

// A connection is as one of its hosts has it.
type connection struct {
	protocol uint8
	port     uint16
	peer     uint32 // row
	peerPort uint16
}

func (f connection) compare(g connection) int {
	return cmp.Or(cmp.Compare(f.protocol, g.protocol), cmp.Compare(f.port, g.port), cmp.Compare(f.peer, g.peer), cmp.Compare(f.peerPort, g.peerPort))
}

type tally struct {
	count uint32
	first int64 // when its first message was sent
}

// flowTable are the connections of hosts, by the rows of the hosts.
type flowTable map[uint32]map[connection]tally

// flows counts the messages that touch [begin, end) by the connections of the hosts that are asked for.
func (x *reading) flows(ctx context.Context, begin, end int64) (flowTable, error) {
	out, size := make(flowTable), 0
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	open := make(map[uint32]bool)
	for _, host := range x.r.Hosts {
		open[x.s.rows.of(host, -1)] = true
	}
	add := func(a wire.Arrow, sent, _ int64) {
		if a.Protocol == 0 {
			return
		}
		from, to := x.s.rows.hostRow(a.From), x.s.rows.hostRow(a.To)
		size += out.add(open, from, connection{a.Protocol, a.FromPort, to, a.ToPort}, a.Count, sent)
		size += out.add(open, to, connection{a.Protocol, a.ToPort, from, a.FromPort}, a.Count, sent)
		if size > x.s.hub.flows {
			stop()
		}
	}
	err := x.each(ctx, begin, end, 0, add, func(n bundle, _ int64) {
		add(n.Arrow, begin+int64(n.sent.after(begin, n.Count)), 0)
	})
	if size > x.s.hub.flows {
		return nil, errFlows
	}
	return out, err
}

// add counts messages of a connection at one of its hosts, and returns how many connections there are more.
func (t flowTable) add(open map[uint32]bool, host uint32, f connection, count uint32, sent int64) (more int) {
	if len(open) > 0 && !open[host] {
		return 0
	}
	of := t[host]
	if of == nil {
		of = make(map[connection]tally)
		t[host] = of
	}
	n, known := of[f]
	if !known {
		more = 1
	}
	if !known || sent < n.first {
		n.first = sent
	}
	n.count += count
	of[f] = n
	return more
}

// most are the connections of each host that are told apart: so many that a cell for each of them leaves room.
func (t flowTable) most(r wire.Request) map[uint32]map[connection]bool {
	most := min(mostFlows, max(1, r.Limit/(4*max(1, len(t)))))
	out := make(map[uint32]map[connection]bool, len(t))
	for host, of := range t {
		list := slices.SortedFunc(maps.Keys(of), func(f, g connection) int {
			return cmp.Or(cmp.Compare(of[g].count, of[f].count), f.compare(g))
		})
		out[host] = make(map[connection]bool, most)
		for _, f := range list[:min(most, len(list))] {
			out[host][f] = true
		}
	}
	return out
}

// kept are the ways of these connections, as a bundler knows them.
func (t flowTable) kept(r wire.Request) map[cell]bool {
	out := make(map[cell]bool)
	for host, of := range t.most(r) {
		for f := range of {
			out[cell{from: host, to: f.peer, flow: flow{f.protocol, f.port, f.peerPort}}] = true
			out[cell{from: f.peer, to: host, flow: flow{f.protocol, f.peerPort, f.port}}] = true
		}
	}
	return out
}
