package varint

import "io"

// part is how much is in memory of what is written or read part by part.
const part = 32 << 10

// An Out writes on what is appended to a slice, part by part, so that what is long is never in memory as a whole:
//
//	b = out.Pass(binary.AppendUvarint(b, n))
//
// A nil Out leaves all in the slice.
type Out struct {
	to      io.Writer
	written int64
	err     error
}

// NewOut returns an Out that writes to a writer, 32 KiB or a little more at once.
func NewOut(to io.Writer) *Out { return &Out{to: to} }

// Pass writes b on if it is long, and returns the slice to append to.
func (o *Out) Pass(b []byte) []byte {
	if o == nil || len(b) < part {
		return b
	}
	o.write(b)
	return b[:0]
}

// End writes what is left. It returns how many bytes were written altogether, and the first error.
func (o *Out) End(b []byte) (written int64, err error) {
	o.write(b)
	return o.written, o.err
}

// Parts writes what is appended part by part, by a function that is told of the slice and of the Out to pass it through.
func Parts(appendTo func(b []byte, out *Out) []byte) io.WriterTo { return parts(appendTo) }

type parts func(b []byte, out *Out) []byte

func (p parts) WriteTo(to io.Writer) (int64, error) {
	out := NewOut(to)
	return out.End(p(nil, out))
}

func (o *Out) write(b []byte) {
	if o.err == nil {
		var n int
		n, o.err = o.to.Write(b)
		o.written += int64(n)
	}
}
