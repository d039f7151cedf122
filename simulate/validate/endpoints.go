package validate

import (
	"context"
	"encoding/binary"
	"fmt"
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
	pairs      []uint64          // of all messages that were matched
	backwards  map[uint64]string // of those that cannot be, and why
}

// maxBackwards is how many are remembered.
const maxBackwards = 10_000

// ends are the endpoints of a host: a number for each, see packet.hash.
type ends struct {
	sent, received []uint64
}

func newEndpoints(c *cluster) *endpoints {
	e := &endpoints{cluster: c, extractors: make(map[*tape]*match.Extractor), backwards: make(map[uint64]string)}
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
	*list = append(*list, k.hash(p.host, received, ev.Recorded))
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
	hash := pairHash(m.From, m.To, m.Sent, m.Received)
	e.pairs = append(e.pairs, hash)
	first, _, ok1 := c.when(int(m.From), m.Sent)
	_, last, ok2 := c.when(int(m.To), m.Received)
	what := ""
	switch {
	case !ok1 || !ok2:
		what = "has a time that the clock never showed"
	case last < first:
		what = fmt.Sprintf("was received %d ns before it was sent", first-last)
	}
	if what != "" && len(e.backwards) < maxBackwards {
		e.backwards[hash] = fmt.Sprintf("a message from %s at %d to %s at %d %s", c.truth.Hosts[m.From].Name, m.Sent, c.truth.Hosts[m.To].Name, m.Received, what)
	}
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

func pairHash(from, to int32, sent, received int64) uint64 {
	var b [24]byte
	le := binary.LittleEndian
	le.PutUint32(b[0:], uint32(from))
	le.PutUint32(b[4:], uint32(to))
	le.PutUint64(b[8:], uint64(sent))
	le.PutUint64(b[16:], uint64(received))
	return mixAll(b[:])
}

// compare holds what was recorded against the messages that there were.
func (c *cluster) compare(ctx context.Context) error {
	e := c.endpoints
	e.matcher.Settle(nil)
	for _, h := range e.hosts {
		slices.Sort(h.sent)
		slices.Sort(h.received)
	}
	slices.Sort(e.pairs)
	t := newTally(c)
	if err := truth.ReadMessages(c.dir, func(m *truth.Message) error {
		t.message(m)
		if t.messages&0xffff == 0 {
			return ctx.Err()
		}
		return nil
	}); err != nil {
		return err
	}
	t.finish()
	return nil
}
