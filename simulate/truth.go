package simulate

import (
	"math"

	"synchroscope/simulate/network"
	"synchroscope/simulate/truth"
)

// Message takes down a message of which nothing is under way any more. What lies behind the end
// of the scenario did not happen.
func (c *cluster) Message(m *network.Message) {
	end := c.scenario.Duration
	if m.Sent >= end {
		return
	}
	if m.Received >= end {
		m.Received = -1
	}
	c.truth.Message(&truth.Message{
		Sent: m.Sent, Received: m.Received, From: int32(m.From), To: int32(m.To),
		Length: uint32(m.Length), Source: m.Source, Destination: m.Destination,
		SourcePort: m.SourcePort, DestinationPort: m.DestinationPort,
		Seq: m.Seq, ID: m.ID, Protocol: m.Protocol,
		RecordedSent: m.WasSent, RecordedReceived: m.WasReceived, Joined: m.Joined, Changed: m.Changed,
		Packets: narrow(m.Segments), TimesReceived: narrow(m.Seen),
	})
}

func narrow(n int) uint16 { return uint16(min(n, math.MaxUint16)) }

// record is what truth.json says, but for what the clocks and the messages add.
func (c *cluster) record() *truth.Truth {
	counts := c.net.Counts()
	all := &truth.Truth{
		Scenario: c.scenario.Name, Seed: c.opt.Seed, End: c.scenario.Duration,
		Network: truth.Network{
			Carried: counts.Carried, Lost: counts.Lost, Dropped: counts.Dropped, Unroutable: counts.Unroutable, Duplicated: counts.Duplicated,
		},
	}
	for i, h := range c.scenario.Hosts {
		host := truth.Host{Name: h.Name, CPUs: h.CPUs, Clock: h.Clock}
		for _, t := range c.tracings {
			if t.host == i && t.recorder != nil {
				host.Traces = append(host.Traces, t.truth())
			}
		}
		all.Hosts = append(all.Hosts, host)
	}
	return all
}
