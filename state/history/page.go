package history

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// A window is the page of a block that was looked at last, and room for what
// lies across pages.
type window struct {
	page   int
	data   []byte
	joined []byte
}

// manyPages are read past the cache, in one go.
const manyPages = 8

// span returns n bytes of the payload from off on, valid until the next use of w.
func (k *block) span(w *window, off, n int) ([]byte, error) {
	if off < 0 || n < 0 || off+n > k.used {
		return nil, k.corrupt("%d bytes at %d of %d", n, off, k.used)
	}
	if k.payload != nil || n == 0 {
		return k.payload[min(off, len(k.payload)):min(off+n, len(k.payload))], nil
	}
	size := k.file.pageSize()
	at := k.body + off
	from, to := at/size, (at+n-1)/size
	if from == to {
		b, err := k.page(w, from)
		if err != nil {
			return nil, err
		}
		return b[at%size:][:n], nil
	}
	w.joined = w.joined[:0]
	if to-from >= manyPages {
		b, err := k.readPages(w.joined, from, to+1)
		w.joined = b
		if err != nil {
			return nil, err
		}
	} else {
		for p := from; p <= to; p++ {
			b, err := k.page(w, p)
			if err != nil {
				return nil, err
			}
			w.joined = append(w.joined, b...)
		}
	}
	return w.joined[at-from*size:][:n], nil
}

// page returns one page through the window and the cache.
func (k *block) page(w *window, p int) ([]byte, error) {
	if p == 0 {
		return k.first, nil
	}
	if w.page == p {
		return w.data, nil
	}
	key := cacheKey{k.file, k.number + uint32(p), cachedPage}
	b, ok := k.file.cache.get(key).([]byte)
	if !ok {
		var err error
		if b, err = k.readPages(nil, p, p+1); err != nil {
			return nil, err
		}
		k.file.cache.put(key, b, len(b)+160)
	}
	w.page, w.data = p, b
	return b, nil
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
		return b, readError(fmt.Sprintf("block %d", k.number), off, n, len(b), err)
	}
	for p := max(from, 1); p < to; p++ {
		got := crc32.Checksum(b[(p-from)*size:(p-from+1)*size], castagnoli)
		if want := binary.LittleEndian.Uint32(k.first[blockHeader+4*(p-1):]); got != want {
			return b, &CorruptError{fmt.Sprintf("block %d", k.number), k.offset + int64(p*size),
				fmt.Sprintf("checksum of page %d is %08x, the block says %08x", p, got, want)}
		}
	}
	return b, nil
}

// load returns k with all of its payload, read into buf if need be.
func (k *block) load(buf *[]byte) (*block, error) {
	if k.payload != nil {
		return k, nil
	}
	b, err := k.readPages(*buf, 0, k.pages)
	*buf = b
	if err != nil {
		return nil, err
	}
	whole := *k
	whole.payload = b[k.body : k.body+k.used]
	whole.directory = whole.payload[:k.runs()*directoryEntry]
	return &whole, nil
}
