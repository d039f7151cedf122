package validate

import (
	"cmp"
	"context"
	"slices"

	"synchroscope/simulate/truth"
	"synchroscope/sync/match"
	"synchroscope/trace"
)

// endpoints are what the traces say of messages, as numbers that the truth must have too.
type endpoints struct {
	cluster    *cluster
	hosts      []*ends // by host
	extractors map[*tape]*match.Extractor
	matcher    *match.Matcher
	pairs      []pair // of all messages that were matched
}

// ends are the endpoints of a host.
type ends struct {
	sent, received []end
}

// An end is three numbers for what was recorded of a packet, see packet.hash, packet.rest and packet.loose.
type end struct {
	hash        uint64
	rest, loose uint32
}

func (e end) compare(o end) int { return cmp.Compare(e.hash, o.hash) }

func newEndpoints(c *cluster) *endpoints {
	e := &endpoints{cluster: c, extractors: make(map[*tape]*match.Extractor)}
	for range c.truth.Hosts {
		e.hosts = append(e.hosts, &ends{})
	}
	e.matcher = match.NewMatcher(0, e.matched)
	return e
}

// recorded takes an event of the network.
func (e *endpoints) recorded(p *tape, ev *trace.Event, received bool, k *packet) {
	h := e.hosts[p.host]
	list := &h.sent
	if received {
		list = &h.received
	}
	*list = append(*list, end{k.hash(p.host, received, ev.Recorded), k.rest(), k.loose()})
}

// extract gives an event to the matcher, as a synchronization would.
func (e *endpoints) extract(p *tape, ev *trace.Event) {
	x := e.extractors[p]
	if x == nil {
		x = match.NewExtractor(int32(p.host))
		e.extractors[p] = x
	}
	if end, ok := x.Extract(ev); ok {
		end.Time = ev.Recorded
		e.matcher.Add(end, nil)
	}
}

// matched takes a message that the matcher is sure of.
func (e *endpoints) matched(m match.Message) {
	c := e.cluster
	c.report.Matched++
	check := c.report.check(Causality)
	check.Done++
	p := pair{from: m.From, to: m.To, sent: m.Sent, received: m.Received}
	first, _, ok1 := c.when(int(m.From), m.Sent)
	_, last, ok2 := c.when(int(m.To), m.Received)
	p.impossible = !ok1 || !ok2 || last < first
	e.pairs = append(e.pairs, p)
}

// when are the true times at which the clock of a host showed a local time while it was traced.
func (c *cluster) when(host int, local int64) (first, last int64, ok bool) {
	for _, t := range c.truth.Hosts[host].Traces {
		f, l, found := c.clocks[host].When(local, t.Begin, t.End+1)
		if found && !ok {
			first, ok = f, true
		}
		if found {
			last = l
		}
	}
	return first, last, ok
}

// A pair is a message as the matcher has it, in local times.
type pair struct {
	sent, received int64
	from, to       int32
	impossible     bool // the clocks never showed these times, or not in this order
}

// compare orders pairs by who sent them when to whom, and then by when they were received.
func (p pair) compare(q pair) int {
	return cmp.Or(cmp.Compare(p.sent, q.sent), cmp.Compare(p.from, q.from), cmp.Compare(p.to, q.to), cmp.Compare(p.received, q.received))
}

// compare holds what was recorded against the messages that there were.
func (c *cluster) compare(ctx context.Context) error {
	e := c.endpoints
	e.matcher.Settle(nil)
	for _, h := range e.hosts {
		slices.SortFunc(h.sent, end.compare)
		slices.SortFunc(h.received, end.compare)
	}
	slices.SortFunc(e.pairs, pair.compare)
	t := newTally(c)
	pass := func(look func(*truth.Message)) error {
		n := 0
		return truth.ReadMessages(c.dir, func(m *truth.Message) error {
			look(m)
			if n++; n&0xffff == 0 {
				return ctx.Err()
			}
			return nil
		})
	}
	if err := pass(t.message); err != nil {
		return err
	}
	if err := pass(t.altered()); err != nil {
		return err
	}
	t.finish()
	return nil
}
