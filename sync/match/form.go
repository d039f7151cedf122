package match

import (
	"encoding/binary"
	"math/bits"

	"synchroscope/trace"
)

// A form builds keys from one layout of fields.
type form interface {
	// fill sets Key, Bytes and the addresses; false if the event has no usable headers.
	fill(ev *trace.Event, e *Endpoint) bool
}

// The values of Key.Form. Keys of different forms hold different things.
const (
	socketForm    = 1 + iota // TCP sequence numbers and flags only
	transportForm            // ports, sequence numbers and flags, no addresses
	ipv4Form
	ipv6Form
)

// The protocols that have keys, by IP protocol number.
const (
	icmp = 1
	tcp  = 6
	udp  = 17
)

// tcpFields are the fields of a TCP header. Only seq must be there.
type tcpFields struct{ source, destination, seq, ack, flags *trace.Field }

func bindTCP(c *trace.Class, prefix string) tcpFields {
	return tcpFields{
		source:      c.Field(prefix + "source_port"),
		destination: c.Field(prefix + "dest_port"),
		seq:         c.Field(prefix + "seq"),
		ack:         c.Field(prefix + "ack_seq"),
		flags:       c.Field(prefix + "flags"),
	}
}

// fill sets B and C of the key; B keeps its lowest 16 bits for a length.
func (f *tcpFields) fill(ev *trace.Event, k *Key) {
	k.Protocol = tcp
	k.B = uint64(uint16(ev.Int(f.source)))<<48 | uint64(uint16(ev.Int(f.destination)))<<32 | uint64(uint16(ev.Int(f.flags)))<<16
	k.C = uint64(uint32(ev.Int(f.seq)))<<32 | uint64(uint32(ev.Int(f.ack)))
}

// bindSocket is for inet_sock_local_in and _out, whose headers stand in the
// event itself and have no addresses.
func bindSocket(c *trace.Class) form { return bindBare(c, "", socketForm) }

// bare is a TCP header without a network header.
type bare struct {
	tcp  tcpFields
	form uint8
}

func bindBare(c *trace.Class, prefix string, number uint8) form {
	f := bare{bindTCP(c, prefix), number}
	if f.tcp.seq == nil || f.tcp.ack == nil || f.tcp.flags == nil {
		return nil
	}
	return &f
}

func (f *bare) fill(ev *trace.Event, e *Endpoint) bool {
	if !ev.Has(f.tcp.seq) {
		return false
	}
	e.Key.Form = f.form
	f.tcp.fill(ev, &e.Key)
	return true
}

// bindHeaders is for the device events. LTTng 2.8 and later record a network
// header that is a variant of IPv4 and IPv6, each with a transport header (TCP
// alone until 2.10, then UDP and ICMP too); builds before recorded the
// transport header alone, as a variant transport_fields; still older ones
// record no header at all, and their events are no endpoints.
func bindHeaders(c *trace.Class) form {
	var h headers
	h.v4 = bindIP(c, "network_header.ipv4.")
	h.v6 = bindIP(c, "network_header.ipv6.")
	if h.v4 != nil || h.v6 != nil {
		return &h
	}
	return bindBare(c, "transport_fields.thtype_tcp.", transportForm)
}

// headers is a network header of either version.
type headers struct{ v4, v6 *ip }

func (h *headers) fill(ev *trace.Event, e *Endpoint) bool {
	switch {
	case h.v4 != nil && ev.Has(h.v4.source):
		return h.v4.fillV4(ev, e)
	case h.v6 != nil && ev.Has(h.v6.source):
		return h.v6.fillV6(ev, e)
	}
	return false
}

// ip is one version of the network header and what it may carry.
type ip struct {
	source, destination          *trace.Field
	total, payload, id, fragment *trace.Field

	tcp                                      tcpFields
	udpSource, udpDestination, udpLength     *trace.Field
	icmpType, icmpCode, icmpChecksum, icmpID *trace.Field
}

func bindIP(c *trace.Class, prefix string) *ip {
	f := &ip{
		source:      c.Field(prefix + "saddr"),
		destination: c.Field(prefix + "daddr"),
		total:       c.Field(prefix + "tot_len"),
		payload:     c.Field(prefix + "payload_len"),
		id:          c.Field(prefix + "id"),
		fragment:    c.Field(prefix + "frag_off"),

		tcp: bindTCP(c, prefix+"transport_header.tcp."),

		udpSource:      c.Field(prefix + "transport_header.udp.source_port"),
		udpDestination: c.Field(prefix + "transport_header.udp.dest_port"),
		udpLength:      c.Field(prefix + "transport_header.udp.len"),

		icmpType:     c.Field(prefix + "transport_header.icmp.type"),
		icmpCode:     c.Field(prefix + "transport_header.icmp.code"),
		icmpChecksum: c.Field(prefix + "transport_header.icmp.checksum"),
		icmpID:       c.Field(prefix + "transport_header.icmp.gateway"),
	}
	if f.source == nil || f.destination == nil {
		return nil
	}
	return f
}

// fillV4 builds the exact key of an IPv4 packet:
//
//	      A                  B                             C
//	TCP   source, dest.      ports, flags, total length    seq, ack_seq
//	UDP   source, dest.      ports, length, IP id          -
//	ICMP  source, dest.      type, code, checksum, IP id   identifier, number
//
// The IP id of TCP is left out: a segment that is sent again gets a new one,
// and as two keys its copies would look like two packets, either of which
// might be the one that was received. The UDP checksum is left out because
// the sender's is not computed yet when the card is to do it.
func (f *ip) fillV4(ev *trace.Event, e *Endpoint) bool {
	if ev.Int(f.fragment)&0x1fff != 0 || !mapped(ev, f.source, &e.Source) || !mapped(ev, f.destination, &e.Destination) {
		return false
	}
	length := uint16(ev.Int(f.total))
	e.Bytes = uint32(length)
	k := &e.Key
	k.Form = ipv4Form
	k.A = uint64(binary.BigEndian.Uint32(e.Source[12:]))<<32 | uint64(binary.BigEndian.Uint32(e.Destination[12:]))
	return f.fillTransport(ev, k, length, uint16(ev.Int(f.id)))
}

// fillV6 is fillV4 for IPv6, whose addresses are in A and D, mixed. Datagrams
// have no id there, so several of one length in one flow are ambiguous.
func (f *ip) fillV6(ev *trace.Event, e *Endpoint) bool {
	if !words(ev, f.source, &e.Source) || !words(ev, f.destination, &e.Destination) {
		return false
	}
	length := uint16(ev.Int(f.payload))
	e.Bytes = uint32(length) + 40
	k := &e.Key
	k.Form = ipv6Form
	k.A, k.D = mix(&e.Source, &e.Destination)
	return f.fillTransport(ev, k, length, 0)
}

func (f *ip) fillTransport(ev *trace.Event, k *Key, length, id uint16) bool {
	switch {
	case ev.Has(f.tcp.seq):
		f.tcp.fill(ev, k)
		k.B |= uint64(length)
	case ev.Has(f.udpSource):
		k.Protocol = udp
		k.B = uint64(uint16(ev.Int(f.udpSource)))<<48 | uint64(uint16(ev.Int(f.udpDestination)))<<32 |
			uint64(uint16(ev.Int(f.udpLength)))<<16 | uint64(id)
	case ev.Has(f.icmpType):
		k.Protocol = icmp
		k.B = uint64(uint8(ev.Int(f.icmpType)))<<40 | uint64(uint8(ev.Int(f.icmpCode)))<<32 |
			uint64(uint16(ev.Int(f.icmpChecksum)))<<16 | uint64(id)
		k.C = uint64(uint32(ev.Int(f.icmpID)))
	default:
		return false
	}
	return true
}

// mapped reads an IPv4 address, an array of four bytes, as an IPv4-mapped IPv6 address.
func mapped(ev *trace.Event, f *trace.Field, a *[16]byte) bool {
	if ev.Len(f) != 4 {
		return false
	}
	a[10], a[11] = 0xff, 0xff
	for i := range 4 {
		a[12+i] = byte(ev.At(f, i))
	}
	return true
}

// words reads an IPv6 address, an array of eight 16-bit words.
func words(ev *trace.Event, f *trace.Field, a *[16]byte) bool {
	if ev.Len(f) != 8 {
		return false
	}
	for i := range 8 {
		binary.BigEndian.PutUint16(a[2*i:], uint16(ev.At(f, i)))
	}
	return true
}

// mix folds two addresses into 128 bits by multiplication, after wyhash.
func mix(a, b *[16]byte) (x, y uint64) {
	x, y = 0xa0761d6478bd642f, 0xe7037ed1a0b428db
	for _, s := range [][]byte{a[:8], a[8:], b[:8], b[8:]} {
		hi, lo := bits.Mul64(x^binary.BigEndian.Uint64(s), y|1)
		x, y = y+lo, x^hi
	}
	return x, y
}
