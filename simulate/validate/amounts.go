package validate

import "fmt"

// amounts compares counts: what the reader found, what the headers of packets say, and what the truth does.
func (c *cluster) amounts(p *tape, events, lost int64, streams []stream) {
	var all stream
	over := !setBack(c.truth.Hosts[p.host].Clock)
	for _, s := range streams {
		all.packets += s.packets
		all.missing += s.missing
		all.first += s.first
		all.told += s.told
		over = over && s.over
	}
	check := c.report.check(Counts)
	for _, n := range []struct {
		what        string
		there, said int64
		least       bool // there may be more, which the trace does not know of
	}{
		{"events", events, p.said.Events, false},
		{"lost events", lost, p.said.Lost, false},
		{"lost events by the headers of packets", all.told, p.said.Lost, false},
		{"packets", all.packets, p.said.Packets, false},
		{"lost packets", all.missing, p.said.LostPackets, !over},
		{"lost events before the end of the first packet, where that is not packet 0,", all.first, p.said.Untold, !over},
	} {
		check.Done++
		if n.there > n.said || n.there < n.said && !n.least {
			check.fail(Problem{Trace: p.path, Text: fmt.Sprintf("there are %d %s, the truth says %d", n.there, n.what, n.said)})
		}
	}
	check.Done++
	if p.said.LostPackets == 0 && p.said.Missing != 0 {
		check.fail(Problem{Trace: p.path, Text: fmt.Sprintf("the truth says that no packets are lost, and %d events in them", p.said.Missing)})
	}
}
