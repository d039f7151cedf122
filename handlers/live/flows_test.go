package live

import (
	"context"
	"errors"
	"testing"

	"synchroscope/handlers/wire"
	"synchroscope/ingest"
	"synchroscope/internal/raced"
	"synchroscope/sync/match"
)

// manyConnections is manyMessages, of so many connections for each pair of hosts, the lower host's port being 80.
func manyConnections(n, connections int) (*fakeSet, *session) {
	f, s := manyMessages(n)
	all := f.ranged
	f.ranged = func(ctx context.Context, begin, end int64, yield func(match.Message) bool) error {
		return all(ctx, begin, end, func(m match.Message) bool {
			m.Protocol = 6
			m.FromPort, m.ToPort = 80, uint16(1000+int(m.Data)%connections)
			if m.From > m.To {
				m.FromPort, m.ToPort = m.ToPort, m.FromPort
			}
			return yield(m)
		})
	}
	return f, s
}

// However many messages a range has, the connections of a host are listed with exactly as many as they
// have in the part that is counted, and their arrows are of no other connection.
func TestConnectionsOfManyMessages(t *testing.T) {
	raced.Alone(t)
	for _, connections := range []int{20, 149} {
		if testing.Short() && connections < mostFlows {
			continue
		}
		f, s := manyConnections(60_000, connections)
		request := wire.Request{Begin: 2_000_000, End: 58_000_000, From: 20_123_456, To: 40_654_321, Columns: 2700, Limit: 3600, Hosts: []int32{0}}
		want := make(map[connection]uint32)
		if err := f.ranged(t.Context(), request.From, request.To, func(m match.Message) bool {
			switch {
			case m.From == 0:
				want[connection{6, m.FromPort, s.rows.of(m.To, -1), m.ToPort}]++
			case m.To == 0:
				want[connection{6, m.ToPort, s.rows.of(m.From, -1), m.FromPort}]++
			}
			return true
		}); err != nil {
			t.Fatal(err)
		}
		more := max(0, len(want)-mostFlows)
		if connections > mostFlows && more == 0 {
			t.Fatalf("only %d connections", len(want))
		}
		made, err := gatherAll(t.Context(), s, s.lens(false), true)
		if err != nil || made == nil {
			t.Fatal(made, err)
		}
		for _, ready := range []*crowd{nil, made} {
			have(s, ready, true)
			flows, err := flowsIn(t.Context(), s, request)
			if err != nil {
				t.Fatal(err)
			}
			if len(flows.Hosts) != 1 || flows.Hosts[0].More != more || len(flows.Hosts[0].Flows) != len(want)-more {
				t.Fatalf("of %d connections: %d hosts, %d connections, %d more", len(want), len(flows.Hosts), len(flows.Hosts[0].Flows), flows.Hosts[0].More)
			}
			for _, g := range flows.Hosts[0].Flows {
				if n := want[connection{g.Protocol, g.Port, g.Peer, g.PeerPort}]; g.Count != n {
					t.Errorf("%+v, want %d messages", g, n)
				}
			}

			request.Flows = true
			out := messagesOf(t, s, request)
			if len(out.Arrows) > request.Limit {
				t.Errorf("%d arrows, more than %d", len(out.Arrows), request.Limit)
			}
			apart := make(map[connection]uint32)
			var total uint32
			for _, a := range out.Arrows {
				total += a.Count
				if a.From == flows.Hosts[0].Host {
					apart[connection{a.Protocol, a.FromPort, a.To, a.ToPort}] += a.Count
				} else if a.To == flows.Hosts[0].Host {
					apart[connection{a.Protocol, a.ToPort, a.From, a.FromPort}] += a.Count
				}
			}
			if total != out.Total {
				t.Errorf("arrows of %d messages, want %d", total, out.Total)
			}
			for _, g := range flows.Hosts[0].Flows {
				if n := apart[connection{g.Protocol, g.Port, g.Peer, g.PeerPort}]; n < g.Count {
					t.Errorf("%+v has arrows of %d messages", g, n)
				}
			}
		}
	}
}

// More connections than are counted are refused where they are to be listed, and bundled together where their messages are drawn.
func TestTooManyConnections(t *testing.T) {
	f, s := manyMessages(1)
	f.status.State = ingest.Importing
	s.hub.flows = 5000
	most := 0
	f.ranged = func(ctx context.Context, _, _ int64, yield func(match.Message) bool) error {
		for i := range most {
			if !yield(match.Message{From: 0, To: 1, Sent: int64(i), Received: int64(i) + 100, Protocol: 6, FromPort: uint16(i), ToPort: 80}) {
				return nil
			}
		}
		return nil
	}
	request := wire.Request{Begin: 0, End: 1 << 20, From: 0, To: 1 << 20, Columns: 900, Limit: 300}
	for _, most = range []int{2500, 2501} {
		refused := most > 2500
		if _, err := flowsIn(t.Context(), s, request); errors.Is(err, errFlows) != refused || !refused && err != nil {
			t.Errorf("%d connections: %v", most, err)
		}
	}
	request.Flows = true
	out := messagesOf(t, s, request)
	if len(out.Arrows) > request.Limit || out.Total != uint32(most) {
		t.Errorf("%d arrows, of %d messages", len(out.Arrows), out.Total)
	}
}
