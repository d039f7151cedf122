package history_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strings"
	"testing"

	"github.com/klauspost/compress/s2"

	"synchroscope/internal/raced"
	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
)

// compressed counts the blocks of a tree that are.
func compressed(t testing.TB, h *history.History) (n int) {
	t.Helper()
	if err := h.Blocks(context.Background(), func(b history.Block) bool {
		if b.Stored < b.Used {
			n++
		}
		return true
	}); err != nil {
		t.Fatal(err)
	}
	return n
}

// repeated is a tree of states that come again and again.
func repeated(t *testing.T, compress bool) (*historytest.Memory, *history.History) {
	t.Helper()
	f := new(historytest.Memory)
	w, err := history.Create(f, 0, history.Options{NodeSize: 16 << 10, PageSize: 512, Compress: compress})
	if err != nil {
		t.Fatal(err)
	}
	for i := range int64(40_000) {
		if err := w.Modify(10*i, w.Attributes().Path("Threads", fmt.Sprint(i%7)), history.Int(i%5)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Finish(400_000); err != nil {
		t.Fatal(err)
	}
	if err := history.Check(f); err != nil {
		t.Fatal(err)
	}
	return f, w.History()
}

// A compressed tree is smaller, and says so.
func TestCompressed(t *testing.T) {
	raced.Alone(t)
	plain, one := repeated(t, false)
	small, other := repeated(t, true)
	if len(small.B) > len(plain.B)/2 {
		t.Errorf("%d bytes, compressed %d", len(plain.B), len(small.B))
	}
	if a, b := compressed(t, one), compressed(t, other); a != 0 || b == 0 {
		t.Errorf("%d and %d blocks are compressed", a, b)
	}
	if one.Stats().Compress || !other.Stats().Compress {
		t.Error("the figures of a tree do not say whether it is compressed")
	}
}

// What a hostile file has in place of a compressed payload is refused with the block and the cause, before memory is made for it.
func TestHostileCompression(t *testing.T) {
	raced.Alone(t)
	f, h := repeated(t, true)
	var at history.Block
	if err := h.Blocks(t.Context(), func(b history.Block) bool {
		at = b
		return b.Stored == b.Used
	}); err != nil {
		t.Fatal(err)
	}
	body := at.Offset + 48 + 4*int64(at.Pages-1)
	for want, patch := range map[string][]byte{
		"of 16":                  binary.AppendUvarint(nil, 1<<31),
		"cannot be decompressed": binary.AppendUvarint(nil, 100),
		"a directory of":         s2.Encode(nil, []byte{1, 2, 3}),
		"with compression 9":     nil,
	} {
		bad := f.Clone()
		if patch == nil {
			bad.B[at.Offset+6] = 9
		}
		copy(bad.B[body:], patch)
		if strings.HasPrefix(want, "a directory") {
			binary.LittleEndian.PutUint32(bad.B[at.Offset+12:], uint32(len(patch)))
			binary.LittleEndian.PutUint32(bad.B[at.Offset+44:], 1)
			copy(bad.B[at.Offset+48:], patch)
		}
		table := crc32.MakeTable(crc32.Castagnoli)
		for p := int64(1); p < int64(binary.LittleEndian.Uint32(bad.B[at.Offset+44:])); p++ {
			binary.LittleEndian.PutUint32(bad.B[at.Offset+48+4*(p-1):], crc32.Checksum(bad.B[at.Offset+512*p:at.Offset+512*(p+1)], table))
		}
		binary.LittleEndian.PutUint32(bad.B[at.Offset:], crc32.Checksum(bad.B[at.Offset+4:at.Offset+512], table))
		err := history.Check(bad)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), fmt.Sprintf("block %d", at.Number)) {
			t.Errorf("%v, want %q", err, want)
		}
		opened, err := history.Open(bad)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := opened.Point(t.Context(), attribute.Quark(1), at.Start+1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("a look at it: %v, want %q", err, want)
		}
	}
}
