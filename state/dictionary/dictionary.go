// Package dictionary numbers texts: equal texts have one number, dense from 0 in the order in which they came.
//
// One goroutine adds; any number read, without waiting. A text stands in a chunk that is never moved, behind an entry that
// is never moved, and both are written before the number of texts is.
//
// A trace may name every file that was ever opened, so texts and entries are in scratch memory: 24 bytes and the text for each,
// and no pointer.
package dictionary

import (
	"hash/maphash"
	"runtime"
	"strings"
	"sync/atomic"
	"unsafe"

	"synchroscope/state/scratch"
)

// A Dictionary is a list of different texts.
type Dictionary struct {
	space  *scratch.Space
	seed   maphash.Seed
	blocks atomic.Pointer[[]*block]
	chunks atomic.Pointer[[]chunk]
	count  atomic.Int32
	rest   []byte   // of the last chunk
	table  []uint32 // numbers + 1 by hash; its length is a power of two, at most two thirds of it are taken
}

const (
	blockBits = 8
	blockSize = 1 << blockBits

	leastTable = 64
	leastChunk = 1 << 10
	mostChunk  = 64 << 10 // but for a longer text
)

type block [blockSize]entry

// An entry is where a text stands.
type entry struct {
	chunk, at uint32
	length    uint32
	hash      uint32
}

type chunk struct {
	bytes []byte
	held  bool // by the space, and gone with it
}

// New returns a dictionary without a text, whose memory comes from a space.
func New(space *scratch.Space) *Dictionary {
	d := &Dictionary{space: space, seed: maphash.MakeSeed()}
	d.blocks.Store(new([]*block))
	d.chunks.Store(new([]chunk))
	return d
}

// Len is the number of texts.
func (d *Dictionary) Len() int { return int(d.count.Load()) }

// At returns a text, or "" for a number that no text has. It allocates if there are so many texts that they are not in memory.
func (d *Dictionary) At(number int) string {
	if number < 0 || number >= d.Len() {
		return ""
	}
	b, held := d.bytes(d.entry(number))
	s := unsafe.String(unsafe.SliceData(b), len(b))
	if held {
		s = strings.Clone(s)
		runtime.KeepAlive(d.space)
	}
	return s
}

// Is tells whether a text that there is equals s.
func (d *Dictionary) Is(number int, s string) bool {
	b, _ := d.bytes(d.entry(number))
	is := string(b) == s
	runtime.KeepAlive(d.space)
	return is
}

// Hash is that of a text that there is, as HashOf has it.
func (d *Dictionary) Hash(number int) uint32 {
	h := d.entry(number).hash
	runtime.KeepAlive(d.space)
	return h
}

// HashOf is the same for equal texts, in this dictionary.
func (d *Dictionary) HashOf(s string) uint32 {
	h := maphash.String(d.seed, s)
	return uint32(h ^ h>>32)
}

func (d *Dictionary) entry(number int) *entry {
	return &(*d.blocks.Load())[number>>blockBits][number%blockSize]
}

func (d *Dictionary) bytes(e *entry) (b []byte, held bool) {
	if e.length == 0 {
		return nil, false
	}
	c := &(*d.chunks.Load())[e.chunk]
	return c.bytes[e.at:][:e.length:e.length], c.held
}

// Number returns the number of a text, which is copied if it is new.
func (d *Dictionary) Number(text []byte) int {
	s := unsafe.String(unsafe.SliceData(text), len(text)) // for as long as this call
	if 3*d.Len() >= 2*len(d.table) {
		d.grow(max(leastTable, 2*len(d.table)))
	}
	hash := d.HashOf(s)
	last := uint32(len(d.table) - 1)
	i := hash & last
	for ; d.table[i] != 0; i = (i + 1) & last {
		if n := int(d.table[i] - 1); d.entry(n).hash == hash && d.Is(n, s) {
			return n
		}
	}
	n := d.Len()
	d.add(n, text, hash)
	d.table[i] = uint32(n + 1)
	return n
}

func (d *Dictionary) add(n int, text []byte, hash uint32) {
	blocks := *d.blocks.Load()
	if n>>blockBits == len(blocks) {
		blocks = append(blocks, &scratch.Make[block](d.space, 1)[0]) // readers hold shorter slices of the same array
		d.blocks.Store(&blocks)
	}
	chunks := *d.chunks.Load()
	if len(text) > len(d.rest) {
		size := max(len(text), min(leastChunk<<min(len(chunks), 16), mostChunk))
		d.rest = scratch.Make[byte](d.space, size)
		chunks = append(chunks, chunk{d.rest, scratch.Holds(d.space, &d.rest[0])})
		d.chunks.Store(&chunks)
	}
	e := entry{length: uint32(len(text)), hash: hash}
	if len(text) > 0 {
		e.chunk = uint32(len(chunks) - 1)
		e.at = uint32(len(chunks[e.chunk].bytes) - len(d.rest))
		d.rest = d.rest[copy(d.rest, text):]
	}
	blocks[n>>blockBits][n%blockSize] = e
	d.count.Store(int32(n + 1))
}

// grow makes the table anew with so many places.
func (d *Dictionary) grow(places int) {
	d.table = scratch.Make[uint32](d.space, places)
	last := uint32(places - 1)
	for n := range d.Len() {
		i := d.entry(n).hash & last
		for d.table[i] != 0 {
			i = (i + 1) & last
		}
		d.table[i] = uint32(n + 1)
	}
}
