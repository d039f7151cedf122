package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"strings"
	"testing"

	"synchroscope/internal/raced"
)

// attacksOnNames are tried in every format.
var attacksOnNames = []struct {
	name  string
	items []item
	want  string
}{
	{"climbing", []item{{name: "../evil"}}, `entry "../evil" climbs out of its directory by ".."`},
	{"climbing from below", []item{{name: "a/../../evil"}}, `climbs out of its directory`},
	{"climbing but staying inside", []item{{name: "a/../b"}}, `climbs out of its directory`},
	{"climbing directory", []item{{name: "..", dir: true}}, `climbs out of its directory`},
	{"absolute", []item{{name: "/etc/cron.d/evil"}}, `entry "/etc/cron.d/evil" has an absolute name`},
	{"doubly absolute", []item{{name: "//evil"}}, `has an absolute name`},
	{"backslash", []item{{name: `..\evil`}}, `has a backslash in its name`},
	{"drive", []item{{name: `C:\evil`}}, `has a backslash in its name`},
	{"no name", []item{{name: "."}}, `is a file without a name`},
	{"empty name", []item{{name: ""}}, ` has an entry without a name`},
	{"too deep", []item{{name: strings.Repeat("d/", maxDepth) + "f"}}, `lies 65 directories deep; 64 are allowed`},
	{"too long", []item{{name: strings.Repeat(strings.Repeat("x", 204)+"/", 5) + "f"}}, `has a name of 1026 bytes; 1024 are allowed`},
	{"element too long", []item{{name: strings.Repeat("x", maxElement+1)}}, `has a name with an element of 256 bytes`},
	{"twice", []item{{name: "a/f", body: "1"}, {name: "a/f", body: "2"}}, `entry "a/f" is in the archive twice`},
	{"twice by another spelling", []item{{name: "a/f", body: "1"}, {name: "./a//f", body: "2"}}, `is in the archive twice`},
	{"twice by case", []item{{name: "a/File"}, {name: "a/fILE"}}, `entry "a/fILE" differs from "a/File" only in upper and lower case`},
	{"directories by case", []item{{name: "Web/a"}, {name: "web/b"}}, `entry "web/b" differs from "Web" only in upper and lower case`},
	{"file below a file", []item{{name: "a"}, {name: "a/b"}}, `entry "a/b" needs a directory where the archive has the file "a"`},
	{"directory over a file", []item{{name: "a"}, {name: "a", dir: true}}, `needs a directory where the archive has the file "a"`},
	{"file over a directory", []item{{name: "a", dir: true}, {name: "a"}}, `is in the archive twice`},
}

func TestAttacksOnNames(t *testing.T) {
	for _, m := range makers {
		for _, tt := range attacksOnNames {
			t.Run(m.name+"/"+tt.name, func(t *testing.T) {
				// What comes first is innocent, and has to go too.
				items := append([]item{{name: "innocent/file", body: "x"}}, tt.items...)
				p := newPlace(t)
				p.refused(t, p.extract(m.make(t, items...), Limits{}), tt.want)
			})
		}
	}
}

func TestTarKinds(t *testing.T) {
	for kind, want := range map[byte]string{
		tar.TypeSymlink: "is a symbolic link; only files and directories are accepted",
		tar.TypeLink:    "is a hard link",
		tar.TypeChar:    "is a character device",
		tar.TypeBlock:   "is a block device",
		tar.TypeFifo:    "is a named pipe",
		'V':             "is of a kind that tar does not define",
	} {
		p := newPlace(t)
		data := makeTar(t, item{name: "first", body: "x"}, item{name: "odd", body: "../target", kind: kind}, item{name: "odd/through", body: "x"})
		p.refused(t, p.extract(data, Limits{}), `entry "odd" `+want)
	}
}

func TestZipKinds(t *testing.T) {
	for mode, want := range map[fs.FileMode]string{
		fs.ModeSymlink:                    "is a symbolic link; only files and directories are accepted",
		fs.ModeNamedPipe:                  "is a named pipe",
		fs.ModeDevice:                     "is a block device",
		fs.ModeDevice | fs.ModeCharDevice: "is a character device",
		fs.ModeSocket:                     "is a socket",
	} {
		p := newPlace(t)
		data := makeZip(t, item{name: "first", body: "x"}, item{name: "odd", body: "../target", mode: mode})
		p.refused(t, p.extract(data, Limits{}), `entry "odd" `+want)
	}
}

func TestZipZeroByteInName(t *testing.T) {
	p := newPlace(t)
	p.refused(t, p.extract(makeZip(t, item{name: "innocent\x00/../../evil"}), Limits{}), "has a zero byte in its name")
}

// patchZip changes the headers of the only entry of a zip, local and central.
func patchZip(data []byte, localOffset, centralOffset int, patch []byte) []byte {
	data = bytes.Clone(data)
	copy(data[localOffset:], patch)
	copy(data[bytes.LastIndex(data, []byte("PK\x01\x02"))+centralOffset:], patch)
	return data
}

func TestZipEncrypted(t *testing.T) {
	p := newPlace(t)
	data := patchZip(makeZip(t, item{name: "f", body: "secret"}), 6, 8, []byte{1})
	p.refused(t, p.extract(data, Limits{}), `entry "f" is encrypted`)
}

func TestZipUnknownMethod(t *testing.T) {
	p := newPlace(t)
	data := patchZip(makeZip(t, item{name: "f", body: "secret"}), 8, 10, []byte{97, 0})
	p.refused(t, p.extract(data, Limits{}), `entry "f" is compressed by method 97`)
}

// An entry that unpacks to more than it declares ends there.
func TestZipSizeLie(t *testing.T) {
	p := newPlace(t)
	data := makeZip(t, item{name: "f", body: strings.Repeat("0123456789", 1000)})
	central := bytes.LastIndex(data, []byte("PK\x01\x02"))
	binary.LittleEndian.PutUint32(data[central+24:], 7)
	p.refused(t, p.extract(data, Limits{}), `entry "f" is damaged`)
}

// Two entries of the table that share one body.
func TestZipOverlap(t *testing.T) {
	data := makeZip(t, item{name: "a", body: strings.Repeat("x", 1000)}, item{name: "b", body: strings.Repeat("x", 1000)})
	first := bytes.Index(data, []byte("PK\x01\x02"))
	second := bytes.LastIndex(data, []byte("PK\x01\x02"))
	const offsetField = 42
	copy(data[second+offsetField:second+offsetField+4], data[first+offsetField:])
	p := newPlace(t)
	p.refused(t, p.extract(data, Limits{}), `is refused as a decompression bomb: entries "a" and "b" overlap`)
}

func TestZipLongTable(t *testing.T) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for range 40 {
		_, err := w.CreateHeader(&zip.FileHeader{Name: "f", Comment: strings.Repeat("words ", 10_000)})
		must(t, err)
	}
	must(t, w.Close())
	p := newPlace(t)
	p.refused(t, p.extract(b.Bytes(), Limits{Entries: 10}), "has a table of contents that is too long")
}

// A bomb is refused once the ratio shows, long before it has gone off.
func TestBombs(t *testing.T) {
	raced.Alone(t)
	const megabytes = 70 // just enough for the ratio to be looked at
	megabyte := make([]byte, 1<<20)
	header := makeTar(t, item{name: "bomb"})[:512]
	copy(header[124:], fmt.Sprintf("%011o", megabytes<<20))
	resum(header)
	small := makeTar(t, item{name: "f", body: "x"})

	var zipped bytes.Buffer
	w := zip.NewWriter(&zipped)
	w.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) })
	f, err := w.Create("bomb")
	must(t, err)
	for range megabytes {
		_, err := f.Write(megabyte)
		must(t, err)
	}
	must(t, w.Close())

	// What is compressed in pieces comes out as one.
	pieces := func(compress func(testing.TB, []byte) []byte, first []byte) []byte {
		return append(compress(t, first), bytes.Repeat(compress(t, megabyte), megabytes)...)
	}

	for name, tt := range map[string]struct {
		data []byte
		want string
	}{
		"zip":     {zipped.Bytes(), `entry "bomb" is refused as a decompression bomb: more than 200 bytes came out for each byte of the archive`},
		"tar.gz":  {pieces(makeGzip, header), `entry "bomb" is refused as a decompression bomb`},
		"tar.zst": {pieces(makeZstd, header), `entry "bomb" is refused as a decompression bomb`},
		// Zeros after the end mark reach no file, but cost time.
		"tar.gz, after the end": {pieces(makeGzip, small), `upload is refused as a decompression bomb`},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			p.refused(t, p.extract(tt.data, Limits{}), tt.want)
		})
	}
}

// A sparse file of 1 TiB takes one block of the archive, compressed or not.
func TestSparseBomb(t *testing.T) {
	data := makeTar(t, item{name: "hole"})
	h := data[:512]
	h[156] = 'S' // old GNU sparse file
	copy(h[257:], "ustar  \x00")
	clear(h[345:500])
	binary.BigEndian.PutUint64(h[483+4:], 1<<40) // the real size, in base 256
	h[483] = 0x80
	resum(h)
	p := newPlace(t)
	p.refused(t, p.extract(data, Limits{EntryBytes: 1 << 50, TotalBytes: 1 << 50}), `entry "hole" is refused as a decompression bomb`)
	p.refused(t, p.extract(data, Limits{}), `entry "hole" is too long: a file may have 64 GiB`)
}

// resum puts the right checksum into a tar header.
func resum(h []byte) {
	copy(h[148:156], "        ")
	sum := 0
	for _, b := range h {
		sum += int(b)
	}
	copy(h[148:156], []byte{byte('0' + sum>>15&7), byte('0' + sum>>12&7), byte('0' + sum>>9&7), byte('0' + sum>>6&7), byte('0' + sum>>3&7), byte('0' + sum&7), 0, ' '})
}

// Decoders that are asked for gigabytes of memory refuse.
func TestCodecMemory(t *testing.T) {
	xzBlock := []byte{2, 0, 0x21, 1, 40, 0, 0, 0} // LZMA2 with a dictionary of 4 GiB - 1
	xzFile := append([]byte(xzMagic), 0, 0)
	xzFile = binary.LittleEndian.AppendUint32(xzFile, crc32.ChecksumIEEE([]byte{0, 0}))
	xzFile = append(xzFile, xzBlock...)
	xzFile = binary.LittleEndian.AppendUint32(xzFile, crc32.ChecksumIEEE(xzBlock))
	xzFile = append(xzFile, 1, 0, 0, 'x', 0)

	window := byte(21 << 3) // 2^(10+21) bytes
	zstdFile := append([]byte("\x28\xb5\x2f\xfd"), 0, window, 1, 0, 0)

	for name, tt := range map[string]struct {
		data []byte
		want string
	}{
		"xz":   {xzFile, "upload is compressed with a dictionary of 4294967295 bytes; 64 MiB are allowed"},
		"zstd": {zstdFile, "upload is compressed in a way that takes more memory than is allowed"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			p.refused(t, p.extract(tt.data, Limits{}), tt.want)
		})
	}
}
