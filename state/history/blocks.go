package history

import (
	"context"
	"fmt"
)

// A Block describes one block of the file.
type Block struct {
	Number     uint32 // of its first page
	Pages      int
	Offset     int64 // in the file
	Kind       string
	Level      int
	Start, End int64 // local ns, 0 for names and state
	Columns    int   // attributes of a leaf, extent or summary
	Count      int   // intervals or entries
	Used       int   // bytes of payload
	Stored     int   // bytes of it in the file: less where it is compressed
}

// Blocks yields the blocks of a finished tree in order of the file, each
// verified by itself. It stops when yield returns false.
func (h *History) Blocks(ctx context.Context, yield func(Block) bool) error {
	v := h.current.Load()
	var buf []byte
	for number := uint32(0); number < v.filePages; {
		if err := ctx.Err(); err != nil {
			return err
		}
		k, err := h.file.read(number)
		if err != nil {
			return err
		}
		if k, err = k.load(&buf); err != nil {
			return err
		}
		number += uint32(k.pages)
		if !yield(Block{k.number, k.pages, k.offset, kindNames[k.kind], int(k.level), k.start, k.end, k.columns, k.count, k.used, k.stored}) {
			return nil
		}
	}
	return nil
}

// BlockIntervals yields the intervals of a leaf or extent, by attribute and
// time, and nothing for other kinds. It stops when yield returns false.
func (h *History) BlockIntervals(number uint32, yield func(Interval) bool) error {
	if v := h.current.Load(); number >= v.filePages {
		return fmt.Errorf("history: there is no block %d, only %d pages", number, v.filePages)
	}
	k, err := h.file.whole(number)
	if err != nil {
		return h.noBlock(number, err)
	}
	if k.kind != leafBlock && k.kind != extentBlock {
		return nil
	}
	return k.each(yield)
}

// noBlock is why no block can be read at a page: the error that was met, or that the page is a later one of a sound block.
func (h *History) noBlock(number uint32, met error) error {
	err := met
	h.Blocks(context.Background(), func(b Block) bool {
		if b.Number < number && number < b.Number+uint32(b.Pages) {
			err = fmt.Errorf("history: no block begins at page %d: block %d has %d pages", number, b.Number, b.Pages)
		}
		return b.Number+uint32(b.Pages) <= number
	})
	return err
}

// each decodes a whole block of intervals.
func (k *block) each(yield func(Interval) bool) error {
	c := k.cursor()
	for c.next() {
		data, err := c.data()
		if err != nil {
			return err
		}
		v := k.intervals(data)
		for v.next() {
			if !yield(Interval{c.quark, v.start, v.end, v.value}) {
				return nil
			}
		}
		if v.bad {
			return k.corruptColumn(c.quark)
		}
	}
	return c.complete()
}

// Text writes v with the dictionary of h.
func (h *History) Text(v Value) string {
	if v.IsString() {
		return fmt.Sprintf("%q", h.String(v))
	}
	return v.String()
}
