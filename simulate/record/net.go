package record

import "synchroscope/simulate/network"

// The events of network devices.

// The sizes of headers before that of IP: a card's frame has one, a received buffer has lost it.
const ethernet = 14

// NetQueue is a packet handed to a device to be sent. Its checksums are left for the device to fill in.
func (s *Stream) NetQueue(t int64, skb uint64, device string, h *network.Header) bool {
	b := s.begin(t, netQueue, len(device)+60)
	if b == nil {
		return false
	}
	b = u64(b, skb)
	b = text(u32(b, int32(h.Length+ethernet)), device)
	b = ipv4(b, h)
	switch h.Protocol {
	case network.TCP:
		b = tcp(append(b, 1), h)
	case network.UDP:
		n := h.Length - 20
		b = port(port(append(b, 2), h.SourcePort), h.DestinationPort)
		b = port(port(b, uint16(n)), sum(h))
	case network.ICMP:
		b = append(b, 3, byte(h.SourcePort>>8), byte(h.SourcePort))
		b = port(port(port(b, sum(h)), h.DestinationPort), uint16(h.Seq))
	default:
		b = append(b, 0)
	}
	return s.ofNetwork(b, device, &s.sum.Sent)
}

// NetXmit is the device having taken it.
func (s *Stream) NetXmit(t int64, skb uint64, device string, length int) bool {
	b := s.begin(t, netXmit, len(device)+17)
	if b == nil {
		return false
	}
	b = u32(u32(u64(b, skb), 0), int32(length+ethernet))
	return s.end(text(b, device))
}

// NetReceive is a packet handed up by a device. The headers of UDP and ICMP are recorded
// as zeros, as LTTng 2.13 does.
func (s *Stream) NetReceive(t int64, skb uint64, device string, h *network.Header) bool {
	b := s.begin(t, netReceive, len(device)+60)
	if b == nil {
		return false
	}
	b = u64(b, skb)
	b = text(u32(b, int32(h.Length)), device)
	b = ipv4(b, h)
	switch h.Protocol {
	case network.TCP:
		b = tcp(append(b, 1), h)
	case network.UDP:
		b = append(b, 2, 0, 0, 0, 0, 0, 0, 0, 0)
	case network.ICMP:
		b = append(b, 3, 0, 0, 0, 0, 0, 0, 0, 0)
	default:
		b = append(b, 0)
	}
	return s.ofNetwork(b, device, &s.sum.Received)
}

// Loopback is the device by which a machine reaches itself.
const Loopback = "lo"

// ofNetwork is end for a packet, which is counted if it came from another machine or goes to one.
func (s *Stream) ofNetwork(b []byte, device string, count *int64) bool {
	stands := s.end(b)
	if stands && device != Loopback {
		*count++
	}
	return stands
}

func port(b []byte, v uint16) []byte { return append(b, byte(v>>8), byte(v)) }
func wide(b []byte, v uint32) []byte {
	return append(b, byte(v>>24), byte(v>>16), byte(v>>8), byte(v))
}

// ipv4 appends the kind of network header, and the header.
func ipv4(b []byte, h *network.Header) []byte {
	at := len(b) + 1
	b = append(b, 1, 4<<4|5, 0)
	b = port(port(port(b, uint16(h.Length)), h.ID), h.Fragment)
	b = append(b, h.TTL, h.Protocol, 0, 0)
	b = wide(wide(b, h.Source), h.Destination)
	var c uint32
	for i := at; i < len(b); i += 2 {
		c += uint32(b[i])<<8 | uint32(b[i+1])
	}
	c = c&0xffff + c>>16
	c = ^(c + c>>16)
	b[at+10], b[at+11] = byte(c>>8), byte(c)
	return b
}

func tcp(b []byte, h *network.Header) []byte {
	b = port(port(b, h.SourcePort), h.DestinationPort)
	b = wide(wide(b, h.Seq), h.Ack)
	b = port(port(b, uint16(h.Words)<<12|h.Flags&0x1ff), h.Window)
	return append(port(b, sum(h)), 0, 0)
}

// sum is the checksum of the pseudo header, which is where a card that computes checksums begins.
func sum(h *network.Header) uint16 {
	c := h.Source>>16 + h.Source&0xffff + h.Destination>>16 + h.Destination&0xffff + uint32(h.Protocol) + uint32(h.Length-20)
	c = c&0xffff + c>>16
	return uint16(c + c>>16)
}
