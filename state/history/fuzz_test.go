package history

import (
	"context"
	"encoding/binary"
	"hash/crc32"
	"io"
	"slices"
	"testing"

	"synchroscope/state/attribute"
)

// frozen is a File that is only read.
type frozen []byte

func (f frozen) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 || off >= int64(len(f)) {
		return 0, io.EOF
	}
	n := copy(p, f[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (frozen) WriteAt([]byte, int64) (int, error) { panic("a reader writes") }
func (frozen) Truncate(int64) error               { panic("a reader truncates") }
func (frozen) Sync() error                        { return nil }
func (frozen) Close() error                       { return nil }

// growing is a File that is only written.
type growing struct{ frozen }

func (g *growing) WriteAt(p []byte, off int64) (int, error) {
	if end := off + int64(len(p)); end > int64(len(g.frozen)) {
		g.frozen = append(g.frozen, make([]byte, end-int64(len(g.frozen)))...)
	}
	return copy(g.frozen[off:], p), nil
}

func (g *growing) Truncate(size int64) error { g.frozen = g.frozen[:size]; return nil }

func sample(f *testing.F, opts Options, changes int64) (whole []byte, checkpoint []byte) {
	file := &growing{}
	w, err := Create(file, 0, opts)
	if err != nil {
		f.Fatal(err)
	}
	tree := w.Attributes()
	for i := range changes {
		q := tree.Path("Threads", string(rune('a'+i%7)))
		v := []Value{Null(), Int(i % 3), Int(1 << 62), Float(2.5), Bool(true), w.Text([]byte("poll"))}[i*i%6]
		if i%13 == 0 {
			q = tree.Path("CPUs", "0")
		}
		if err := w.Modify(i*i, q, v); err != nil {
			f.Fatal(err)
		}
		if i == 400 {
			if checkpoint, err = w.Checkpoint(); err != nil {
				f.Fatal(err)
			}
		}
	}
	if err := w.Finish(changes * changes); err != nil {
		f.Fatal(err)
	}
	return file.frozen, checkpoint
}

// summed is a sample whose nodes have enough children for sums in their summaries.
func summed(f *testing.F, nodeSize int) []byte {
	file, _ := sample(f, Options{NodeSize: nodeSize, PageSize: 512, MaxChildren: 8}, 3000)
	h, err := Open(frozen(file))
	if err != nil {
		f.Fatal(err)
	}
	if Sums(f, h) == 0 {
		f.Fatal("a sample without sums")
	}
	return file
}

// FuzzBlock decodes any bytes as a block. The checksum is made right first: it
// guards against accidents, not against a hostile file.
func FuzzBlock(f *testing.F) {
	file := summed(f, minNodeSize)
	for off := headerPage; off < len(file); off += minNodeSize {
		f.Add(append([]byte(nil), file[off:off+minNodeSize]...))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < minNodeSize || len(b) > 1<<16 {
			return
		}
		resum(b)
		k := parsed(b)
		if k == nil {
			return
		}
		switch k.kind {
		case leafBlock, extentBlock:
			decodeAll(t, k)
		case indexBlock:
			for _, version := range []uint32{packedVersion, boundVersion, version} {
				n := node{level: int(k.level), start: k.start, end: k.end}
				_ = n.decodeIndex(&decoder{b: k.payload}, k.number, &header{version: version, maxChildren: 50})
			}
		case summaryBlock:
			c := k.cursor()
			for c.next() {
				for _, first := range []int{0, 3} {
					summaryColumn(k.payload[c.at:c.pos], &group{first: first, count: 8}, func(child int, _ Value, time int64, _ uint64, _ bool) {
						if child < first || child >= first+8 || time < 0 {
							t.Fatalf("child %d for %d ns", child, time)
						}
					})
				}
			}
		case wideBlock:
			c := k.cursor()
			for c.next() {
				decodedWide(t, k.payload[c.at:c.pos], k.end-k.start)
			}
		case namesBlock:
			_ = newNames(nil).restore(&feed{decoder: decoder{b: k.payload}})
		case stateBlock:
			_ = restorePresent(&feed{decoder: decoder{b: k.payload}}, &present{}, 300, 1<<40)
		}
	})
}

// decodeAll checks that whatever decodes is in order, and that seeking finds
// what going through finds.
func decodeAll(t *testing.T, k *block) {
	last := attribute.None
	walk := k.cursor()
	for walk.next() {
		if walk.quark <= last {
			t.Fatalf("column %d after %d", walk.quark, last)
		}
		last = walk.quark
		v := k.intervals(k.payload[walk.at:walk.pos])
		for end := int64(-1 << 63); v.next(); end = v.end {
			if v.start >= v.end || v.end > k.end || v.start < end || k.kind == leafBlock && v.start < k.start {
				t.Fatalf("interval %d to %d after %d in a block of %d to %d", v.start, v.end, end, k.start, k.end)
			}
		}
	}
	if walk.err != nil {
		return
	}
	seek := k.cursor()
	for again := k.cursor(); again.next(); {
		if !seek.seek(again.quark) || seek.at != again.at || seek.pos != again.pos {
			t.Fatalf("column %d is not found by seeking", again.quark)
		}
		fresh := k.cursor()
		if !fresh.seek(again.quark) || fresh.at != again.at || fresh.pos != again.pos {
			t.Fatalf("column %d is not found by seeking from the start", again.quark)
		}
	}
	for _, step := range []int{0, 1, 3, 30} {
		foundInOneWalk(t, k, step)
	}
}

// foundInOneWalk checks that of every so many quarks of a sound block, and of those beside them, find has the columns that there are.
func foundInOneWalk(t *testing.T, k *block, step int) {
	t.Helper()
	var lines []line
	n := 0
	for c := k.cursor(); c.next(); n++ {
		if n%(step+1) != 0 {
			continue
		}
		for _, q := range []attribute.Quark{c.quark - 1, c.quark, c.quark + 1} {
			if last := len(lines) - 1; q >= 0 && (last < 0 || lines[last].quark < q) {
				lines = append(lines, line{quark: q})
			}
		}
	}
	var want []standing
	i := 0
	for c := k.cursor(); c.next(); {
		for i < len(lines) && lines[i].quark < c.quark {
			i++
		}
		if i < len(lines) && lines[i].quark == c.quark {
			want = append(want, standing{int32(i), int32(c.at), int32(c.length)})
		}
	}
	c := k.cursor()
	if found := c.find(lines, nil); c.err != nil || !slices.Equal(found, want) {
		t.Fatalf("block %d: of %d columns, one of %d looked for, %d are found instead of %d: %v", k.number, k.columns, step+1, len(found), len(want), c.err)
	}
}

// FuzzTree opens and queries a file that was patched somewhere, in a block of
// one page or of several.
func FuzzTree(f *testing.F) {
	single := summed(f, minNodeSize)
	several := summed(f, 4096)
	f.Add(false, uint16(0), []byte(nil))
	f.Add(true, uint16(0), []byte{1, 2, 3})
	f.Add(false, uint16(60), []byte{0xff, 0xff, 0xff, 0xff, 0x0f})
	f.Fuzz(func(t *testing.T, one bool, at uint16, patch []byte) {
		file := several
		if one {
			file = single
		}
		b := append(frozen(nil), file...)
		copy(b[headerPage+int(at)%(len(b)-headerPage):], patch)
		resumTree(b, file)
		queryAll(b)
	})
}

// FuzzCompressed does the same to a file of compressed blocks.
func FuzzCompressed(f *testing.F) {
	file, _ := sample(f, Options{NodeSize: 4096, PageSize: 512, MaxChildren: 8, Compress: true}, 3000)
	h, err := Open(frozen(file))
	if err != nil {
		f.Fatal(err)
	}
	packed := 0
	if err := h.Blocks(context.Background(), func(b Block) bool {
		if b.Stored < b.Used {
			packed++
			f.Add(uint16(b.Offset-headerPage+blockHeader+4*int64(b.Pages-1)), []byte{0xff, 0xff, 0xff, 0xff, 0x0f})
		}
		return true
	}); err != nil || packed == 0 {
		f.Fatalf("%d compressed blocks, %v", packed, err)
	}
	f.Fuzz(func(t *testing.T, at uint16, patch []byte) {
		b := append(frozen(nil), file...)
		copy(b[headerPage+int(at)%(len(b)-headerPage):], patch)
		resumTree(b, file)
		queryAll(b)
	})
}

// divided is a sample with leaves of parts, the largest of which has checksums behind its first page, and a checkpoint of it.
func divided(f *testing.F) (file frozen, checkpoint []byte) {
	DivideFrom(f, 1024)
	TallyFrom(f, 10, 1<<17)
	b, checkpoint := sample(f, Options{NodeSize: 40 << 10, PageSize: 512, MaxChildren: 8}, 9000)
	file = b
	most := 0
	h, err := Open(file)
	if err == nil {
		err = h.Blocks(context.Background(), func(b Block) bool { most = max(most, b.Pages); return true })
	}
	if err != nil || blockHeader+4*(most-1) <= 300 {
		f.Fatalf("a block of %d pages at most, %v", most, err)
	}
	return file, checkpoint
}

// FuzzLargeLeaf does to a file of large leaves what FuzzTree does.
func FuzzLargeLeaf(f *testing.F) {
	file, _ := divided(f)
	for at := range uint16(12) {
		f.Add(40*at, []byte{0xff, 0xff, 0xff, 0xff})
	}
	f.Fuzz(func(t *testing.T, at uint16, patch []byte) {
		b := append(frozen(nil), file...)
		copy(b[headerPage+int(at)%(len(b)-headerPage):], patch)
		resumTree(b, file)
		queryAll(b)
	})
}

// FuzzResumeParts goes on from a checkpoint with parts that was patched.
func FuzzResumeParts(f *testing.F) {
	file, checkpoint := divided(f)
	for at := range uint16(12) {
		f.Add(uint16(len(checkpoint))-90*at-20, []byte{0xff, 0x80, 0})
	}
	f.Fuzz(func(t *testing.T, at uint16, patch []byte) {
		b := append([]byte(nil), checkpoint[:len(checkpoint)-crc32.Size]...)
		copy(b[int(at)%len(b):], patch)
		b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
		w, err := Resume(&growing{append(frozen(nil), file...)}, b)
		if err != nil {
			return
		}
		if end := int64(9000 * 9000); w.now <= end {
			_ = w.Finish(end)
		}
	})
}

// FuzzWide decodes any bytes as a column of wide totals, and does to a file that has such what FuzzTree does.
func FuzzWide(f *testing.F) {
	file := &growing{}
	w, err := Create(file, 0, Options{NodeSize: 2048, PageSize: 512, MaxChildren: 4})
	if err != nil {
		f.Fatal(err)
	}
	for i := range int64(12_000) {
		q := w.Attributes().Path(string(rune('a' + i%3)))
		if err := w.Modify(20*i, q, []Value{Int(i * i % 101), w.Text([]byte{byte(i * i % 103)}), Int(-i * i % 97)}[i%3]); err != nil {
			f.Fatal(err)
		}
	}
	if err := w.Finish(20 * 12_000); err != nil {
		f.Fatal(err)
	}
	found := 0
	if err := w.History().Blocks(context.Background(), func(b Block) bool {
		if b.Kind == kindNames[wideBlock] {
			found++
			k, err := w.History().file.whole(uint32(b.Number))
			if err != nil {
				f.Fatal(err)
			}
			for c := k.cursor(); c.next(); {
				f.Add(uint16(b.Offset-headerPage+blockHeader+4*int64(b.Pages-1)+int64(c.at)), k.payload[c.at:c.pos])
			}
		}
		return true
	}); err != nil || found == 0 {
		f.Fatalf("%d blocks of wide totals, %v", found, err)
	}
	f.Fuzz(func(t *testing.T, at uint16, patch []byte) {
		decodedWide(t, patch, 1<<40)
		b := append(frozen(nil), file.frozen...)
		copy(b[headerPage+int(at)%(len(b)-headerPage):], patch)
		resumTree(b, file.frozen)
		queryAll(b)
	})
}

// decodedWide checks that what decodes as a column of wide totals is in order, fits into its child, and is what would be written of it.
func decodedWide(t *testing.T, data []byte, length int64) {
	t.Helper()
	x := new(wide)
	x.reset(1<<40, 1<<12)
	var all int64
	before, first := uint64(0), true
	if !decodeWide(data, length, func(v Value, time int64, count uint64) {
		key, ok := keyOf(v)
		if !ok || !first && key <= before || time < 1 || count < 1 || count > uint64(time) {
			t.Fatalf("%v for %d ns, %d times, behind key %d", v, time, count, before)
		}
		all += time
		before, first = key, false
		x.add(v, time, count)
	}) {
		return
	}
	if all > length {
		t.Fatalf("%d ns of %d", all, length)
	}
	again := 0
	if x.failed {
		return
	}
	decodeWide(x.appendTo(nil), length, func(Value, int64, uint64) { again++ })
	if int64(again) != x.values {
		t.Fatalf("%d values, and once more %d", x.values, again)
	}
}

// queryAll asks a file for what there is of every kind.
func queryAll(b frozen) {
	h, err := Open(b)
	if err != nil {
		return
	}
	ctx := context.Background()
	_ = Check(b)
	_, end := h.Bounds()
	steps := 0
	_ = h.Range(ctx, []attribute.Quark{0, 1, 2, 3}, 0, end, func(iv Interval) bool {
		steps++
		return steps < 10_000
	})
	_ = h.Full(ctx, end/2, func(Interval) bool { return true })
	qs := []attribute.Quark{1, 2, 5}
	// Of the four leaves of several, which have sums, the first is looked into and the others are cut in two.
	edges := []int64{0, 10, 5000, 500_000, 2_000_000, 4_500_000, 7_500_000, max(7_500_000, end)}
	if _, err := h.Pixels(ctx, qs, edges); err != nil {
		return
	}
	_, _ = h.Totals(ctx, qs, 3, end)
}

// FuzzResume goes on from any bytes as a checkpoint, and from a good one that was patched.
func FuzzResume(f *testing.F) {
	file, checkpoint := sample(f, Options{NodeSize: 4096, PageSize: 512, MaxChildren: 2}, 600)
	f.Add(uint16(600), []byte{1, 2, 3})
	f.Fuzz(func(t *testing.T, at uint16, patch []byte) {
		b := append([]byte(nil), checkpoint...)
		body := b[:len(b)-4]
		copy(body[int(at)%len(body):], patch)
		binary.LittleEndian.PutUint32(b[len(body):], crc32.Checksum(body, castagnoli))
		w, err := Resume(&growing{append([]byte(nil), file...)}, b)
		if err != nil {
			return
		}
		_ = w.Modify(1<<19, 1, Int(7))
		if err := w.Finish(1 << 20); err != nil {
			return
		}
		_, _ = w.History().Point(context.Background(), 1, 1<<19)
	})
}

// resumTree makes the checksums of a patched file right, by the layout it had.
func resumTree(b, original []byte) {
	for off := headerPage; off < len(b); {
		pages := int(binary.LittleEndian.Uint32(original[off+44:]))
		for p := pages - 1; p > 0; p-- { // a page may have checksums of later ones
			binary.LittleEndian.PutUint32(b[off+blockHeader+4*(p-1):], crc32.Checksum(b[off+p*512:off+(p+1)*512], castagnoli))
		}
		resum(b[off : off+512])
		off += pages * 512
	}
}

// parsed is a block of one page, or nil.
func parsed(b []byte) *block {
	size := fitPage(len(b))
	if size != len(b) {
		return nil
	}
	k, err := parseBlock(newStore(frozen(nil), header{version: version, nodeSize: uint32(size), pageSize: uint32(size)}, nil), b, number(b))
	if err != nil || k.pages != 1 {
		return nil
	}
	return k
}

func resum(b []byte) { binary.LittleEndian.PutUint32(b, crc32.Checksum(b[4:], castagnoli)) }

func number(b []byte) uint32 { return binary.LittleEndian.Uint32(b[8:]) }
