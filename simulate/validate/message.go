package validate

import "synchroscope/simulate/truth"

// headers are those that a message was sent with, as far as the truth has them.
func headers(m *truth.Message) packet {
	return packet{
		source: m.Source, destination: m.Destination, sourcePort: m.SourcePort, destinationPort: m.DestinationPort,
		seq: m.Seq, length: uint16(m.Length), id: m.ID, protocol: m.Protocol,
	}
}

// possible tells whether a message has hosts and times that there are.
func (t *tally) possible(m *truth.Message) bool {
	n := int32(len(t.hosts))
	return m.From < n && m.To < n && m.Sent <= t.c.truth.End && (m.Received < 0 || m.To >= 0 && m.Received >= m.Sent)
}

// agrees checks that what the truth says of a message by itself can be, and that what was not recorded could be missed.
func (t *tally) agrees(m *truth.Message) {
	number := t.messages - 1
	packets := 1
	if m.Protocol == tcp && m.Length > tcpHeaders+mss {
		packets = (int(m.Length) - tcpHeaders + mss - 1) / mss
	}
	if int(m.Packets) != packets {
		t.fail("message %d, of %d bytes, is %d packets, not %d", number, m.Length, packets, m.Packets)
	}
	switch {
	case m.Received >= 0 && m.TimesReceived < m.Packets:
		t.fail("message %d was received, but only %d times, and is %d packets", number, m.TimesReceived, m.Packets)
	case m.Received < 0 && m.RecordedReceived:
		t.fail("message %d was recorded when it was received, but was not received", number)
	}
	hosts := t.c.endpoints.hosts
	if !m.RecordedSent && t.c.complete(int(m.From), hosts[m.From].sent, m.Sent, m.Sent) {
		t.fail("message %d was not recorded when it was sent, though nothing is lost there", number)
	}
	if m.Received >= 0 && !m.RecordedReceived && t.c.complete(int(m.To), hosts[m.To].received, m.Received, m.Received) {
		t.fail("message %d was not recorded when it was received, though nothing is lost there", number)
	}
	if !t.c.truth.Lists(number, m) {
		t.fail("message %d is not the one that truth.json lists", number)
	}
	t.network.add(m)
}
