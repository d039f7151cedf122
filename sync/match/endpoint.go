// Package match turns network events into endpoints and endpoints into
// messages.
//
// An Extractor knows the network events of LTTng's kernel tracer, and those that
// a user declares, and makes an Endpoint of each: who, when, sent or received,
// and a Key that both ends of the packet have in common. A Matcher pairs endpoints with equal keys. It
// never guesses: a key that turns up twice on a side belongs to a packet that
// was sent again or copied on its way, and a pair of the wrong two would be a
// false constraint on the clocks, so none of its endpoints is used.
package match

type Direction uint8

const (
	Send Direction = iota
	Receive
)

// A Key is equal on both ends of one packet and, as far as the events allow, on no other.
type Key struct {
	Protocol   uint8 // IP protocol number
	Form       uint8 // which event form it was built from; forms do not mix
	A, B, C, D uint64
}

// segment reports whether k is of TCP with addresses and ports.
func (k *Key) segment() bool {
	return k.Protocol == tcp && (k.Form == ipv4Form || k.Form == ipv6Form)
}

// ports are those of a segment of TCP, 0 where the key has none.
func (k *Key) ports() (source, destination uint16) {
	if k.Protocol != tcp || k.Form < socketForm || k.Form > ipv6Form {
		return 0, 0
	}
	return uint16(k.B >> 48), uint16(k.B >> 32)
}

// opens reports whether a packet is the one of TCP that asks for a connection.
func (k *Key) opens() bool {
	return k.Protocol == tcp && k.Form >= socketForm && k.Form <= ipv6Form && k.B>>16&(syn|ack) == syn
}

// identity is the IP id of a segment of TCP, 0 if it has none.
func (k *Key) identity() uint16 {
	if k.Protocol == tcp && k.Form == ipv4Form {
		return uint16(k.D)
	}
	return 0
}

// stream is the key as far as all segments of a stream have it in common: addresses and ports.
func (k *Key) stream() Key {
	s := Key{Protocol: k.Protocol, Form: k.Form, A: k.A, B: k.B &^ 0xffffffff, D: k.D}
	if k.Form == ipv4Form {
		s.D = 0
	}
	return s
}

// Content is whether a message carries data of a TCP connection.
type Content uint8

const (
	Unrecorded Content = iota // not TCP, or the headers do not tell
	Nothing
	Something
)

func (p *Endpoint) content() Content {
	switch {
	case p.Payload > 0:
		return Something
	case p.Empty:
		return Nothing
	}
	return Unrecorded
}

// An Endpoint is one end of a packet as one host saw it.
//
// It may also be an entry of a state dump, which says that the host has an address: then
// Key has nothing but its Form, Source is the address and Destination the name of the device, padded with zeros.
// A Matcher learns from it and counts it nowhere.
type Endpoint struct {
	Time                int64 // local ns
	Host                int32
	CPU                 int32
	Thread              int32 // -1 unknown
	Bytes               uint32
	Direction           Direction
	Key                 Key
	Source, Destination [16]byte // addresses (IPv4 mapped), zero where not recorded

	// Payload is how many bytes of its stream a TCP segment carries, 0 where unknown.
	Payload uint32
	// Empty is that the headers of a TCP segment leave no room for a payload. Where neither is so, they do not tell.
	Empty bool
	// Port tells the ends of declared connections on one host apart, 0 where nothing does.
	Port uint64
}
