package validate

import (
	"slices"

	"synchroscope/simulate/truth"
)

// mss is how many bytes of a TCP segment go into a packet, and tcpHeaders are those of the headers before them: what a card
// cuts up is cut here.
const mss, tcpHeaders = 1448, 52

// An altered is what a host received of messages that did not come as they were sent: cut, joined, copied or
// translated. The truth has one time for each, but some of their headers are known. It lists the events of receiving that are
// of no other message, and counts for each of packet.loose how many there can and must be.
type altered struct {
	loose      []uint32 // sorted
	most, must []int64  // by the index of the first that is equal
}

// altered makes what goes through the messages a second time, when those that came as they were sent have been ticked off.
func (t *tally) altered() func(*truth.Message) {
	for i, h := range t.c.endpoints.hosts {
		var a altered
		for k, marked := range t.hosts[i].received {
			if !marked {
				a.loose = append(a.loose, h.received[k].loose)
			}
		}
		slices.Sort(a.loose)
		a.most, a.must = make([]int64, len(a.loose)), make([]int64, len(a.loose))
		t.others = append(t.others, a)
	}
	number := int64(-1)
	return func(m *truth.Message) {
		number++
		if t.possible(m) && m.To >= 0 && !m.Whole() && m.TimesReceived > 0 {
			t.claim(number, m)
		}
	}
}

// claim counts the events that there can and must be of a message.
func (t *tally) claim(number int64, m *truth.Message) {
	to := int(m.To)
	a := &t.others[to]
	k := headers(m)
	if m.Packets == 1 && m.TimesReceived == 1 && m.RecordedReceived && m.Received >= 0 {
		same := k.hash(to, true, t.c.clocks[to].Local(m.Received))
		if tick(t.c.endpoints.hosts[to].received, t.hosts[to].received, same) != nil {
			t.fail("message %d is said to have been joined or translated, but was received as it was sent", number)
		}
	}
	must := m.Packets == 1 && !m.Joined && m.Received >= 0 && t.c.complete(to, t.c.endpoints.hosts[to].received, m.Sent, m.Received)
	for range m.Packets {
		i, found := slices.BinarySearch(a.loose, k.loose())
		switch {
		case found && must:
			a.must[i] += int64(m.TimesReceived)
			fallthrough
		case found:
			a.most[i] += int64(m.TimesReceived)
		case must:
			t.fail("message %d was received %d times, and nothing is lost where it was, but no trace has it", number, m.TimesReceived)
		}
		k.id++
		k.seq += mss
	}
}

// unexplained tells what was received and is of no message, or of fewer than it must be.
func (t *tally) unexplained(host int) {
	a, name := &t.others[host], t.c.truth.Hosts[host].Name
	spare, short := int64(0), int64(0)
	for i := 0; i < len(a.loose); {
		end := i + 1
		for end < len(a.loose) && a.loose[end] == a.loose[i] {
			end++
		}
		n := int64(end - i)
		spare += max(0, n-a.most[i])
		short += max(0, a.must[i]-n)
		i = end
	}
	if spare > 0 {
		t.fail("%s: %d events of receiving are of no message, or of one that was not received so often", name, spare)
	}
	if short > 0 {
		t.fail("%s: of messages that came as one packet, and more than once or with other addresses, %d events of receiving are missing, though nothing is lost there", name, short)
	}
}

// complete tells whether all is recorded that a host sent or received between two true times: a trace was going on, and lost
// nothing. There must be events of that kind.
func (c *cluster) complete(host int, there []end, from, to int64) bool {
	const ahead = 10e6 // so far ahead of the beginning of a trace a CPU never is
	return len(there) > 0 && slices.ContainsFunc(c.truth.Hosts[host].Traces, func(t truth.Trace) bool {
		return t.Begin+ahead <= from && to < t.End && t.Lost+t.Untold+t.LostPackets == 0 && !t.Cut
	})
}
