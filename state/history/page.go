package history

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// A window is what was looked at last of one block: pages of the cache, or
// bytes of adjacent pages in a buffer of its own.
type window struct {
	from, to int // bytes of the block
	data     []byte
	joined   []byte
	single   []byte // a page that the cache did not take
}

// beyond what is asked for of several pages are as many bytes, where they are at hand, since a decoder takes
// several at once.
const beyond = 16

// manyPages are read in one go.
const manyPages = 4

// pages are adjacent ones of a block, as a query needed them together.
type pages struct {
	to   int
	data []byte
}

// span returns n bytes of the payload from off on, valid until the next use of w.
func (k *block) span(w *window, off, n int) ([]byte, error) {
	if off < 0 || n < 0 || off+n > k.used {
		return nil, k.corrupt("%d bytes at %d of %d", n, off, k.used)
	}
	if k.payload != nil || n == 0 {
		return k.payload[min(off, len(k.payload)):min(off+n, len(k.payload))], nil
	}
	at := k.body + off
	if at < w.from || at+n > w.to {
		if err := k.fill(w, at, at+n); err != nil {
			w.to = w.from
			return nil, err
		}
	}
	return w.data[at-w.from:][:n], nil
}

// fill brings bytes [begin, end) of the block into w.
func (k *block) fill(w *window, begin, end int) (err error) {
	size := k.file.pageSize()
	from, to := begin/size, (end-1)/size+1
	w.from, w.to = from*size, to*size
	switch {
	case to*size <= len(k.first):
		w.data = k.first[from*size : to*size]
	case to-from == 1:
		w.data, err = k.page(from, &w.single)
	case to-from >= manyPages:
		err = k.spread(w, from, to)
	default:
		end = min(end+beyond, to*size)
		w.from, w.to = begin, end
		w.joined = w.joined[:0]
		for p := from; p < to && err == nil; p++ {
			var b []byte
			if b, err = k.page(p, &w.single); err == nil {
				w.joined = append(w.joined, b[max(begin-p*size, 0):min(end-p*size, size)]...)
			}
		}
		w.data = w.joined
	}
	return err
}

// spread brings many pages [from, to) into w, which they are the bounds of: through the cache if it has room for
// them, and with the others of the block where the file is small. Where the cache is full they seldom drive others out, since those were as good.
func (k *block) spread(w *window, from, to int) (err error) {
	if k.file.small() {
		if w.data, err = k.keep(true); w.data != nil || err != nil {
			w.from, w.to = 0, k.pages*k.file.pageSize()
			return err
		}
		w.joined, err = k.readPages(w.joined, from, to)
		w.data = w.joined
		return err
	}
	key := cacheKey{k.file, k.number + uint32(from), cachedPages}
	if held, ok := k.file.cache.get(key).(pages); ok && held.to >= to {
		w.to, w.data = held.to*k.file.pageSize(), held.data
		return nil
	}
	size := (to-from)*k.file.pageSize() + 200
	if !k.file.cache.admits(key, size) {
		w.joined, err = k.readPages(w.joined, from, to)
		w.data = w.joined
		return err
	}
	if w.data, err = k.readPages(nil, from, to); err == nil {
		k.file.cache.put(key, pages{to, w.data}, size)
	}
	return err
}

// page returns one page through the cache, or in buf if the cache does not take it.
func (k *block) page(p int, buf *[]byte) ([]byte, error) {
	if size := k.file.pageSize(); (p+1)*size <= len(k.first) {
		return k.first[p*size:][:size], nil
	}
	key := cacheKey{k.file, k.number + uint32(p), cachedPage}
	if b, ok := k.file.cache.get(key).([]byte); ok {
		return b, nil
	}
	size := k.file.pageSize() + 160
	if !k.file.cache.admits(key, size) {
		b, err := k.readPages(*buf, p, p+1)
		*buf = b
		return b, err
	}
	b, err := k.readPages(nil, p, p+1)
	if err == nil {
		k.file.cache.put(key, b, size)
	}
	return b, err
}

// readPages reads pages [from, to) into b, which is grown, and verifies them.
func (k *block) readPages(b []byte, from, to int) ([]byte, error) {
	size := k.file.pageSize()
	if n := (to - from) * size; cap(b) < n {
		b = make([]byte, n)
	} else {
		b = b[:n]
	}
	off := k.offset + int64(from*size)
	if n, err := k.file.f.ReadAt(b, off); n < len(b) {
		return b, k.file.blame(readError(fmt.Sprintf("block %d", k.number), off, n, len(b), err))
	}
	if from == 0 {
		copy(b, k.first) // which was verified
	}
	for p := max(from, 1); p < to; p++ {
		at := blockHeader + 4*(p-1)
		sums := k.first
		if at+4 > len(sums) { // it stands in what was just read
			at -= from * size
			sums = b
		}
		got := crc32.Checksum(b[(p-from)*size:(p-from+1)*size], castagnoli)
		if want := binary.LittleEndian.Uint32(sums[at:]); got != want {
			return b, k.file.blame(corruptAt(fmt.Sprintf("block %d", k.number), k.offset+int64(p*size),
				fmt.Sprintf("checksum of page %d is %08x, the block says %08x", p, got, want)))
		}
	}
	return b, nil
}

// keep returns all bytes of the block through the cache; nil where it does not have them, if they are not to drive others out.
func (k *block) keep(seldom bool) ([]byte, error) {
	key := cacheKey{k.file, k.number, cachedWhole}
	if b, ok := k.file.cache.get(key).([]byte); ok {
		return b, nil
	}
	if seldom && !k.file.cache.admits(key, k.pages*k.file.pageSize()+160) {
		return nil, nil
	}
	b, err := k.readPages(nil, 0, k.pages)
	if err == nil {
		k.file.cache.put(key, b, len(b)+160)
	}
	return b, err
}

// load returns k with all of its payload, read into buf if need be.
func (k *block) load(buf *[]byte) (*block, error) {
	if k.payload != nil {
		return k, nil
	}
	var b []byte
	var err error
	if k.file.small() {
		b, err = k.keep(false)
	} else {
		b, err = k.readPages(*buf, 0, k.pages)
		*buf = b
	}
	if err != nil {
		return nil, err
	}
	whole := *k
	whole.payload = b[k.body : k.body+k.used]
	return &whole, nil
}
