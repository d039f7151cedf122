package archive

import (
	"encoding/binary"
	"errors"
	"io"
)

// LZMA2 as in an xz block: chunks of at most 64 KiB that become at most 2 MiB, each stored, or coded
// with LZMA over the dictionary of those before. The format is that of the LZMA SDK's
// specification; the chunks are as liblzma reads them.
//
// A chunk is read whole, with zeros behind it, so that the decoder of a symbol needs no test for
// the end of the input: that it went too far is seen after the symbol.

var errLZMA = errors.New("xz: the LZMA2 data contradict themselves")

const (
	chunkBytes  = 1 << 16
	symbolBytes = 64 // more than one symbol can take

	probBits = 11
	probHalf = 1 << (probBits - 1)
	probMove = 5
	topValue = 1 << 24
)

// An lzma2Reader decodes the chunks of a block.
type lzma2Reader struct {
	in  io.Reader
	err error

	ring  []byte // the dictionary
	out   int    // ring[out:at] is decoded and not read yet
	at    int
	valid int    // bytes that matches may refer to
	total uint32 // bytes since the dictionary was reset

	left      int // bytes that the chunk still becomes
	stored    bool
	needReset bool // of the dictionary
	needProps bool
	chunk     [chunkBytes + symbolBytes]byte
	rangeDecoder
}

// A rangeDecoder decodes a chunk: the coder of bits, and the probabilities of all it can meet.
type rangeDecoder struct {
	n, pos     int // length of the chunk, bytes taken
	rng, code  uint32
	lc, lp, pb uint
	state      uint32
	rep        [4]uint32
	pending    int // bytes of a match that the end of the ring cut off

	isMatch    [12 << 4]uint16
	isRep      [12]uint16
	isRepG0    [12]uint16
	isRepG1    [12]uint16
	isRepG2    [12]uint16
	isRep0Long [12 << 4]uint16
	slot       [4][64]uint16
	special    [128]uint16
	align      [16]uint16
	length     lengthProbs
	repLength  lengthProbs
	literal    [0x300 << 4]uint16
}

type lengthProbs struct {
	choice   [2]uint16
	low, mid [16][8]uint16
	high     [256]uint16
}

// begin makes it read the chunks of a block, with its own memory if that is large enough.
func (r *lzma2Reader) begin(in io.Reader, dictionary int) {
	if cap(r.ring) < dictionary {
		r.ring = nil // before the larger one is there
		r.ring = make([]byte, dictionary)
	}
	r.in, r.err, r.ring = in, nil, r.ring[:dictionary]
	r.left, r.pending = 0, 0
	r.at, r.out, r.valid, r.total = 0, 0, 0, 0
	r.needReset, r.needProps = true, true
}

func (r *lzma2Reader) Read(p []byte) (int, error) {
	for {
		if r.out < r.at {
			n := copy(p, r.ring[r.out:r.at])
			r.out += n
			return n, nil
		}
		if r.err != nil {
			return 0, r.err
		}
		if r.at == len(r.ring) {
			r.at, r.out = 0, 0
		}
		if r.left == 0 {
			r.err = r.startChunk()
			continue
		}
		begin, limit := r.at, min(len(r.ring), r.at+r.left)
		if r.stored {
			_, r.err = io.ReadFull(r.in, r.ring[begin:limit])
			r.at = limit
		} else {
			r.err = r.decode(limit)
		}
		if r.err != nil {
			r.at = begin
			r.err = unexpected(r.err)
			continue
		}
		n := r.at - begin
		r.left -= n
		r.total += uint32(n)
		r.valid = min(r.valid+n, len(r.ring))
		if r.left == 0 && !r.stored && !r.finished() {
			r.err = errLZMA
		}
	}
}

// startChunk reads the header of a chunk, and the chunk if it is coded; io.EOF is the end of the block.
func (r *lzma2Reader) startChunk() error {
	var h [6]byte
	if _, err := io.ReadFull(r.in, h[:1]); err != nil {
		return unexpected(err)
	}
	control := h[0]
	if control == 0 {
		return io.EOF
	}
	if control >= 0xe0 || control == 1 {
		r.needReset, r.needProps = false, true
		r.at, r.out, r.valid, r.total = 0, 0, 0, 0
	}
	if r.needReset {
		return errLZMA
	}
	if r.stored = control < 0x80; r.stored {
		if control > 2 {
			return errLZMA
		}
		if _, err := io.ReadFull(r.in, h[:2]); err != nil {
			return unexpected(err)
		}
		r.left = int(binary.BigEndian.Uint16(h[:])) + 1
		return nil
	}
	header := 4
	if control >= 0xc0 {
		header = 5
	}
	if _, err := io.ReadFull(r.in, h[:header]); err != nil {
		return unexpected(err)
	}
	r.left = int(control&0x1f)<<16 + int(binary.BigEndian.Uint16(h[:])) + 1
	r.n = int(binary.BigEndian.Uint16(h[2:])) + 1
	switch {
	case control >= 0xc0:
		if !r.properties(h[4]) {
			return errLZMA
		}
		r.needProps = false
		r.reset()
	case r.needProps:
		return errLZMA
	case control >= 0xa0:
		r.reset()
	}
	if _, err := io.ReadFull(r.in, r.chunk[:r.n]); err != nil {
		return unexpected(err)
	}
	clear(r.chunk[r.n:min(r.n+symbolBytes, len(r.chunk))])
	if r.n < 5 || r.chunk[0] != 0 {
		return errLZMA
	}
	r.rng, r.code, r.pos = 1<<32-1, binary.BigEndian.Uint32(r.chunk[1:]), 5
	return nil
}

func (r *lzma2Reader) properties(b byte) bool {
	if b >= 9*5*5 {
		return false
	}
	r.lc, r.lp, r.pb = uint(b%9), uint(b/9%5), uint(b/45)
	return r.lc+r.lp <= 4
}

// reset begins the LZMA state anew.
func (l *rangeDecoder) reset() {
	l.state, l.rep = 0, [4]uint32{}
	for _, probs := range [][]uint16{
		l.isMatch[:], l.isRep[:], l.isRepG0[:], l.isRepG1[:], l.isRepG2[:], l.isRep0Long[:],
		l.slot[0][:], l.slot[1][:], l.slot[2][:], l.slot[3][:], l.special[:], l.align[:], l.literal[:],
	} {
		fillHalf(probs)
	}
	for _, p := range []*lengthProbs{&l.length, &l.repLength} {
		fillHalf(p.choice[:])
		fillHalf(p.high[:])
		for i := range p.low {
			fillHalf(p.low[i][:])
			fillHalf(p.mid[i][:])
		}
	}
}

func fillHalf(probs []uint16) {
	for i := range probs {
		probs[i] = probHalf
	}
}

// finished tells whether a chunk ended with its last byte, as its coder leaves it.
func (r *lzma2Reader) finished() bool {
	if r.rng < topValue {
		r.code = r.code<<8 | uint32(r.chunk[r.pos])
		r.pos++
	}
	return r.pos == r.n && r.code == 0 && r.pending == 0
}

// decode decodes symbols up to ring[limit].
func (r *lzma2Reader) decode(limit int) error {
	ring, begin, at := r.ring, r.at, r.at
	posMask, literalMask := uint32(1)<<r.pb-1, uint32(1)<<r.lp-1
	if r.pending > 0 {
		at = r.match(at, limit, r.pending)
	}
	for at < limit {
		total := r.total + uint32(at-begin)
		posState := total & posMask
		if r.bit(&r.isMatch[r.state<<4+posState]) == 0 {
			var before byte
			switch {
			case at > 0:
				before = ring[at-1]
			case r.valid > 0: // the ring is full
				before = ring[len(ring)-1]
			}
			probs := (*[0x300]uint16)(r.literal[0x300*((total&literalMask)<<r.lc+uint32(before)>>(8-r.lc)):])
			var with byte
			if r.state >= 7 {
				from := at - int(r.rep[0]) - 1
				if from < 0 {
					from += len(ring)
				}
				with = ring[from]
				ring[at] = r.matchedLiteral(probs, with)
			} else {
				ring[at] = r.plainLiteral(probs)
			}
			at++
			switch {
			case r.state < 4:
				r.state = 0
			case r.state < 10:
				r.state -= 3
			default:
				r.state -= 6
			}
		} else {
			n := r.matchLength(posState)
			if n == 0 {
				return errLZMA // the end mark, which LZMA2 does without
			}
			if uint64(r.rep[0]) >= uint64(min(r.valid+at-begin, len(ring))) {
				return errLZMA
			}
			at = r.match(at, limit, n)
		}
		if r.pos > r.n {
			return errLZMA
		}
	}
	r.at = at
	return nil
}

// match copies n bytes from where rep[0] says, as far as limit.
func (r *lzma2Reader) match(at, limit, n int) int {
	ring := r.ring
	end := min(at+n, limit)
	r.pending = n - (end - at)
	distance := int(r.rep[0]) + 1
	from := at - distance
	if from < 0 {
		from += len(ring)
	}
	if distance >= end-at && from+(end-at) <= len(ring) {
		copy(ring[at:end], ring[from:])
		return end
	}
	for ; at < end; at++ {
		ring[at] = ring[from]
		if from++; from == len(ring) {
			from = 0
		}
	}
	return end
}

// matchLength decodes the kind of a match, its distance into rep[0], and its length; 0 is the end mark.
func (r *lzma2Reader) matchLength(posState uint32) int {
	state := r.state
	if r.bit(&r.isRep[state]) == 0 {
		r.rep[3], r.rep[2], r.rep[1] = r.rep[2], r.rep[1], r.rep[0]
		r.state = after(state, 7, 10)
		n := r.lengthOf(&r.length, posState)
		r.rep[0] = r.distance(min(n-2, 3))
		if r.rep[0] == 1<<32-1 {
			return 0
		}
		return n
	}
	if r.bit(&r.isRepG0[state]) == 0 {
		if r.bit(&r.isRep0Long[state<<4+posState]) == 0 {
			r.state = after(state, 9, 11)
			return 1
		}
	} else {
		var d uint32
		if r.bit(&r.isRepG1[state]) == 0 {
			d = r.rep[1]
		} else {
			if r.bit(&r.isRepG2[state]) == 0 {
				d = r.rep[2]
			} else {
				d = r.rep[3]
				r.rep[3] = r.rep[2]
			}
			r.rep[2] = r.rep[1]
		}
		r.rep[1], r.rep[0] = r.rep[0], d
	}
	r.state = after(state, 8, 11)
	return r.lengthOf(&r.repLength, posState)
}

// after is the state after a match: one of two, by whether a literal was before.
func after(state, literal, other uint32) uint32 {
	if state < 7 {
		return literal
	}
	return other
}

func (r *lzma2Reader) lengthOf(p *lengthProbs, posState uint32) int {
	switch {
	case r.bit(&p.choice[0]) == 0:
		return 2 + int(r.tree(p.low[posState][:], 3))
	case r.bit(&p.choice[1]) == 0:
		return 10 + int(r.tree(p.mid[posState][:], 3))
	}
	return 18 + int(r.tree(p.high[:], 8))
}

// distance decodes a distance less one, of a match whose length is of a class.
func (r *lzma2Reader) distance(class int) uint32 {
	slot := r.tree(r.slot[class][:], 6)
	if slot < 4 {
		return slot
	}
	bits := slot>>1 - 1
	d := (2 | slot&1) << bits
	if slot < 14 {
		return d + r.reverseTree(r.special[d-slot:], bits)
	}
	for bits -= 4; bits > 0; bits-- {
		d += r.direct() << (bits + 3)
	}
	return d + r.reverseTree(r.align[:], 4)
}
