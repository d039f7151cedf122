package network

// The protocols, by their numbers in IP.
const (
	ICMP = 1
	TCP  = 6
	UDP  = 17
)

// The flags of TCP.
const (
	FIN = 1 << iota
	SYN
	RST
	PSH
	ACK
)

// A Header is what the headers of a packet say, in the host's byte order.
type Header struct {
	Source, Destination         uint32 // addresses
	SourcePort, DestinationPort uint16 // ICMP: type << 8 | code, and the identifier
	Seq, Ack                    uint32 // ICMP: the number of the request
	Length                      int    // of the IP packet, with its headers
	ID                          uint16
	Fragment                    uint16 // the fragment field: 0x4000 is "do not fragment"
	Flags                       uint16
	Window                      uint16
	Protocol                    uint8
	TTL                         uint8
	Words                       uint8 // of the TCP header
}

// Payload is how many bytes of the packet are data.
func (h *Header) Payload() int {
	switch h.Protocol {
	case TCP:
		return h.Length - 20 - 4*int(h.Words)
	default:
		return h.Length - 28
	}
}
