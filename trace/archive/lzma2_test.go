package archive

import (
	"bytes"
	"encoding/binary"
	"io"
	"testing"
	"testing/iotest"

	"github.com/ulikunitz/xz"
	"github.com/ulikunitz/xz/lzma"
	"pgregory.net/rapid"
)

// mixed draws bytes of all kinds: noise, runs, repetitions near and far, records of a constant length.
func mixed(t *rapid.T) []byte {
	var b []byte
	noise := rapid.Uint32().Draw(t, "noise")
	for range rapid.IntRange(1, 12).Draw(t, "parts") {
		n := rapid.IntRange(1, 40_000).Draw(t, "bytes")
		kind := rapid.SampledFrom([]string{"noise", "run", "copy", "records"}).Draw(t, "kind")
		from := 0
		if len(b) > 0 {
			from = rapid.IntRange(0, len(b)-1).Draw(t, "from")
		}
		for i := range n {
			noise = noise*1664525 + 1013904223
			switch {
			case kind == "noise" || kind == "copy" && from == len(b):
				b = append(b, byte(noise>>24))
			case kind == "run":
				b = append(b, byte(n))
			case kind == "copy":
				b = append(b, b[from+i%(len(b)-from)])
			case i%8 < 3:
				b = append(b, byte(noise>>24))
			default:
				b = append(b, byte(i%8))
			}
		}
	}
	return b
}

// Whatever is written, with any parameters and with dictionaries smaller than the data, is read back,
// in whatever portions it is read and comes. (The writer must not be asked for its other matcher, nor for a
// dictionary below a chunk: liblzma finds its files damaged then, and so do we.)
func TestLZMA2Model(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		want := mixed(rt)
		lc := rapid.IntRange(0, 4).Draw(rt, "lc")
		file := makeXZ(t, want, xz.WriterConfig{
			Properties: &lzma.Properties{LC: lc, LP: rapid.IntRange(0, 4-lc).Draw(rt, "lp"), PB: rapid.IntRange(0, 4).Draw(rt, "pb")},
			DictCap:    rapid.SampledFrom([]int{64 << 10, 100_000, 1 << 20}).Draw(rt, "dictionary"),
			BlockSize:  rapid.SampledFrom([]int64{0, 50_000}).Draw(rt, "block"),
		})
		r := io.Reader(bytes.NewReader(file))
		if rapid.Bool().Draw(rt, "byte by byte") {
			r = iotest.OneByteReader(r)
		}
		z := newXZ(r)
		var got []byte
		p := make([]byte, rapid.SampledFrom([]int{1, 7, 4096, 1 << 20}).Draw(rt, "portion"))
		for {
			n, err := z.Read(p)
			got = append(got, p[:n]...)
			if err == io.EOF {
				break
			}
			if err != nil {
				rt.Fatal(err)
			}
		}
		if !bytes.Equal(got, want) {
			rt.Fatalf("%d bytes came back as %d, or as others", len(want), len(got))
		}
	})
}

func readChunks(data []byte) ([]byte, error) {
	var r lzma2Reader
	r.begin(bytes.NewReader(data), minDictionary)
	return io.ReadAll(&r)
}

// A chunk is refused where it cannot be, and where what it says is not so.
func TestLZMA2Refuses(t *testing.T) {
	stored := func(control byte, body string) []byte {
		return append(binary.BigEndian.AppendUint16([]byte{control}, uint16(len(body)-1)), body...)
	}
	coded := func(control byte, size, n int, rest ...byte) []byte {
		b := binary.BigEndian.AppendUint16([]byte{control | byte((size-1)>>16)}, uint16(size-1))
		return append(binary.BigEndian.AppendUint16(b, uint16(n-1)), rest...)
	}
	zeros := make([]byte, 20)
	for name, c := range map[string]struct {
		data []byte
		err  error
	}{
		"nothing":                      {nil, io.ErrUnexpectedEOF},
		"no end":                       {stored(1, "abc"), io.ErrUnexpectedEOF},
		"cut in a stored chunk":        {stored(1, "abc")[:4], io.ErrUnexpectedEOF},
		"cut in a header":              {[]byte{0xe0, 0, 0}, io.ErrUnexpectedEOF},
		"no reset of the dictionary":   {stored(2, "abc"), errLZMA},
		"an unknown control":           {append(stored(1, "abc"), 3), errLZMA},
		"no properties":                {append(stored(1, "abc"), coded(0xa0, 1, 5, zeros...)...), errLZMA},
		"wrong properties":             {coded(0xe0, 1, 5, append([]byte{225}, zeros...)...), errLZMA},
		"too many literal bits":        {coded(0xe0, 1, 5, append([]byte{4*9 + 4}, zeros...)...), errLZMA},
		"a chunk shorter than a code":  {coded(0xe0, 1, 4, append([]byte{0x5d}, zeros...)...), errLZMA},
		"a first byte other than 0":    {coded(0xe0, 1, 5, append([]byte{0x5d, 1}, zeros...)...), errLZMA},
		"bytes left over":              {coded(0xe0, 1, 9, append([]byte{0x5d}, zeros...)...), errLZMA},
		"more than the chunk holds":    {coded(0xe0, 100_000, 6, append([]byte{0x5d, 0, 0x12, 0x34, 0x56}, zeros...)...), errLZMA},
		"a match before the beginning": {coded(0xe0, 100, 12, append([]byte{0x5d, 0, 0xff, 0xff, 0xff, 0xff}, zeros...)...), errLZMA},
	} {
		_, err := readChunks(c.data)
		if err != c.err {
			t.Errorf("%s: %v, want %v", name, err, c.err)
		}
	}
	data := append(append(stored(1, "abc"), stored(2, "def")...), 0)
	if got, err := readChunks(data); string(got) != "abcdef" || err != nil {
		t.Errorf("two stored chunks: %q, %v", got, err)
	}
}
