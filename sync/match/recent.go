package match

import (
	"encoding/binary"
	"errors"
)

// recentLen is how many endpoints back a buffer is still recognized. Devices
// that are stacked record it back to back on one CPU.
const recentLen = 64

// A sighting is an endpoint with where it was seen.
type sighting struct {
	key       Key
	buffer    int64
	direction Direction
	device    [16]byte // IFNAMSIZ, zero-padded
}

// again reports whether the same buffer with the same headers has just been
// seen the same way on another device. A TCP segment that is sent again may
// reuse the buffer, but on the same device.
func (x *Extractor) again(e *Endpoint, buffer int64, device []byte) bool {
	if buffer == 0 || len(device) == 0 {
		return false
	}
	s := sighting{key: e.Key, buffer: buffer, direction: e.Direction}
	copy(s.device[:], device)
	for i := range x.recent {
		r := &x.recent[i]
		if r.buffer == s.buffer && r.direction == s.direction && r.key == s.key && r.device != s.device {
			return true
		}
	}
	x.recent[x.next] = s
	x.next = (x.next + 1) % recentLen
	return false
}

// sightingSize is the length of an encoded sighting: the numbers of the key, the
// buffer, the direction and the device.
const sightingSize = 2 + 4*8 + 8 + 1 + 16

// AppendState appends what the extractor remembers of the events it was given, for
// a checkpoint: the position in its ring and every sighting, at fixed lengths.
func (x *Extractor) AppendState(b []byte) []byte {
	b = append(b, byte(x.next))
	for i := range x.recent {
		r := &x.recent[i]
		b = append(b, r.key.Protocol, r.key.Form)
		for _, n := range [...]uint64{r.key.A, r.key.B, r.key.C, r.key.D, uint64(r.buffer)} {
			b = binary.LittleEndian.AppendUint64(b, n)
		}
		b = append(b, byte(r.direction))
		b = append(b, r.device[:]...)
	}
	return b
}

// Restore makes the extractor remember what AppendState wrote.
func (x *Extractor) Restore(b []byte) error {
	if len(b) != 1+recentLen*sightingSize || b[0] >= recentLen {
		return errors.New("the state of an extractor is damaged")
	}
	x.next = int(b[0])
	b = b[1:]
	for i := range x.recent {
		word := func(n int) uint64 { return binary.LittleEndian.Uint64(b[2+8*n:]) }
		r := &x.recent[i]
		*r = sighting{
			key:       Key{b[0], b[1], word(0), word(1), word(2), word(3)},
			buffer:    int64(word(4)),
			direction: Direction(b[42]),
		}
		copy(r.device[:], b[43:])
		b = b[sightingSize:]
	}
	return nil
}
