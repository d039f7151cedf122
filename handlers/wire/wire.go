// Package wire turns answers into the binary messages of the live websocket
// and its JSON requests into values. docs/format/wire.md is the law; this
// package is its server side and knows nothing of sets, views or sockets.
//
// The form serves the reader. A browser lays typed arrays over the bytes of a
// message without copying them, and a Float64Array that does not begin at a
// multiple of eight throws; so every column is padded to its element size,
// counted from the start of the message. Times since 1970 do not fit a double:
// a message carries one int64 and columns of offsets from it.
//
// Not done here: compression (deflating a megabyte takes longer than a local
// network does) and deltas (an answer replaces the one before it, so that one
// that was skipped costs nothing).
package wire

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
)

// Version is the version of docs/format/wire.md, in every header.
const Version = 8

// A Kind tells what a message is.
type Kind uint8

// The kinds of message a server sends.
const (
	KindSet      Kind = 1
	KindReport   Kind = 2
	KindClocks   Kind = 3
	KindStates   Kind = 4
	KindMessages Kind = 5
	KindDensity  Kind = 6
	KindAt       Kind = 7
	KindPoints   Kind = 8
	KindError    Kind = 9
	KindRows     Kind = 10
	KindListing  Kind = 11
	KindWakeups  Kind = 12
	KindFlows    Kind = 13
	KindAlive    Kind = 14
)

// HeaderSize is the length of the header of every message.
const HeaderSize = 8

// MaxFrame is the length of the longest message. It bounds what one request can
// make the server hold, and the browser decode in one go.
const MaxFrame = 16 << 20

// ErrTooLarge is the error of an answer longer than MaxFrame.
var ErrTooLarge = errors.New("the answer is too large for one message: ask for fewer rows or fewer columns")

// A Header begins a message. View is the id its request gave, 0 for what
// answers none; Generation is the request's.
type Header struct {
	View       uint16
	Generation uint32
}

// Addressed is a copy of an answer that is to be acknowledged, with another header and number.
func Addressed(answer []byte, h Header, seq uint32) []byte {
	out := slices.Clone(answer)
	binary.LittleEndian.PutUint16(out[2:], h.View)
	binary.LittleEndian.PutUint32(out[4:], h.Generation)
	binary.LittleEndian.PutUint32(out[HeaderSize:], seq)
	return out
}

// A frame is a message being written.
type frame struct{ b []byte }

func newFrame(k Kind, h Header, size int) *frame {
	f := &frame{b: make([]byte, 0, size)}
	f.b = append(f.b, byte(k), Version)
	f.b = binary.LittleEndian.AppendUint16(f.b, h.View)
	f.u32(h.Generation)
	return f
}

// align pads with zeros to a multiple of n.
func (f *frame) align(n int) {
	for len(f.b)%n != 0 {
		f.b = append(f.b, 0)
	}
}

func (f *frame) u32(v uint32) { f.b = binary.LittleEndian.AppendUint32(f.b, v) }
func (f *frame) i64(v int64)  { f.b = binary.LittleEndian.AppendUint64(f.b, uint64(v)) }

func (f *frame) bytes(column []uint8) { f.b = append(f.b, column...) }

func (f *frame) u16s(column []uint16) {
	f.align(2)
	for _, v := range column {
		f.b = binary.LittleEndian.AppendUint16(f.b, v)
	}
}

func (f *frame) u32s(column []uint32) {
	f.align(4)
	for _, v := range column {
		f.u32(v)
	}
}

func (f *frame) i32s(column []int32) {
	f.align(4)
	for _, v := range column {
		f.u32(uint32(v))
	}
}

func (f *frame) f32s(column []float32) {
	f.align(4)
	for _, v := range column {
		f.u32(math.Float32bits(v))
	}
}

func (f *frame) f64s(column []float64) {
	f.align(8)
	for _, v := range column {
		f.b = binary.LittleEndian.AppendUint64(f.b, math.Float64bits(v))
	}
}

// texts writes strings end to end, their ends first. Space for other columns
// between the two is not needed by any message.
func (f *frame) texts(texts []string) {
	end := uint32(0)
	f.align(4)
	for _, s := range texts {
		end += uint32(len(s))
		f.u32(end)
	}
	for _, s := range texts {
		f.b = append(f.b, s...)
	}
}

func textBytes(texts []string) (n int) {
	for _, s := range texts {
		n += len(s)
	}
	return n
}

// done returns the message, or ErrTooLarge.
func (f *frame) done() ([]byte, error) {
	if len(f.b) > MaxFrame {
		return nil, ErrTooLarge
	}
	return f.b, nil
}
