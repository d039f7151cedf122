package partial

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
)

const (
	magic   = "SYNPART\x00"
	version = 1
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Checkpoints is the side file of the tree: the magic SYNPART and a zero byte, a
// byte with the version, the start (8 bytes), the number of checkpoints, for each its distance
// from the one before, the length of its position and the position, and the
// CRC-32C of all that. Numbers are uvarints, fixed ones little-endian.
func (w *Writer) Checkpoints() []byte {
	b := append([]byte(magic), version)
	b = binary.LittleEndian.AppendUint64(b, uint64(w.start))
	b = binary.AppendUvarint(b, uint64(len(w.points)))
	last := w.start
	for _, p := range w.points {
		b = binary.AppendUvarint(b, uint64(p.time-last))
		b = binary.AppendUvarint(b, uint64(len(p.position)))
		b = append(b, p.position...)
		last = p.time
	}
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

var errDamaged = errors.New("partial: the checkpoints are damaged: they do not decode")

func parsePoints(b []byte, start int64) ([]point, error) {
	const head = len(magic) + 9
	if len(b) < head+4 || string(b[:len(magic)]) != magic {
		return nil, errors.New("partial: these are not the checkpoints of a partial history")
	}
	if v := b[len(magic)]; v != version {
		return nil, fmt.Errorf("partial: the checkpoints are of version %d; this program reads version %d", v, version)
	}
	body := len(b) - 4
	if crc32.Checksum(b[:body], castagnoli) != binary.LittleEndian.Uint32(b[body:]) {
		return nil, errors.New("partial: the checkpoints are damaged: wrong checksum")
	}
	if s := int64(binary.LittleEndian.Uint64(b[len(magic)+1:])); s != start {
		return nil, fmt.Errorf("partial: the checkpoints belong to a history that starts at %d ns, the tree starts at %d", s, start)
	}
	b = b[head:body]
	take := func(limit uint64) (u uint64, ok bool) {
		u, n := binary.Uvarint(b)
		if n <= 0 || u > limit {
			return 0, false
		}
		b = b[n:]
		return u, true
	}
	count, ok := take(uint64(len(b)))
	if !ok {
		return nil, errDamaged
	}
	points := make([]point, 0, count)
	last := start
	for i := range count {
		delta, ok := take(uint64(math.MaxInt64) - uint64(last))
		if last < 0 {
			ok = ok && delta <= math.MaxInt64
		}
		length, fits := take(uint64(len(b)))
		if !ok || !fits || length > uint64(len(b)) || i > 0 && delta == 0 {
			return nil, errDamaged
		}
		last += int64(delta)
		points = append(points, point{last, b[:length:length]})
		b = b[length:]
	}
	if len(b) > 0 {
		return nil, errDamaged
	}
	return points, nil
}
