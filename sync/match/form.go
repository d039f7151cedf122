package match

import (
	"encoding/binary"

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
	declaredForm // fields that a user named, as 128 bits of digest in A and B
	addressForm  // no end of a packet: an address that a state dump says the host has
)

// IP protocol numbers.
const (
	icmp = 1
	tcp  = 6
	udp  = 17
)

// tcpFields are the fields of a TCP header. Only seq must be there.
type tcpFields struct{ source, destination, seq, ack, flags, offset *trace.Field }

func bindTCP(c *trace.Class, prefix string) tcpFields {
	return tcpFields{
		source:      c.Field(prefix + "source_port"),
		destination: c.Field(prefix + "dest_port"),
		seq:         c.Field(prefix + "seq"),
		ack:         c.Field(prefix + "ack_seq"),
		flags:       c.Field(prefix + "flags"),
		offset:      c.Field(prefix + "data_offset"),
	}
}

// fill sets B and C of the key; B keeps its lowest 16 bits for a length.
func (f *tcpFields) fill(ev *trace.Event, k *Key) {
	k.Protocol = tcp
	k.B = uint64(uint16(ev.Int(f.source)))<<48 | uint64(uint16(ev.Int(f.destination)))<<32 | uint64(uint16(ev.Int(f.flags)))<<16
	k.C = uint64(uint32(ev.Int(f.seq)))<<32 | uint64(uint32(ev.Int(f.ack)))
}

// measure sets what of the bytes behind the network header is payload.
func (f *tcpFields) measure(ev *trace.Event, bytes int64, e *Endpoint) {
	if header := 4 * ev.Int(f.offset); header >= 20 && bytes >= header {
		e.Payload, e.Empty = uint32(bytes-header), bytes == header
	}
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
// header that is a variant of IPv4 and IPv6, each with a transport header;
// builds before recorded the transport header alone, as a variant
// transport_fields; still older ones record no header at all, and their events
// are no endpoints.
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

// ip is one version of the network header, and TCP on it.
type ip struct {
	source, destination *trace.Field
	protocol, length    *trace.Field
	words               *trace.Field // of the header itself, IPv4 only
	id, fragment        *trace.Field // IPv4 only
	tcp                 tcpFields
	udp                 udpFields
	icmp                icmpFields
}

// udpFields and icmpFields are the headers of datagrams.
type udpFields struct{ source, destination, length, check *trace.Field }

type icmpFields struct{ kind, code, checksum, rest *trace.Field }

func bindIP(c *trace.Class, prefix string) *ip {
	field := func(names ...string) *trace.Field {
		for _, name := range names {
			if f := c.Field(prefix + name); f != nil {
				return f
			}
		}
		return nil
	}
	f := &ip{
		source:      field("saddr"),
		destination: field("daddr"),
		protocol:    field("protocol", "nexthdr"),
		length:      field("tot_len", "payload_len"),
		words:       field("ihl"),
		id:          field("id"),
		fragment:    field("frag_off"),
		tcp:         bindTCP(c, prefix+"transport_header.tcp."),
		udp: udpFields{
			source:      field("transport_header.udp.source_port"),
			destination: field("transport_header.udp.dest_port"),
			length:      field("transport_header.udp.len"),
			check:       field("transport_header.udp.check"),
		},
		icmp: icmpFields{
			kind:     field("transport_header.icmp.type"),
			code:     field("transport_header.icmp.code"),
			checksum: field("transport_header.icmp.checksum"),
			rest:     field("transport_header.icmp.gateway"),
		},
	}
	if f.source == nil || f.destination == nil {
		return nil
	}
	return f
}

// fragmentOffset is the part of frag_off that is not flags.
const fragmentOffset = 0x1fff

// fillV4 builds the exact key of an IPv4 packet:
//
//	            A                B                              C                     D
//	TCP         source, dest.    ports, flags, total length     seq, ack_seq          id
//	other       source, dest.    frag_off, total length, id     -                     -
//	without id  source, dest.    frag_off, total length         transport (datagram)  1
//
// A segment of TCP that is sent again gets a new id, and so the id says which of
// its copies was received. Where ids are rewritten on the way, or are 0, the other
// fields decide (see Key.segment). Of the other protocols the
// id is mostly all there is: LTTng 2.13 records the UDP and ICMP headers of received
// packets before the kernel has found them, as whatever lies there.
func (f *ip) fillV4(ev *trace.Event, e *Endpoint) bool {
	if !mapped(ev, f.source, &e.Source) || !mapped(ev, f.destination, &e.Destination) {
		return false
	}
	length, id, fragment := uint16(ev.Int(f.length)), uint16(ev.Int(f.id)), uint16(ev.Int(f.fragment))
	e.Bytes = uint32(length)
	k := &e.Key
	k.Form = ipv4Form
	k.A = uint64(binary.BigEndian.Uint32(e.Source[12:]))<<32 | uint64(binary.BigEndian.Uint32(e.Destination[12:]))
	if ev.Has(f.tcp.seq) && fragment&fragmentOffset == 0 {
		f.tcp.fill(ev, k)
		k.B |= uint64(length)
		k.D = uint64(id)
		f.tcp.measure(ev, int64(length)-4*ev.Int(f.words), e)
		return true
	}
	k.Protocol = uint8(ev.Int(f.protocol))
	k.B = uint64(fragment)<<32 | uint64(length)<<16 | uint64(id)
	if id != 0 || k.Protocol == tcp {
		return id != 0 && k.Protocol != tcp
	}
	k.C, k.D = f.datagram(ev, k.Protocol, int64(length)-4*ev.Int(f.words)), 1
	return k.C != 0 && fragment&fragmentOffset == 0
}

// fillV6 is the same over IPv6, whose addresses are in A and D, mixed.
func (f *ip) fillV6(ev *trace.Event, e *Endpoint) bool {
	if !words(ev, f.source, &e.Source) || !words(ev, f.destination, &e.Destination) {
		return false
	}
	length := uint16(ev.Int(f.length))
	e.Bytes = uint32(length) + 40
	k := &e.Key
	k.Form = ipv6Form
	k.A, k.D = mix(&e.Source, &e.Destination)
	if ev.Has(f.tcp.seq) {
		f.tcp.fill(ev, k)
		k.B |= uint64(length)
		f.tcp.measure(ev, int64(length), e)
		return true
	}
	k.Protocol = uint8(ev.Int(f.protocol))
	k.B = uint64(length)
	k.C = f.datagram(ev, k.Protocol, int64(length))
	return k.C != 0
}

// datagram folds what tells datagrams apart that have no IP id, of which bytes are behind the network
// header: ports, length and checksum of UDP, the whole header of ICMP. It is 0 where that was not
// recorded, or cannot be it: for received packets, what stands there may be anything.
//
// A sender that leaves the checksum to its card records the same for all
// datagrams of one length. Then these have one key and none is used.
func (f *ip) datagram(ev *trace.Event, protocol uint8, bytes int64) uint64 {
	var d digest
	switch check := ev.Int(f.udp.check); {
	case protocol == udp && ev.Int(f.udp.length) == bytes && check != 0:
		d.word(uint64(ev.Int(f.udp.source))<<32 | uint64(ev.Int(f.udp.destination)))
		d.word(uint64(check))
	case protocol == icmp && ev.Int(f.icmp.checksum) != 0:
		d.word(uint64(ev.Int(f.icmp.kind))<<32 | uint64(ev.Int(f.icmp.code)))
		d.word(uint64(ev.Int(f.icmp.checksum))<<32 | uint64(uint32(ev.Int(f.icmp.rest))))
	default:
		return 0
	}
	return max(d.x, 1)
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

// mix folds two addresses into 128 bits.
func mix(a, b *[16]byte) (x, y uint64) {
	var d digest
	for _, s := range [...][]byte{a[:8], a[8:], b[:8], b[8:]} {
		d.word(binary.BigEndian.Uint64(s))
	}
	return d.x, d.y
}
