package ctf

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
)

// LTTng writes an index beside each stream file: index/NAME.idx, all numbers
// big-endian, a header and then one entry per packet. It spares reading the packet headers
// of a whole file to find a time, but it is only believed where it is sound: its packets
// lie one behind the other from the first byte of the file to the last, their times do not
// run backwards, and the packets asked for say the same of themselves.
const (
	indexMagic  = 0xc1f1dcc1
	indexHeader = 16      // magic, major, minor, length of an entry
	indexEntry0 = 7 * 8   // version 1.0: see indexed
	indexEntry1 = 9 * 8   // version 1.1: and the stream instance and the packet's number
	maxIndexLen = 1 << 12 // of an entry; later versions may add to it
	maxIndexed  = 64 << 20
)

// An indexed is what an index says of one packet.
type indexed struct {
	off           int64  // bytes
	size, content uint64 // bits
	first, last   uint64 // cycles
	discarded     uint64
	class         uint64 // of its stream
}

// parseIndex reads the bytes of an index file.
func parseIndex(b []byte) ([]indexed, error) {
	if len(b) < indexHeader || binary.BigEndian.Uint32(b) != indexMagic {
		return nil, errors.New("no index: it does not begin with the magic number")
	}
	major, minor, length := binary.BigEndian.Uint32(b[4:]), binary.BigEndian.Uint32(b[8:]), binary.BigEndian.Uint32(b[12:])
	least := uint32(indexEntry1)
	if minor == 0 {
		least = indexEntry0
	}
	if major != 1 || length < least || length > maxIndexLen {
		return nil, fmt.Errorf("an index of version %d.%d with entries of %d bytes is not known", major, minor, length)
	}
	b = b[indexHeader:]
	n := len(b) / int(length)
	if n*int(length) != len(b) {
		return nil, errors.New("the last entry is cut short")
	}
	entries := make([]indexed, n)
	for i := range entries {
		e, p := &entries[i], b[i*int(length):]
		word := func(k int) uint64 { return binary.BigEndian.Uint64(p[8*k:]) }
		if word(0) > math.MaxInt64 {
			return nil, fmt.Errorf("packet %d is to begin at byte %d", i, word(0))
		}
		*e = indexed{int64(word(0)), word(1), word(2), word(3), word(4), word(5), word(6)}
	}
	return entries, nil
}

// covers checks that the packets are those of a file of a size: all of it, in their order.
func covers(entries []indexed, size int64) error {
	at, last := int64(0), uint64(0)
	for i, e := range entries {
		switch {
		case e.off != at:
			return fmt.Errorf("packet %d begins at byte %d, the one before ends at %d", i, e.off, at)
		case e.size == 0 || e.size%8 != 0 || e.size/8 > uint64(size-at) || e.content > e.size:
			return fmt.Errorf("packet %d cannot have %d of %d bits", i, e.content, e.size)
		case e.last < e.first || e.last < last:
			return fmt.Errorf("packet %d ends before it begins or the one before ends", i)
		case e.class != entries[0].class:
			return fmt.Errorf("packet %d belongs to stream %d, the first one to %d", i, e.class, entries[0].class)
		}
		at, last = at+int64(e.size/8), e.last
	}
	if at != size {
		return fmt.Errorf("the packets end at byte %d of %d", at, size)
	}
	return nil
}

// describes reports whether a packet is the one that e speaks of.
func (e *indexed) describes(p *packet) bool {
	return p.class != nil && p.off == e.off && p.size == int64(e.size/8) && p.content == e.content &&
		p.hasFirst && p.hasLast && p.first == e.first && p.last == e.last
}

// readIndex reads the index of a stream file of a size; it is nil where there is none
// that is sound.
func readIndex(path string, size int64) []indexed {
	dir, name := filepath.Split(path)
	f, err := os.Open(filepath.Join(dir, "index", name+".idx"))
	if err != nil {
		return nil
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxIndexed+1))
	if err != nil || len(b) > maxIndexed {
		return nil
	}
	entries, err := parseIndex(b)
	if err != nil || len(entries) == 0 || covers(entries, size) != nil {
		return nil
	}
	return entries
}

// soundIndex is readIndex for the current file, with the first and the last packet
// compared, whose class it returns.
func (s *stream) soundIndex() ([]indexed, *streamClass) {
	entries := readIndex(s.current().path, s.win.size)
	if entries == nil {
		return nil, nil
	}
	var p packet
	for _, i := range [...]int{0, len(entries) - 1} {
		keep, err := s.plan.readPacket(&s.win, entries[i].off, &p, &s.event, s.packed)
		if s.packed = keep; err != nil || !entries[i].describes(&p) || !p.bounded {
			return nil, nil
		}
	}
	return entries, p.class
}
