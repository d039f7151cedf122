package truth

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// File names in the directory of a simulated cluster.
const (
	File     = "truth.json"
	Messages = "messages.bin"
)

// A Message is what a host handed to its network card at once, and what became of it.
type Message struct {
	Sent, Received         int64  // true ns; Received is -1 if not all of it came
	From, To               int32  // hosts, by index; To is -1 if nobody has the address
	Length                 uint32 // bytes of the IP packet as it was sent
	Source, Destination    uint32 // addresses as sent
	SourcePort             uint16 // ICMP: type and code
	DestinationPort        uint16 // ICMP: the identifier
	Seq                    uint32
	ID                     uint16
	Protocol               uint8
	RecordedSent           bool // a trace was to record it
	RecordedReceived       bool
	Joined                 bool   // it was received as one with others
	Changed                bool   // its addresses or ports were changed on the way
	Packets, TimesReceived uint16 // that the card made of it; how often one of them was received
}

// Whole tells whether the message came over as it was sent: as one packet, once, with the same headers.
func (m *Message) Whole() bool {
	return m.Received >= 0 && !m.Joined && !m.Changed && m.Packets == 1 && m.TimesReceived == 1
}

const (
	magic      = "synctrue"
	version    = 1
	headerSize = 16
	recordSize = 56

	bitSent, bitReceived, bitJoined, bitChanged = 1, 2, 4, 8
)

// append is the record of docs/format/truth.md.
func (m *Message) append(b []byte) []byte {
	le := binary.LittleEndian
	b = le.AppendUint64(b, uint64(m.Sent))
	b = le.AppendUint64(b, uint64(m.Received))
	b = le.AppendUint32(b, uint32(m.From))
	b = le.AppendUint32(b, uint32(m.To))
	b = le.AppendUint32(b, m.Length)
	b = le.AppendUint32(b, m.Source)
	b = le.AppendUint32(b, m.Destination)
	b = le.AppendUint16(b, m.SourcePort)
	b = le.AppendUint16(b, m.DestinationPort)
	b = le.AppendUint32(b, m.Seq)
	b = le.AppendUint16(b, m.ID)
	bits := byte(0)
	for _, f := range m.bits() {
		if *f.is {
			bits |= f.bit
		}
	}
	b = append(b, m.Protocol, bits)
	b = le.AppendUint16(b, m.Packets)
	b = le.AppendUint16(b, m.TimesReceived)
	return append(b, 0, 0, 0, 0)
}

func (m *Message) decode(b []byte) error {
	le := binary.LittleEndian
	*m = Message{
		Sent: int64(le.Uint64(b)), Received: int64(le.Uint64(b[8:])), From: int32(le.Uint32(b[16:])), To: int32(le.Uint32(b[20:])),
		Length: le.Uint32(b[24:]), Source: le.Uint32(b[28:]), Destination: le.Uint32(b[32:]),
		SourcePort: le.Uint16(b[36:]), DestinationPort: le.Uint16(b[38:]), Seq: le.Uint32(b[40:]), ID: le.Uint16(b[44:]), Protocol: b[46],
		Packets: le.Uint16(b[48:]), TimesReceived: le.Uint16(b[50:]),
	}
	known := byte(0)
	for _, f := range m.bits() {
		*f.is = b[47]&f.bit != 0
		known |= f.bit
	}
	switch {
	case b[47]&^known != 0 || le.Uint32(b[52:]) != 0:
		return errors.New("has bits that mean nothing")
	case m.Sent < 0 || m.Received < -1 || m.From < 0 || m.To < -1:
		return errors.New("has a time or a host that cannot be")
	}
	return nil
}

type bit struct {
	bit byte
	is  *bool
}

func (m *Message) bits() [4]bit {
	return [4]bit{{bitSent, &m.RecordedSent}, {bitReceived, &m.RecordedReceived}, {bitJoined, &m.Joined}, {bitChanged, &m.Changed}}
}

// ReadMessages calls f with all messages of the cluster in dir, in the order of the file. The
// message is valid until f returns.
func ReadMessages(dir string, f func(*Message) error) error {
	path := filepath.Join(dir, Messages)
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	in := bufio.NewReaderSize(file, 1<<18)
	var b [recordSize]byte
	if _, err := io.ReadFull(in, b[:headerSize]); err != nil || string(b[:8]) != magic {
		return fmt.Errorf("%s is no file of messages", path)
	}
	if v, size := binary.LittleEndian.Uint32(b[8:]), binary.LittleEndian.Uint32(b[12:]); v != version || size != recordSize {
		return fmt.Errorf("%s has version %d with records of %d bytes; version %d is known, with %d", path, v, size, version, recordSize)
	}
	var m Message
	for i := int64(0); ; i++ {
		switch _, err := io.ReadFull(in, b[:]); err {
		case nil:
		case io.EOF:
			return nil
		case io.ErrUnexpectedEOF:
			return fmt.Errorf("%s ends in the middle of message %d", path, i)
		default:
			return err
		}
		if err := m.decode(b[:]); err != nil {
			return fmt.Errorf("%s: message %d %w", path, i, err)
		}
		if err := f(&m); err != nil {
			return err
		}
	}
}
