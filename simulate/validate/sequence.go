package validate

// A flow is one direction of a TCP connection.
type flow struct {
	source, destination         uint32
	sourcePort, destinationPort uint16
}

func (p *packet) flow() flow {
	return flow{p.source, p.destination, p.sourcePort, p.destinationPort}
}

func (f flow) back() flow {
	return flow{f.destination, f.source, f.destinationPort, f.sourcePort}
}

// A direction is what is known of a flow that was seen from its beginning.
type direction struct {
	sent     bool   // by this machine, or else received
	next     uint32 // the sequence number behind all that was seen
	first    uint32 // that of the beginning
	ack      uint32 // the last one
	hasAcked bool
}

// maxFlows is how many are remembered. When there are more, all are forgotten; only those that begin then are checked.
const maxFlows = 1 << 16

// before tells whether a is before b, counted around.
func before(a, b uint32) bool { return int32(a-b) < 0 }

// segment checks a TCP segment. What is sent must follow on what was sent, or be a part
// of it; it must not take an acknowledgement back, nor acknowledge what has not come.
func (m *machine) segment(p *packet, received bool) {
	m.sequence.Done++
	key := p.flow()
	length := uint32(max(p.payload, 0))
	if p.payload < 0 {
		m.fail(m.sequence, "a segment of %d bytes has headers of %d", p.length, int(p.length)-p.payload)
	}
	if p.flags&syn != 0 {
		length++
	}
	if p.flags&fin != 0 {
		length++
	}
	if p.source == p.destination || m.unordered {
		return // over the loopback device, both ends are here
	}
	d := m.flows[key]
	switch {
	case p.flags&rst != 0:
		delete(m.flows, key)
		delete(m.flows, key.back())
		return
	case p.flags&syn != 0 && (d == nil || d.first != p.seq || d.sent == received):
		if len(m.flows) >= maxFlows {
			clear(m.flows)
		}
		d = &direction{sent: !received, next: p.seq + length, first: p.seq}
		m.flows[key] = d
		if p.flags&ackFlag == 0 {
			delete(m.flows, key.back()) // of a connection that used these ports before
		}
	case d == nil || d.sent == received:
		return
	}
	end := p.seq + length
	if !received && before(d.next, p.seq) {
		m.fail(m.sequence, "a segment sent from port %d to %d begins at %d, but what was sent before ends at %d", p.sourcePort, p.destinationPort, p.seq, d.next)
	}
	if before(d.next, end) {
		d.next = end
	}
	switch {
	case p.flags&ackFlag == 0:
	case received:
		m.acknowledged(p)
	default:
		m.acknowledges(p, d)
	}
}

// acknowledged is what came in saying what has arrived of what was sent.
func (m *machine) acknowledged(p *packet) {
	if back := m.flows[p.flow().back()]; back != nil && back.sent && before(back.next, p.ack) {
		m.fail(m.sequence, "a segment received from port %d at %d acknowledges %d, but what was sent ends at %d", p.sourcePort, p.destinationPort, p.ack, back.next)
	}
}

func (m *machine) acknowledges(p *packet, d *direction) {
	if d.hasAcked && before(p.ack, d.ack) {
		m.fail(m.sequence, "a segment sent from port %d to %d acknowledges %d after %d", p.sourcePort, p.destinationPort, p.ack, d.ack)
	}
	d.ack, d.hasAcked = p.ack, true
	if back := m.flows[p.flow().back()]; back != nil && !back.sent && before(back.next, p.ack) {
		m.fail(m.sequence, "a segment sent from port %d to %d acknowledges %d, but what has come ends at %d", p.sourcePort, p.destinationPort, p.ack, back.next)
	}
}
