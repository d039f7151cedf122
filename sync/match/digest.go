package match

import (
	"encoding/binary"
	"math/bits"

	"synchroscope/trace"
)

// A digest folds what it is given into 128 bits by multiplication, after wyhash.
type digest struct{ x, y uint64 }

func (d *digest) word(w uint64) {
	if *d == (digest{}) {
		*d = digest{0xa0761d6478bd642f, 0xe7037ed1a0b428db}
	}
	hi, lo := bits.Mul64(d.x^w, d.y|1)
	d.x, d.y = d.y+lo, d.x^hi
}

// text takes bytes and their number.
func (d *digest) text(b []byte) {
	d.word(uint64(len(b)))
	for ; len(b) >= 8; b = b[8:] {
		d.word(binary.LittleEndian.Uint64(b))
	}
	if len(b) > 0 {
		var rest [8]byte
		copy(rest[:], b)
		d.word(binary.LittleEndian.Uint64(rest[:]))
	}
}

// maxElements is how much of an array is looked at.
const maxElements = 64

// value takes a field. Integers count as their value, however wide they are written.
func (d *digest) value(ev *trace.Event, f *trace.Field) {
	switch t := f.Type(); {
	case t.Kind == trace.String, t.Kind == trace.Array && t.Elem.Text:
		d.text(ev.Bytes(f))
	case t.Kind == trace.Array:
		n := ev.Len(f)
		d.word(uint64(n))
		for i := range min(n, maxElements) {
			d.word(uint64(ev.At(f, i)))
		}
	default:
		d.word(uint64(ev.Int(f)))
	}
}
