package validate

import (
	"encoding/binary"

	"synchroscope/trace"
)

// A packet is what the headers in an event say.
type packet struct {
	source, destination         uint32
	sourcePort, destinationPort uint16 // ICMP: type and code, identifier
	seq, ack                    uint32 // ICMP: number of the request
	length, id                  uint16
	flags, window               uint16
	protocol                    uint8
	payload                     int // TCP
}

const (
	icmp, tcp, udp = 1, 6, 17

	fin, syn, rst, ackFlag = 1, 2, 4, 16
)

// packets is the handler of a class of network events, which reads IPv4 headers.
func (m *machine) packets(c *trace.Class, received bool) func(*trace.Event) {
	ip := func(name string) *trace.Field { return c.Field("network_header.ipv4." + name) }
	transport := func(name string) *trace.Field { return ip("transport_header." + name) }
	source, destination := ip("saddr"), ip("daddr")
	length, id, protocol := ip("tot_len"), ip("id"), ip("protocol")
	tcpSource, tcpDestination := transport("tcp.source_port"), transport("tcp.dest_port")
	seq, ack, offset, flags := transport("tcp.seq"), transport("tcp.ack_seq"), transport("tcp.data_offset"), transport("tcp.flags")
	udpSource, udpDestination := transport("udp.source_port"), transport("udp.dest_port")
	icmpType, icmpCode, icmpRest := transport("icmp.type"), transport("icmp.code"), transport("icmp.gateway")
	window := transport("tcp.window_size")
	device, buffer := c.Field("name"), c.Field("skbaddr")
	address := func(ev *trace.Event, f *trace.Field) uint32 {
		return uint32(ev.At(f, 0))<<24 | uint32(ev.At(f, 1))<<16 | uint32(ev.At(f, 2))<<8 | uint32(ev.At(f, 3))
	}
	return func(ev *trace.Event) {
		if !received && buffer != nil {
			m.queue(ev.CPU, ev.Int(buffer))
		}
		if !ev.Has(source) {
			return
		}
		p := packet{
			source: address(ev, source), destination: address(ev, destination),
			length: uint16(ev.Int(length)), id: uint16(ev.Int(id)), protocol: uint8(ev.Int(protocol)),
		}
		switch {
		case p.protocol == tcp && ev.Has(seq):
			p.sourcePort, p.destinationPort = uint16(ev.Int(tcpSource)), uint16(ev.Int(tcpDestination))
			p.seq, p.ack, p.flags = uint32(ev.Int(seq)), uint32(ev.Int(ack)), uint16(ev.Int(flags))
			p.window = uint16(ev.Int(window))
			p.payload = int(p.length) - 20 - 4*int(ev.Int(offset))
			m.segment(&p, received)
		case p.protocol == udp && ev.Has(udpSource):
			p.sourcePort, p.destinationPort = uint16(ev.Int(udpSource)), uint16(ev.Int(udpDestination))
		case p.protocol == icmp && ev.Has(icmpType):
			p.sourcePort = uint16(ev.Int(icmpType))<<8 | uint16(ev.Int(icmpCode))
			rest := uint32(ev.Int(icmpRest))
			p.destinationPort, p.seq = uint16(rest>>16), rest&0xffff
		}
		if m.network != nil && string(ev.Bytes(device)) != "lo" { // what stays on a machine is no message
			m.network(ev, received, &p)
		}
	}
}

// hash is a number for a packet that a host sent or received at a local time. Equal ones have equal numbers.
// LTTng does not record the transport header of what is received, but for TCP.
func (p *packet) hash(host int, received bool, local int64) uint64 {
	if received && p.protocol != tcp {
		bare := *p
		bare.sourcePort, bare.destinationPort, bare.seq = 0, 0, 0
		p = &bare
	}
	var b [48]byte
	le := binary.LittleEndian
	le.PutUint64(b[0:], uint64(local))
	le.PutUint32(b[8:], p.source)
	le.PutUint32(b[12:], p.destination)
	le.PutUint16(b[16:], p.sourcePort)
	le.PutUint16(b[18:], p.destinationPort)
	le.PutUint32(b[20:], p.seq)
	le.PutUint16(b[24:], p.length)
	le.PutUint16(b[26:], p.id)
	le.PutUint32(b[28:], uint32(host))
	b[32] = p.protocol
	if received {
		b[33] = 1
	}
	return mixAll(b[:])
}

// loose is a number for a packet that a host received at any time, and whose addresses, ports and length may have changed
// on the way.
func (p *packet) loose() uint32 {
	seq := p.seq
	if p.protocol != tcp {
		seq = 0 // LTTng records none at that end
	}
	return uint32(mixAll(binary.LittleEndian.AppendUint64(nil, uint64(seq)|uint64(p.id)<<32|uint64(p.protocol)<<48)))
}

// rest is a number for what the truth does not have of a packet, 0 if that is nothing. It is
// the same at both ends.
func (p *packet) rest() uint32 {
	if p.protocol != tcp {
		return 0
	}
	var b [8]byte
	binary.LittleEndian.PutUint32(b[0:], p.ack)
	binary.LittleEndian.PutUint16(b[4:], p.flags)
	binary.LittleEndian.PutUint16(b[6:], p.window)
	return uint32(mixAll(b[:]))
}

// mixAll mixes whole words into one.
func mixAll(b []byte) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for ; len(b) >= 8; b = b[8:] {
		h ^= binary.LittleEndian.Uint64(b)
		// The finalizer of splitmix64, which is a bijection.
		h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
		h = (h ^ h>>27) * 0x94d049bb133111eb
		h ^= h >> 31
		h += 0x9e3779b97f4a7c15
	}
	return h
}
