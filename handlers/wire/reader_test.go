package wire_test

import (
	"encoding/binary"
	"math"
	"testing"

	"synchroscope/handlers/wire"
)

// A reader decodes messages the way the page describes them, apart from the
// encoder: it tracks nothing but an offset and checks each promise on its way.
type reader struct {
	t  *testing.T
	b  []byte
	at int
}

func read(t *testing.T, b []byte, kind byte, view uint16, gen uint32) *reader {
	t.Helper()
	if b[0] != kind || b[1] != wire.Version || binary.LittleEndian.Uint16(b[2:]) != view || binary.LittleEndian.Uint32(b[4:]) != gen {
		t.Fatalf("header % x, want kind %d, this version, view %d, generation %d", b[:8], kind, view, gen)
	}
	return &reader{t: t, b: b, at: 8}
}

func (r *reader) take(n int) []byte {
	r.t.Helper()
	if r.at+n > len(r.b) {
		r.t.Fatalf("message of %d bytes ends in what is at %d to %d", len(r.b), r.at, r.at+n)
	}
	r.at += n
	return r.b[r.at-n : r.at]
}

// align skips padding and insists on zeros.
func (r *reader) align(n int) {
	r.t.Helper()
	for r.at%n != 0 {
		if pad := r.take(1)[0]; pad != 0 {
			r.t.Fatalf("padding at %d is %#x", r.at-1, pad)
		}
	}
}

func (r *reader) u32() uint32 { return binary.LittleEndian.Uint32(r.take(4)) }
func (r *reader) i64() int64  { return int64(binary.LittleEndian.Uint64(r.take(8))) }

func (r *reader) u8s(n int) []uint8 { return r.take(n) }

func (r *reader) u16s(n int) (out []uint16) {
	r.align(2)
	for range n {
		out = append(out, binary.LittleEndian.Uint16(r.take(2)))
	}
	return out
}

func (r *reader) u32s(n int) (out []uint32) {
	r.align(4)
	for range n {
		out = append(out, r.u32())
	}
	return out
}

func (r *reader) f32s(n int) (out []float32) {
	r.align(4)
	for range n {
		out = append(out, math.Float32frombits(r.u32()))
	}
	return out
}

func (r *reader) f64s(n int) (out []float64) {
	r.align(8)
	for range n {
		out = append(out, math.Float64frombits(uint64(r.i64())))
	}
	return out
}

func (r *reader) texts(n, size int) (out []string) {
	ends := r.u32s(n)
	text := r.take(size)
	begin := uint32(0)
	for _, end := range ends {
		out = append(out, string(text[begin:end]))
		begin = end
	}
	return out
}

// end insists that nothing is left.
func (r *reader) end() {
	r.t.Helper()
	if r.at != len(r.b) {
		r.t.Fatalf("%d bytes after the message", len(r.b)-r.at)
	}
}
