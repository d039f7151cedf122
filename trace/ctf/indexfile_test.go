package ctf

import (
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// indexBytes writes an index as LTTng does.
func indexBytes(minor uint32, entries ...indexed) []byte {
	length := uint32(indexEntry1)
	if minor == 0 {
		length = indexEntry0
	}
	var b []byte
	for _, v := range []uint32{indexMagic, 1, minor, length} {
		b = binary.BigEndian.AppendUint32(b, v)
	}
	for i, e := range entries {
		words := []uint64{uint64(e.off), e.size, e.content, e.first, e.last, e.discarded, e.class, 7, uint64(i)}
		for _, v := range words[:length/8] {
			b = binary.BigEndian.AppendUint64(b, v)
		}
	}
	return b
}

var goodIndex = []indexed{{0, 800, 640, 10, 20, 0, 3}, {100, 80, 80, 20, 20, 1, 3}, {110, 720, 0, 25, 30, 1, 3}}

func TestParseIndex(t *testing.T) {
	for minor := range uint32(2) {
		b := indexBytes(minor, goodIndex...)
		entries, err := parseIndex(b)
		if err != nil || !slices.Equal(entries, goodIndex) {
			t.Errorf("version 1.%d: %v, %v", minor, entries, err)
		}
		for n := range b {
			if entries, err := parseIndex(b[:n]); err == nil && covers(entries, 200) == nil {
				t.Errorf("version 1.%d: cut after %d bytes it is sound", minor, n)
			}
		}
	}
	if err := covers(goodIndex, 200); err != nil {
		t.Errorf("a sound index is refused: %v", err)
	}
	for want, change := range map[string]func(e []indexed){
		"begins at byte":         func(e []indexed) { e[1].off = 99 },
		"packet 0 begins":        func(e []indexed) { e[0].off = 1 },
		"cannot have":            func(e []indexed) { e[1].content = 81 },
		"packet 2 cannot have":   func(e []indexed) { e[2].size = 1 << 60 },
		"packet 0 cannot have":   func(e []indexed) { e[0].size = 0 },
		"packet 1 cannot have":   func(e []indexed) { e[1].size = 79 },
		"the packets end at":     func(e []indexed) { e[2].size = 640 },
		"the one before ends":    func(e []indexed) { e[0].last = 21 },
		"before it begins":       func(e []indexed) { e[2].first = 31 },
		"packet 2 belongs to":    func(e []indexed) { e[2].class = 4 },
		"the packets end at byt": func(e []indexed) { e[2].size = 8 },
	} {
		e := slices.Clone(goodIndex)
		change(e)
		if err := covers(e, 200); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that says %q", err, want)
		}
	}
}

// A time is found by an index, and as well where there is none or it lies.
func TestSeekTimeWithIndex(t *testing.T) {
	for _, name := range []string{"lttng-tracefile-rotation.tar.gz", "trace-with-index.tar.gz"} {
		tr := openAll(t, unpack(t, name))[0]
		var times []int64
		for r := newReader(t, []*Trace{tr}); ; {
			e, err := r.Next()
			if err != nil {
				break
			}
			times = append(times, e.Time)
		}
		seek := func(want bool) {
			t.Helper()
			tr, err := Open(tr.dir)
			if err != nil {
				t.Fatal(err)
			}
			random := rand.New(rand.NewPCG(7, 8))
			for range 20 {
				r := newReader(t, []*Trace{tr})
				at := times[random.IntN(len(times))]
				if err := r.SeekTime(at); err != nil {
					t.Fatal(err)
				}
				if e, err := r.Next(); err != nil || e.Time != at {
					t.Fatalf("%s: at %d there is %v, %v", name, at, e, err)
				}
			}
			believed := 0
			for _, x := range tr.indexer.streams {
				for _, e := range x.entries {
					if e.believed != nil {
						believed++
					}
				}
			}
			if want != (believed > 0) {
				t.Errorf("%s: %d entries of indices are believed, want any: %v", name, believed, want)
			}
		}
		seek(true)
		files, err := filepath.Glob(filepath.Join(tr.dir, "index", "*.idx"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s has no index: %v", name, err)
		}
		for _, change := range []func([]byte) []byte{
			func(b []byte) []byte { return nil },
			func(b []byte) []byte { return b[:len(b)-8] },
			func(b []byte) []byte { return b[:indexHeader] },
			func(b []byte) []byte { b[indexHeader+7]++; return b },                   // the first offset
			func(b []byte) []byte { b[len(b)-indexEntry1+15]++; return b },           // the last size
			func(b []byte) []byte { b[indexHeader+31]--; return b },                  // the first begin
			func(b []byte) []byte { b[len(b)-indexEntry1+39]++; return b },           // the last end
			func(b []byte) []byte { return append(b, make([]byte, indexEntry1)...) }, // more than there is
		} {
			var before [][]byte
			for _, f := range files {
				b, err := os.ReadFile(f)
				if err != nil {
					t.Fatal(err)
				}
				before = append(before, b)
				if err := os.WriteFile(f, change(slices.Clone(b)), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			seek(false)
			for i, f := range files {
				if err := os.WriteFile(f, before[i], 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
		// What the first and the last packet cannot tell shows when a packet is entered.
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			for at := indexHeader + indexEntry1; at < len(b)-indexEntry1; at += indexEntry1 {
				begin := binary.BigEndian.Uint64(b[at+24:])
				binary.BigEndian.PutUint64(b[at+24:], begin-1)
			}
			if err := os.WriteFile(f, b, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		r := newReader(t, []*Trace{tr})
		at := times[len(times)/2]
		if err := r.SeekTime(at); err != nil {
			t.Fatal(err)
		}
		if e, err := r.Next(); err != nil || e.Time != at {
			t.Errorf("%s: with a lie in the middle, at %d there is %v, %v", name, at, e, err)
		}
	}
}

// What a packet says of its end, and what an index says of it, may be wrong: no event is passed over.
func TestSeekTimeWithWrongEnds(t *testing.T) {
	const metadata = "typealias integer { size = 8; align = 8; } := u8;\n" +
		"trace { major = 1; minor = 8; byte_order = le; };\n" +
		"stream { packet.context := struct { u8 packet_size; u8 timestamp_begin; u8 timestamp_end; };\n" +
		"event.header := struct { u8 id; u8 timestamp; }; };\nevent { name = e; id = 1; };\n"
	packet := func(begin, end string, events ...string) string {
		return "u8=56 u8=" + begin + " u8=" + end + " 01 u8=" + events[0] + " 01 u8=" + events[1] + "\n"
	}
	for name, words := range map[string]string{
		"sound":        packet("10", "19", "11", "19") + packet("20", "29", "21", "28") + packet("30", "39", "31", "38"),
		"zero":         packet("10", "0", "11", "19") + packet("20", "0", "21", "28") + packet("30", "0", "31", "38"),
		"all zero":     packet("0", "0", "11", "19") + packet("0", "0", "21", "28") + packet("0", "0", "31", "38"),
		"as begun":     packet("10", "10", "11", "19") + packet("20", "20", "21", "28") + packet("30", "30", "31", "38"),
		"last of them": packet("10", "19", "11", "19") + packet("20", "29", "21", "28") + packet("30", "31", "31", "38"),
	} {
		dir := t.TempDir()
		writeChunk(t, dir, metadata, map[string]string{"s": words})
		entries := make([]indexed, 3)
		for i, first := range []uint64{10, 20, 30} {
			entries[i] = indexed{off: int64(7 * i), size: 56, content: 56, first: first, last: first + 9}
		}
		if name == "sound" {
			entries[1].last = 21 // first and last are looked at, this one is not
			if err := os.Mkdir(filepath.Join(dir, "index"), 0o755); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(dir, "index", "s.idx"), indexBytes(0, entries...), false)
		}
		times := []int64{11, 19, 21, 28, 31, 38}
		for at := range int64(40) {
			tr := openAll(t, dir)[0] // whose index nobody has doubted yet
			r := newReader(t, []*Trace{tr})
			if err := r.SeekTime(at); err != nil {
				t.Fatal(err)
			}
			i, _ := slices.BinarySearch(times, at)
			for ; i < len(times); i++ {
				e, err := r.Next()
				if err != nil {
					t.Fatalf("%s: from %d on: %v; want an event at %d", name, at, err, times[i])
				}
				if e.Time != times[i] {
					t.Fatalf("%s: from %d on there is an event at %d, want one at %d", name, at, e.Time, times[i])
				}
			}
			if at == 0 && name == "sound" && tr.indexer.streams[filepath.Join(dir, "s")].entries[0].believed == nil {
				t.Error("the index with one wrong end is not used at all")
			}
		}
	}
}

// Nor is one passed over whose packet is followed by one that does not say when it begins.
func TestSeekTimeWithoutBegin(t *testing.T) {
	const metadata = "typealias integer { size = 8; align = 8; } := u8;\n" +
		"trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u8 stream_id; }; };\n" +
		"stream { id = 0; packet.context := struct { u8 packet_size; u8 timestamp_begin; u8 timestamp_end; };\n" +
		"event.header := struct { u8 id; u8 timestamp; }; };\nevent { name = e; id = 1; stream_id = 0; };\n" +
		"stream { id = 1; packet.context := struct { u8 packet_size; };\n" +
		"event.header := struct { u8 id; u8 timestamp; }; };\nevent { name = e; id = 1; stream_id = 1; };\n"
	dir := t.TempDir()
	writeChunk(t, dir, metadata, map[string]string{
		"s": "00 u8=64 u8=10 u8=10 01 u8=11 01 u8=19\n01 u8=48 01 u8=21 01 u8=28\n",
	})
	for _, want := range []int64{11, 19, 21, 28} {
		r := newReader(t, openAll(t, dir))
		if err := r.SeekTime(want); err != nil {
			t.Fatal(err)
		}
		e, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if e.Time != want {
			t.Errorf("from %d on the first event is at %d", want, e.Time)
		}
	}
}

// FuzzIndex reads any bytes as an index: nothing may panic, and what is sound covers the file.
func FuzzIndex(f *testing.F) {
	for minor := range uint32(3) {
		f.Add(indexBytes(minor, goodIndex...), int64(200))
	}
	f.Add(indexBytes(1, indexed{0, 1 << 60, 1 << 60, 0, 0, 0, 0}), int64(1)<<57)
	f.Add(indexBytes(1, indexed{off: 1 << 62, size: 1 << 63}), int64(1)<<62)
	f.Fuzz(func(t *testing.T, b []byte, size int64) {
		entries, err := parseIndex(b)
		if err != nil || size < 0 || covers(entries, size) != nil {
			return
		}
		sum := int64(0)
		for _, e := range entries {
			if e.off != sum || e.content > e.size {
				t.Fatalf("%+v does not follow byte %d", e, sum)
			}
			sum += int64(e.size / 8)
		}
		if sum != size {
			t.Fatalf("%d of %d bytes are covered", sum, size)
		}
	})
}
