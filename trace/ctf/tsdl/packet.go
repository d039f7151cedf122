package tsdl

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// A Text is metadata taken out of its packets.
type Text struct {
	Plain     string
	Packets   bool // whether there were any
	BigEndian bool // their byte order
}

const (
	packetMagic  = 0x75d11d57
	packetHeader = 4 + 16 + 4 + 4 + 4 + 3 + 2 // magic, uuid, checksum, content and packet size in bits, three schemes, version
)

// Unwrap takes metadata out of its packets (CTF 1.8, section 7.1, and CTF2-PMETA-1.0): plain text stays as it is.
// The last packet may be cut short by its padding. Compressed, encrypted and
// checksummed packets are not supported: no known tracer writes them.
func Unwrap(b []byte) (Text, error) {
	var order binary.ByteOrder = binary.LittleEndian
	switch {
	case len(b) < 4 || order.Uint32(b) == packetMagic:
	case binary.BigEndian.Uint32(b) == packetMagic:
		order = binary.BigEndian
	default:
		return Text{Plain: string(b)}, nil
	}
	if len(b) < 4 {
		return Text{Plain: string(b)}, nil
	}
	t := Text{Packets: true, BigEndian: order == binary.BigEndian}
	var plain bytes.Buffer
	for at := 0; at < len(b); {
		p := b[at:]
		if len(p) < packetHeader {
			return t, fmt.Errorf("metadata packet at byte %d: its header is cut short", at)
		}
		if order.Uint32(p) != packetMagic {
			return t, fmt.Errorf("metadata packet at byte %d: it does not begin with the magic number %#x", at, packetMagic)
		}
		content, size := uint64(order.Uint32(p[24:])), uint64(order.Uint32(p[28:]))
		switch {
		case content%8 != 0 || size%8 != 0 || content < packetHeader*8 || content > size:
			return t, fmt.Errorf("metadata packet at byte %d: a content of %d bits in a packet of %d is impossible", at, content, size)
		case content/8 > uint64(len(p)):
			return t, fmt.Errorf("metadata packet at byte %d: it is cut short, %d of %d bytes are there", at, len(p), content/8)
		case p[32] != 0 || p[33] != 0 || p[34] != 0:
			return t, fmt.Errorf("metadata packet at byte %d: compression, encryption and checksums are not supported", at)
		case (p[35] != 1 || p[36] > 8) && (p[35] != 2 || p[36] != 0):
			return t, fmt.Errorf("metadata packet at byte %d: version %d.%d is neither CTF 1.8 nor CTF 2", at, p[35], p[36])
		case !bytes.Equal(p[4:20], b[4:20]):
			return t, fmt.Errorf("metadata packet at byte %d: its uuid is not that of the first packet", at)
		}
		plain.Write(p[packetHeader : content/8])
		if size/8 >= uint64(len(p)) {
			break
		}
		at += int(size / 8)
	}
	t.Plain = plain.String()
	return t, nil
}
