package history

import (
	"context"
	"fmt"
)

// A Block describes one block of the file.
type Block struct {
	Number     uint32
	Offset     int64 // in the file
	Kind       string
	Level      int
	Start, End int64 // local ns, 0 for names and state
	Columns    int   // attributes of a leaf, extent or summary
	Count      int   // intervals or entries
	Used       int   // bytes of payload
}

// Blocks yields the blocks of a finished tree in order of the file, each
// verified by itself. It stops when yield returns false.
func (h *History) Blocks(ctx context.Context, yield func(Block) bool) error {
	v := h.current.Load()
	for number := range v.blocks {
		if err := ctx.Err(); err != nil {
			return err
		}
		k, err := h.file.read(number)
		if err != nil {
			return err
		}
		if !yield(Block{number, k.offset, kindNames[k.kind], int(k.level), k.start, k.end, k.columns, k.count, len(k.payload)}) {
			return nil
		}
	}
	return nil
}

// BlockIntervals yields the intervals of a leaf or extent, by attribute and
// time, and nothing for other kinds. It stops when yield returns false.
func (h *History) BlockIntervals(number uint32, yield func(Interval) bool) error {
	if v := h.current.Load(); number >= v.blocks {
		return fmt.Errorf("history: there is no block %d, only %d blocks", number, v.blocks)
	}
	k, err := h.file.read(number)
	if err != nil || k.kind != leafBlock && k.kind != extentBlock {
		return err
	}
	return k.each(yield)
}

// each decodes a whole block of intervals.
func (k *block) each(yield func(Interval) bool) error {
	c := k.cursor()
	for c.next() {
		v := k.intervals(c.data)
		for v.next() {
			if !yield(Interval{c.quark, v.start, v.end, v.value}) {
				return nil
			}
		}
		if v.bad {
			return k.corruptColumn(c.quark)
		}
	}
	if c.bad || c.index != k.columns {
		return k.corrupt("its columns do not decode")
	}
	return nil
}

// Text writes v with the dictionary of h.
func (h *History) Text(v Value) string {
	if v.IsString() {
		return fmt.Sprintf("%q", h.String(v))
	}
	return v.String()
}
