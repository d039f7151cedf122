package history

import (
	"context"
	"fmt"

	"synchroscope/state/attribute"
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
		if !yield(k.describe()) {
			return nil
		}
	}
	return nil
}

// Block describes the block that begins at a page.
func (h *History) Block(number uint32) (Block, error) {
	k, err := h.blockAt(number)
	if err != nil {
		return Block{}, err
	}
	return k.describe(), nil
}

func (h *History) blockAt(number uint32) (*block, error) {
	if v := h.current.Load(); number >= v.filePages {
		return nil, fmt.Errorf("history: there is no block %d, only %d pages", number, v.filePages)
	}
	k, err := h.file.whole(number)
	if err != nil {
		return nil, h.noBlock(number, err)
	}
	return k, nil
}

func (k *block) describe() Block {
	return Block{k.number, k.pages, k.offset, kindNames[k.kind], int(k.level), k.start, k.end, k.columns, k.count, k.used, k.stored}
}

// BlockIntervals yields the intervals of a leaf or extent, by attribute and time; of a block of the state stream the ongoing values that begin in
// it, from when they are so to the end of the history; and nothing for other kinds. It stops when yield returns false.
func (h *History) BlockIntervals(number uint32, yield func(Interval) bool) error {
	k, err := h.blockAt(number)
	if err != nil {
		return err
	}
	switch k.kind {
	case leafBlock, extentBlock:
		return k.each(yield)
	case stateBlock:
		return h.stateOf(k, yield)
	}
	return nil
}

// stateOf yields what begins in a block of the state stream, of which each attribute takes as much as it is written with.
func (h *History) stateOf(k *block, yield func(Interval) bool) error {
	before := 0
	for prev := k.prev; prev != noBlock; {
		b, err := h.file.read(prev)
		if err == nil {
			err = b.expect(stateBlock, 0)
		}
		if err != nil {
			return err
		}
		before, prev = before+b.used, b.prev
	}
	v := h.current.Load()
	p, passed := present{start: v.start, pages: v.pages}, 0
	var item []byte
	for q := range attribute.Quark(v.attributes) {
		if passed >= before+k.used {
			break
		}
		o := at(v.pages, v.start, q)
		if passed >= before && o.born() && !yield(Interval{q, o.since, v.end, o.value}) {
			break
		}
		item = p.appendOngoing(item[:0], q)
		passed += len(item)
	}
	return nil
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
