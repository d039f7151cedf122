package history

import (
	"encoding/binary"
	"hash/crc32"
)

// A leafOut writes a leaf whose columns come one after the other, some pages at a time. What stands before them, with the checksums of all
// pages, is written last.
type leafOut struct {
	w     *Writer
	k     *block
	front []byte // of whole pages, when it is full
	page  int    // the first that is in rest
	rest  []byte
	err   error
}

// write appends bytes of columns.
func (o *leafOut) write(b []byte) {
	size := int(o.w.header.pageSize)
	if missing := -len(o.front) & (size - 1); missing > 0 {
		n := min(missing, len(b))
		o.front = append(o.front, b[:n]...)
		b = b[n:]
	}
	for len(b) > 0 && o.err == nil {
		if o.rest == nil {
			o.w.payload() // lends the buffer
			o.page, o.rest = len(o.front)/size, o.w.buf[:0:o.w.header.otherPages()*size]
		}
		n := min(cap(o.rest)-len(o.rest), len(b))
		o.rest = append(o.rest, b[:n]...)
		b = b[n:]
		if len(o.rest) == cap(o.rest) {
			o.pass()
		}
	}
}

// pass writes the pages that are in rest.
func (o *leafOut) pass() {
	size := int(o.w.header.pageSize)
	offset := o.w.file.offset(o.k.number) + int64(o.page*size)
	if _, o.err = o.w.file.f.WriteAt(o.rest, offset); o.err != nil {
		return
	}
	for b := o.rest; len(b) > 0; b = b[size:] {
		binary.LittleEndian.PutUint32(o.front[blockHeader+4*(o.page-1):], crc32.Checksum(b[:size], castagnoli))
		o.page++
	}
	o.rest = o.rest[:0]
}

// end writes what is left.
func (o *leafOut) end() error {
	size := int(o.w.header.pageSize)
	o.front = filled(o.front, size)
	if len(o.rest) > 0 && o.err == nil {
		o.rest = filled(o.rest, size)
		o.pass()
	}
	if o.err != nil {
		return o.err
	}
	o.k.sealPages(o.front, size)
	_, err := o.w.file.f.WriteAt(o.front, o.w.file.offset(o.k.number))
	return err
}

// filled has zeros up to the end of a page.
func filled(b []byte, size int) []byte { return append(b, make([]byte, -len(b)&(size-1))...) }
