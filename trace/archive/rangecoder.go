package archive

// The range decoder of LZMA: bits by adaptive probabilities.

func (r *lzma2Reader) bit(p *uint16) uint32 {
	if r.rng < topValue {
		r.rng <<= 8
		r.code = r.code<<8 | uint32(r.chunk[r.pos])
		r.pos++
	}
	v := uint32(*p)
	bound := r.rng >> probBits * v
	if r.code < bound {
		r.rng = bound
		*p = uint16(v + (1<<probBits-v)>>probMove)
		return 0
	}
	r.rng -= bound
	r.code -= bound
	*p = uint16(v - v>>probMove)
	return 1
}

// direct decodes a bit that is 0 or 1 alike.
func (r *lzma2Reader) direct() uint32 {
	if r.rng < topValue {
		r.rng <<= 8
		r.code = r.code<<8 | uint32(r.chunk[r.pos])
		r.pos++
	}
	r.rng >>= 1
	if r.code < r.rng {
		return 0
	}
	r.code -= r.rng
	return 1
}

// tree decodes a number of so many bits, the highest first.
func (r *lzma2Reader) tree(probs []uint16, bits uint) uint32 {
	m := uint32(1)
	rng, code, pos := r.rng, r.code, r.pos
	for range bits {
		if rng < topValue {
			rng <<= 8
			code = code<<8 | uint32(r.chunk[pos])
			pos++
		}
		p := &probs[m]
		v := uint32(*p)
		bound := rng >> probBits * v
		if code < bound {
			rng = bound
			*p = uint16(v + (1<<probBits-v)>>probMove)
			m <<= 1
		} else {
			rng -= bound
			code -= bound
			*p = uint16(v - v>>probMove)
			m = m<<1 | 1
		}
	}
	r.rng, r.code, r.pos = rng, code, pos
	return m - 1<<bits
}

// reverseTree decodes a number of so many bits, the lowest first.
func (r *lzma2Reader) reverseTree(probs []uint16, bits uint32) (n uint32) {
	m := uint32(1)
	for i := range bits {
		b := r.bit(&probs[m])
		m = m<<1 | b
		n |= b << i
	}
	return n
}

// plainLiteral decodes a byte that follows another literal.
func (r *lzma2Reader) plainLiteral(probs *[0x300]uint16) byte {
	m := uint32(1)
	rng, code, pos := r.rng, r.code, r.pos
	for m < 0x100 {
		if rng < topValue {
			rng <<= 8
			code = code<<8 | uint32(r.chunk[pos])
			pos++
		}
		p := &probs[m]
		v := uint32(*p)
		bound := rng >> probBits * v
		if code < bound {
			rng = bound
			*p = uint16(v + (1<<probBits-v)>>probMove)
			m <<= 1
		} else {
			rng -= bound
			code -= bound
			*p = uint16(v - v>>probMove)
			m = m<<1 | 1
		}
	}
	r.rng, r.code, r.pos = rng, code, pos
	return byte(m)
}

// matchedLiteral decodes a byte that follows a match, with the byte that would have gone on the match.
func (r *lzma2Reader) matchedLiteral(probs *[0x300]uint16, with byte) byte {
	m, offset, w := uint32(1), uint32(0x100), uint32(with)
	rng, code, pos := r.rng, r.code, r.pos
	for m < 0x100 {
		if rng < topValue {
			rng <<= 8
			code = code<<8 | uint32(r.chunk[pos])
			pos++
		}
		w <<= 1
		bit := w & offset
		p := &probs[offset+bit+m]
		v := uint32(*p)
		bound := rng >> probBits * v
		if code < bound {
			rng = bound
			*p = uint16(v + (1<<probBits-v)>>probMove)
			m <<= 1
			offset &^= bit
		} else {
			rng -= bound
			code -= bound
			*p = uint16(v - v>>probMove)
			m = m<<1 | 1
			offset &= bit
		}
	}
	r.rng, r.code, r.pos = rng, code, pos
	return byte(m)
}
