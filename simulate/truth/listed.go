package truth

import "strconv"

// listed is a message in truth.json.
type listed struct {
	From     string  `json:"from"`
	To       *string `json:"to"`
	Protocol string  `json:"protocol"`
	Sent     int64   `json:"sent"`
	Received *int64  `json:"received"`
	Out      bool    `json:"recorded_sent"`
	In       bool    `json:"recorded_received"`
	Length   uint32  `json:"length"`
}

// list is how a message stands in truth.json.
func (t *Truth) list(m *Message) listed {
	l := listed{From: t.Hosts[m.From].Name, Protocol: protocol(m.Protocol), Sent: m.Sent, Out: m.RecordedSent, In: m.RecordedReceived, Length: m.Length}
	if m.To >= 0 {
		l.To = &t.Hosts[m.To].Name
	}
	if received := m.Received; received >= 0 {
		l.Received = &received
	}
	return l
}

// Lists tells whether truth.json has a message, by its number in the file of messages, as that has it: true as well
// where messages are too many to be listed. Its hosts must be there.
func (t *Truth) Lists(number int64, m *Message) bool {
	if t.listed == nil {
		return true
	}
	if number >= int64(len(t.listed)) {
		return false
	}
	a, b := t.listed[number], t.list(m)
	same := (a.To == nil) == (b.To == nil) && (a.To == nil || *a.To == *b.To) &&
		(a.Received == nil) == (b.Received == nil) && (a.Received == nil || *a.Received == *b.Received)
	a.To, b.To, a.Received, b.Received = nil, nil, nil, nil
	return same && a == b
}

func protocol(p uint8) string {
	switch p {
	case 1:
		return "icmp"
	case 6:
		return "tcp"
	case 17:
		return "udp"
	}
	return strconv.Itoa(int(p))
}
