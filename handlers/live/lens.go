package live

import (
	"synchroscope/handlers/wire"
	"synchroscope/sync/clock"
	"synchroscope/sync/match"
	"synchroscope/sync/network"
)

// A lens shows local times as a request wants them: in reference time through
// the clock maps of one solution, or raw, as they are.
//
// Before the hosts are known to the synchronization, and for hosts that no
// message ties to the others, reference time is local time.
type lens struct {
	solution *network.Solution // nil while there is none
	raw      bool
}

func (s *session) lens(raw bool) lens { return lens{s.set.Solution(), raw} }

func (l lens) clock(host int32) *clock.Map {
	if l.solution == nil || host < 0 || int(host) >= len(l.solution.Hosts) {
		return nil
	}
	return l.solution.Hosts[host].Map
}

// final tells whether the clocks are those of all that is read, or are not asked for.
func (l lens) final(r wire.Request) bool { return r.Raw || l.solution != nil && l.solution.Final }

// local is the host's own time when the axis shows t.
func (l lens) local(host int32, t int64) int64 {
	if m := l.clock(host); m != nil && !l.raw {
		return m.Local(t)
	}
	return t
}

// shown is where the axis shows a host's own time t.
func (l lens) shown(host int32, t int64) int64 {
	if m := l.clock(host); m != nil && !l.raw {
		return m.Reference(t)
	}
	return t
}

// bound is the error bound in ns of a host's clock at its local time t; ok is
// false where none is known.
func (l lens) bound(host int32, t int64) (ns int64, ok bool) {
	if m := l.clock(host); m != nil {
		return m.Error(t)
	}
	return 0, false
}

// bound32 is the error bound of a host's clock against those of the hosts related to it, as the wire has it: -1 where none is known.
func (l lens) bound32(host int32, t int64) float32 {
	if l.clock(host) != nil {
		if ns, ok := l.solution.Error(host, t); ok {
			return float32(ns)
		}
	}
	return -1
}

// violated reports whether a message that is shown received before sent contradicts the clocks. While an import runs,
// there are messages that the clocks have not learnt from yet: those they contradict only beyond
// their bounds. In the end they know all, and nothing is said of hosts that none relates.
func (l lens) violated(m *match.Message) bool {
	from, to := l.clock(m.From), l.clock(m.To)
	switch {
	case l.raw:
		return true
	case from == nil || to == nil || l.solution.Hosts[m.From].Component != l.solution.Hosts[m.To].Component:
		return false
	case l.solution.Final:
		return true
	}
	sent, known := l.solution.Error(m.From, m.Sent)
	received, both := l.solution.Error(m.To, m.Received)
	return known && both && from.Reference(m.Sent)-to.Reference(m.Received) > sent+received
}

// version is that of the maps, as the wire has it: 0 in raw time and while there are none. It is a count of maps of a
// set, far from what a u32 holds.
func (l lens) version() uint32 {
	if l.solution == nil || l.raw {
		return 0
	}
	return uint32(l.solution.Version)
}

// clocks says by which maps a request is answered.
func (l lens) clocks(r wire.Request, hosts int) wire.Clocks {
	out := wire.Clocks{Version: l.version(), Hosts: make([]wire.Span, hosts)}
	for i := range out.Hosts {
		out.Hosts[i] = wire.Span{Begin: l.local(int32(i), r.Begin), End: l.local(int32(i), r.End)}
	}
	return out
}

// localEdges maps the edges of columns.
func (l lens) localEdges(host int32, edges []int64) []int64 {
	m := l.clock(host)
	if l.raw || m == nil {
		return edges
	}
	c := m.Locals()
	out := make([]int64, len(edges))
	for i, t := range edges {
		out[i] = c.At(t)
	}
	return out
}
