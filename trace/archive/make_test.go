package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// An item is one entry of an archive made by hand.
type item struct {
	name string
	body string
	dir  bool
	kind byte // tar type flag, 0 for a file
	mode fs.FileMode
}

func makeTar(t testing.TB, items ...item) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, it := range items {
		h := &tar.Header{Name: it.name, Mode: 0o644, Size: int64(len(it.body)), Typeflag: tar.TypeReg}
		if it.dir {
			h.Typeflag = tar.TypeDir
		}
		if it.kind != 0 {
			h.Typeflag, h.Linkname, h.Size = it.kind, it.body, 0
		}
		must(t, w.WriteHeader(h))
		if h.Typeflag == tar.TypeReg {
			_, err := io.WriteString(w, it.body)
			must(t, err)
		}
	}
	must(t, w.Close())
	return b.Bytes()
}

func makeZip(t testing.TB, items ...item) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, it := range items {
		h := &zip.FileHeader{Name: it.name, Method: zip.Deflate}
		h.SetMode(0o644 | it.mode)
		if it.dir {
			h.Name += "/"
		}
		f, err := w.CreateHeader(h)
		must(t, err)
		_, err = io.WriteString(f, it.body)
		must(t, err)
	}
	must(t, w.Close())
	return b.Bytes()
}

func makeGzip(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(data)
	must(t, err)
	must(t, w.Close())
	return b.Bytes()
}

func makeXZ(t testing.TB, data []byte, c xz.WriterConfig) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := c.NewWriter(&b)
	must(t, err)
	_, err = w.Write(data)
	must(t, err)
	must(t, w.Close())
	return b.Bytes()
}

func makeZstd(t testing.TB, data []byte) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil, zstd.WithEncoderCRC(true))
	must(t, err)
	return w.EncodeAll(data, nil)
}

// makers make all formats; each stores the same items.
var makers = []struct {
	name string
	make func(t testing.TB, items ...item) []byte
}{
	{"zip", makeZip},
	{"tar", makeTar},
	{"tar.gz", func(t testing.TB, items ...item) []byte { return makeGzip(t, makeTar(t, items...)) }},
	{"tar.xz", func(t testing.TB, items ...item) []byte { return makeXZ(t, makeTar(t, items...), xz.WriterConfig{}) }},
	{"tar.xz in blocks", func(t testing.TB, items ...item) []byte { return makeSizedXZ(t, makeTar(t, items...), 100_000) }},
	{"tar.zst", func(t testing.TB, items ...item) []byte { return makeZstd(t, makeTar(t, items...)) }},
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
