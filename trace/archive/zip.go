package archive

import (
	"archive/zip"
	"bufio"
	"cmp"
	"compress/flate"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"
)

// A zipSource reads a zip by the table of contents at its end.
type zipSource struct {
	files  []*zip.File
	places []int64 // where the contents of each begin, -1 where the table of contents is wrong about it
	i      int
}

// errMisplaced says that no entry begins where it should.
var errMisplaced = errors.New("it is not where the table of contents says")

// zipRecord is what an entry may take in the table of contents on average.
const zipRecord = 256

func newZip(m *meter, limits Limits) (*zipSource, error) {
	size, err := m.r.Size()
	if err != nil {
		return nil, err
	}
	m.size = size
	// The library makes an object for every record of the table before we can
	// count them, so the table itself is bounded.
	m.ceiling = 1<<20 + zipRecord*int64(limits.Entries)
	r, err := zip.NewReader(m, size)
	hit := m.ceiling == 0
	m.ceiling = -1
	switch {
	case hit:
		return nil, errCeiling
	case errors.Is(err, zip.ErrFormat), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return nil, refusal("is cut off or damaged: the table of contents that ends a zip is missing or wrong")
	case err != nil && !errors.Is(err, zip.ErrInsecurePath): // names are checked entry by entry
		return nil, err
	}
	r.RegisterDecompressor(zip.Deflate, func(r io.Reader) io.ReadCloser {
		return flate.NewReader(bufio.NewReaderSize(r, 64<<10))
	})
	s := &zipSource{files: r.File}
	return s, s.disjoint()
}

// disjoint refuses entries that share bytes. A bomb whose entries all point
// to the same data has an innocent ratio for each of them.
func (s *zipSource) disjoint() error {
	type span struct {
		begin, end int64
		name       string
	}
	spans := make([]span, 0, len(s.files))
	for _, f := range s.files {
		begin, err := f.DataOffset()
		if err != nil {
			s.places = append(s.places, -1)
			continue
		}
		s.places = append(s.places, begin)
		end := begin + int64(f.CompressedSize64)
		if end < begin {
			return refusalf("is damaged: entry %q has an impossible size", shorten(f.Name))
		}
		if end > begin {
			spans = append(spans, span{begin, end, f.Name})
		}
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.begin, b.begin) })
	for i := 1; i < len(spans); i++ {
		if spans[i].begin < spans[i-1].end {
			return refusalf("is refused as a decompression bomb: entries %q and %q overlap", shorten(spans[i-1].name), shorten(spans[i].name))
		}
	}
	return nil
}

func (s *zipSource) next() (entry, error) {
	if s.i == len(s.files) {
		return entry{}, io.EOF
	}
	f, place := s.files[s.i], s.places[s.i]
	s.i++
	e := entry{name: f.Name, size: int64(min(f.UncompressedSize64, 1<<63-1)), place: max(place, 0)}
	mode := f.Mode()
	switch {
	case mode.IsDir() || strings.HasSuffix(f.Name, "/"):
		e.dir = true
	case mode&fs.ModeSymlink != 0:
		e.kind = "a symbolic link"
	case mode&fs.ModeNamedPipe != 0:
		e.kind = "a named pipe"
	case mode&fs.ModeCharDevice != 0:
		e.kind = "a character device"
	case mode&fs.ModeDevice != 0:
		e.kind = "a block device"
	case mode&fs.ModeSocket != 0:
		e.kind = "a socket"
	case !mode.IsRegular():
		e.kind = "of an unknown kind"
	}
	e.open = func() (io.Reader, error) {
		const encrypted = 1
		if f.Flags&encrypted != 0 {
			return nil, refusal("is encrypted")
		}
		if place < 0 {
			return nil, errMisplaced
		}
		r, err := f.Open()
		if errors.Is(err, zip.ErrAlgorithm) {
			return nil, refusalf("is compressed by method %d; stored and deflated entries are accepted", f.Method)
		}
		return r, err
	}
	return e, nil
}

func (s *zipSource) close() error { return nil }

func (s *zipSource) unpacked() int64 { return 0 }
