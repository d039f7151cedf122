package network

// A Packet is what goes over a link.
type Packet struct {
	Header
	Message *Message // that it is, or is a part of
	Note    any      // what the sender gives the receiver with it, though no packet could carry it
	id      uint32
	to      int32 // node
	copies  uint8 // that links may still make of it
}

// A Message is what a host hands to a card at once. A card may cut it into several packets, and the card that
// receives them may join them, with those of other messages, to what its host sees
// as one.
type Message struct {
	Header              // as it was sent
	From, To      int   // hosts; To is -1 if none has the address
	Sent          int64 // when the sender records it, true ns
	Received      int64 // when the receiver records the last part of it, -1: never
	Segments      int   // packets it was cut into
	Seen          int   // how often all of it, or a part of it, was recorded as received
	Joined        bool  // it was received as one with others
	Changed       bool  // addresses or ports were changed on the way
	WasSent       bool  // the trace has the event of sending
	WasReceived   bool  // the trace has the event of its last part being received
	left, missing int   // packets under way, and those that never came
	index         int   // in the list of those under way
}

// NewMessage is a message that is about to be sent. When all its packets are on their way, [Network.Sent] must be called.
func (n *Network) NewMessage(from int, h *Header) *Message {
	var m *Message
	if k := len(n.spare); k > 0 {
		m = n.spare[k-1]
		n.spare = n.spare[:k-1]
	} else {
		m = new(Message)
	}
	*m = Message{Header: *h, From: from, To: -1, Received: -1, left: 1, index: len(n.messages)}
	if d, ok := n.address[h.Destination]; ok {
		m.To = int(n.nodes[d].host)
	}
	n.messages = append(n.messages, m)
	return m
}

// NewPacket is a packet of a message, or one of a number of them.
func (n *Network) NewPacket(m *Message, h *Header) *Packet {
	var p *Packet
	if k := len(n.free); k > 0 {
		p = n.free[k-1]
		n.free = n.free[:k-1]
	} else {
		p = &Packet{id: uint32(len(n.packets))}
		n.packets = append(n.packets, p)
	}
	p.Header, p.Message, p.to, p.copies = *h, m, -1, maxCopies
	m.left++
	m.Segments++
	return p
}

// Sent tells that no more packets of a message will come.
func (n *Network) Sent(m *Message) { n.part(m) }

// Taken gives a packet back that its receiver has recorded, at a time. The trace has the event or not.
func (n *Network) Taken(p *Packet, host int, t int64, recorded, joined bool) {
	m := p.Message
	m.To = host
	m.Received, m.WasReceived = t, recorded
	m.Joined = m.Joined || joined
	m.Seen++
	n.release(p)
}

// Drop gives a packet back that nobody has seen.
func (n *Network) Drop(p *Packet) {
	p.Message.missing++
	n.release(p)
}

func (n *Network) release(p *Packet) {
	m := p.Message
	p.Message, p.Note = nil, nil
	n.free = append(n.free, p)
	n.part(m)
}

// part is a part of a message being done with.
func (n *Network) part(m *Message) {
	if m.left--; m.left > 0 {
		return
	}
	if m.missing > 0 && m.Seen < m.Segments {
		m.Received, m.WasReceived = -1, false
	}
	n.tell(m)
}

// tell hands a message to the observer and takes it from the list.
func (n *Network) tell(m *Message) {
	if n.observer != nil {
		n.observer.Message(m)
	}
	last := n.messages[len(n.messages)-1]
	n.messages[m.index], last.index = last, m.index
	n.messages = n.messages[:len(n.messages)-1]
	n.spare = append(n.spare, m)
}

// Close tells the observer of what is still under way: it is not received.
func (n *Network) Close() {
	for _, m := range n.messages {
		m.Received, m.WasReceived = -1, false
		if n.observer != nil {
			n.observer.Message(m)
		}
	}
	n.messages = n.messages[:0]
}
