package history

import (
	"encoding/binary"
	"strings"
	"testing"

	"synchroscope/internal/raced"
	"synchroscope/state/attribute"
)

// seldom is an attribute of forged that changes once.
const seldom = 20

// forged is a tree of one page a block, of changes of some attributes in turn, each with so many values, some ns apart.
func forged(t *testing.T, attributes, values, changes int) (*History, frozen) {
	t.Helper()
	file := new(growing)
	w, err := Create(file, 0, Options{NodeSize: 512, MaxChildren: 8})
	if err != nil {
		t.Fatal(err)
	}
	for i := range attributes {
		w.Attributes().Add(attribute.Root, string(rune('A'+i)))
	}
	now := int64(0)
	for i := range changes {
		q := i % attributes
		if i%7 == 0 || q == seldom && i > seldom {
			q = 0
		}
		if err := w.Modify(now, attribute.Quark(q), Int(int64(i/attributes%values))); err != nil {
			t.Fatal(err)
		}
		now += int64(90 + i*i%20)
	}
	if err := w.Finish(now); err != nil {
		t.Fatal(err)
	}
	return w.History(), file.frozen
}

// columnsOf yields the columns of all blocks of a kind: where each stands in the file, and its bytes.
func columnsOf(t *testing.T, h *History, kind uint8, yield func(k *block, c *columns, at int64, data []byte)) {
	t.Helper()
	pages := h.file.pages.Load()
	for number := uint32(0); number < pages; {
		k, err := h.file.whole(number)
		if err != nil {
			t.Fatal(err)
		}
		number += uint32(k.pages)
		if k.kind != kind {
			continue
		}
		for c := k.cursor(); c.next(); {
			data, err := c.data()
			if err != nil {
				t.Fatal(err)
			}
			yield(k, &c, k.offset+int64(k.body+c.at), data)
		}
	}
}

// What a summary says wrongly is told, though its checksum is right: the times and counts of a child, with their values, and where
// what crosses from child to child begins and ends.
func TestCheckFindsWrongSums(t *testing.T) {
	raced.Alone(t)
	h, file := forged(t, 3, 4, 900)
	crossings := 0
	columnsOf(t, h, summaryBlock, func(_ *block, c *columns, at int64, data []byte) {
		if data[0] > laneValues {
			crossings++
		}
		for i := range data {
			b := append(frozen(nil), file...)
			b[at+int64(i)] ^= 1
			resumTree(b, file)
			if err := Check(b); err == nil {
				t.Errorf("byte %d of %d of attribute %d in a summary, % x, is %#02x instead", i, len(data), c.quark, data, data[i]^1)
			}
		}
	})
	if crossings == 0 {
		t.Error("no summary tells of what crosses from child to child")
	}
}

// An attribute that would have two values at one time is told, though all checksums, bounds and numbers of intervals are right.
func TestCheckFindsOverlaps(t *testing.T) {
	raced.Alone(t)
	h, file := forged(t, 40, 500, 2500)
	overlaps := 0
	columnsOf(t, h, leafBlock, func(k *block, c *columns, at int64, data []byte) {
		first := k.intervals(data)
		if !first.next() || first.start-1 < k.start {
			return
		}
		// The first interval begins 1 ns earlier, and ends when it did.
		length := uvarintLen(uint64(first.start - k.start))
		if data[0]&0x7f == 0 || data[length]&0x7f == 0x7f {
			return
		}
		b := append(frozen(nil), file...)
		b[at]--
		b[at+int64(length)]++
		resumTree(b, file)
		err := Check(b)
		if err == nil {
			t.Errorf("attribute %d from %d to %d begins 1 ns earlier, and nothing is said", c.quark, first.start, first.end)
		} else if strings.Contains(err.Error(), "some overlap") {
			overlaps++
		}
	})
	if overlaps == 0 {
		t.Error("no overlap was found")
	}
}

// So is an interval that lies in another, which nobody would come to see.
func TestCheckFindsHiddenIntervals(t *testing.T) {
	raced.Alone(t)
	h, file := forged(t, 40, 500, 2500)
	hidden := 0
	columnsOf(t, h, leafBlock, func(k *block, c *columns, _ int64, _ []byte) {
		// Where the attribute that changes seldom has no column, the next one's becomes its.
		head := k.payload[int(binary.LittleEndian.Uint32(k.directory[4:]))+2*(c.index-1):]
		if c.quark != seldom+1 || c.index == 1 || head[0] != 2 || head[2] != 1 {
			return
		}
		b := append(frozen(nil), file...)
		at := len(k.payload) - len(head)
		b[k.offset+int64(k.body+at)]--
		b[k.offset+int64(k.body+at)+2]++
		resumTree(b, file)
		if err := Check(b); err == nil || !strings.Contains(err.Error(), "in the blocks: some overlap") {
			t.Errorf("from %d to %d attribute %d has intervals inside another: %v", k.start, k.end, seldom, err)
		}
		hidden++
	})
	if hidden == 0 {
		t.Error("there was nothing to hide")
	}
}
