package messages

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"synchroscope/ingest/blockfile"
	"synchroscope/sync/match"
)

const (
	magic      = "SYNCMSGS"
	headSize   = 40
	recordSize = 38
	dataless   = 34 // a record of files from before pieces were added up
	portless   = 32 // and from before ports were kept
	flagsAt    = 29
)

// Flags of a record.
const (
	retracted = 1 << iota
	noData    // of TCP
	hasData   // of TCP; neither where that is not known
	opens     // asks for a connection of TCP
)

// append appends the payload of a block.
func (b *block) append(to []byte) []byte {
	to = binary.LittleEndian.AppendUint32(to, uint32(b.from))
	to = binary.LittleEndian.AppendUint32(to, uint32(b.to))
	for _, t := range [...]int64{b.sent.least, b.sent.greatest, b.received.least, b.received.greatest} {
		to = binary.LittleEndian.AppendUint64(to, uint64(t))
	}
	for i := range b.messages {
		to = appendRecord(to, &b.messages[i])
	}
	return to
}

func appendRecord(b []byte, m *match.Message) []byte {
	b = binary.LittleEndian.AppendUint64(b, uint64(m.Sent))
	b = binary.LittleEndian.AppendUint64(b, uint64(m.Received))
	b = binary.LittleEndian.AppendUint32(b, uint32(m.FromThread))
	b = binary.LittleEndian.AppendUint32(b, uint32(m.ToThread))
	b = binary.LittleEndian.AppendUint32(b, m.Bytes)
	b = append(b, m.Protocol, flags(m))
	b = binary.LittleEndian.AppendUint16(b, m.FromPort)
	b = binary.LittleEndian.AppendUint16(b, m.ToPort)
	return binary.LittleEndian.AppendUint32(b, m.Data)
}

func flags(m *match.Message) (f byte) {
	switch m.Content {
	case match.Nothing:
		f = noData
	case match.Something:
		f = hasData
	}
	if m.Opens {
		f |= opens
	}
	return f
}

// decodeBounds reads the head of a payload and checks its length.
func decodeBounds(payload []byte, count int) (block, error) {
	if size := len(payload) - headSize; size != count*recordSize && size != count*dataless && size != count*portless {
		return block{}, fmt.Errorf("%d messages in %d bytes: %w", count, len(payload), blockfile.ErrDamaged)
	}
	at := func(i int) int64 { return int64(binary.LittleEndian.Uint64(payload[i:])) }
	return block{
		from:     int32(binary.LittleEndian.Uint32(payload)),
		to:       int32(binary.LittleEndian.Uint32(payload[4:])),
		sent:     span{at(8), at(16)},
		received: span{at(24), at(32)},
	}, nil
}

// appendMessages appends the messages of a block that are not retracted.
func appendMessages(to []match.Message, payload []byte, count int) ([]match.Message, error) {
	b, err := decodeBounds(payload, count)
	if err != nil {
		return to, err
	}
	size := (len(payload) - headSize) / max(count, 1)
	for r := payload[headSize:]; len(r) > 0; r = r[size:] {
		if r[flagsAt]&retracted != 0 {
			continue
		}
		m := match.Message{
			From:       b.from,
			To:         b.to,
			Sent:       int64(binary.LittleEndian.Uint64(r)),
			Received:   int64(binary.LittleEndian.Uint64(r[8:])),
			FromThread: int32(binary.LittleEndian.Uint32(r[16:])),
			ToThread:   int32(binary.LittleEndian.Uint32(r[20:])),
			Bytes:      binary.LittleEndian.Uint32(r[24:]),
			Protocol:   r[28],
			Opens:      r[flagsAt]&opens != 0,
		}
		switch r[flagsAt] & (noData | hasData) {
		case noData:
			m.Content = match.Nothing
		case hasData:
			m.Content = match.Something
		}
		m.Data = m.Bytes
		if size == recordSize {
			m.Data = binary.LittleEndian.Uint32(r[34:])
		}
		if size > portless {
			m.FromPort, m.ToPort = binary.LittleEndian.Uint16(r[30:]), binary.LittleEndian.Uint16(r[32:])
		}
		to = append(to, m)
	}
	return to, nil
}

// mark sets the flag of the first record that is m and has it not yet; false if there is none.
func mark(payload []byte, count int, m match.Message) bool {
	want := string(appendRecord(nil, &m))
	for i := range count {
		r := payload[headSize+i*recordSize:][:recordSize]
		if string(r) == want {
			r[flagsAt] |= retracted
			return true
		}
	}
	return false
}

func pairs(open map[[2]int32]*block) [][2]int32 {
	return slices.SortedFunc(maps.Keys(open), func(a, b [2]int32) int { return slices.Compare(a[:], b[:]) })
}
