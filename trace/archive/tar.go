package archive

import (
	"archive/tar"
	"io"
)

// A tarSource reads a tar, compressed or not.
type tarSource struct {
	raw *ended
	r   *tar.Reader
}

func newTar(stream io.Reader) *tarSource {
	raw := &ended{r: stream}
	return &tarSource{raw: raw, r: tar.NewReader(raw)}
}

// tarKinds names what is in a tar beside files and directories.
var tarKinds = map[byte]string{
	tar.TypeLink:    "a hard link",
	tar.TypeSymlink: "a symbolic link",
	tar.TypeChar:    "a character device",
	tar.TypeBlock:   "a block device",
	tar.TypeFifo:    "a named pipe",
}

func (s *tarSource) next() (entry, error) {
	for {
		h, err := s.r.Next()
		if err == io.EOF && s.raw.end {
			// The stream is over, and the two blocks of zeros that end a tar were
			// not there. Cut between two entries, it would pass for a whole one.
			return entry{}, io.ErrUnexpectedEOF
		}
		if err != nil {
			return entry{}, err
		}
		e := entry{name: h.Name, size: h.Size, open: func() (io.Reader, error) { return s.r, nil }}
		switch h.Typeflag {
		case tar.TypeXGlobalHeader:
			continue // a comment, as git archive writes it
		case tar.TypeReg, tar.TypeGNUSparse:
		case tar.TypeDir:
			e.dir = true
		default:
			if e.kind = tarKinds[h.Typeflag]; e.kind == "" {
				e.kind = "of a kind that tar does not define"
			}
		}
		return e, nil
	}
}

// close reads to the end of the stream, where the checksums of the compressed formats are.
func (s *tarSource) close() error {
	_, err := io.Copy(io.Discard, s.raw)
	return err
}

func (s *tarSource) unpacked() int64 { return s.raw.n }

// ended counts what is read of a stream and remembers whether its end was seen.
type ended struct {
	r   io.Reader
	n   int64
	end bool
}

func (e *ended) Read(p []byte) (int, error) {
	n, err := e.r.Read(p)
	e.n += int64(n)
	e.end = e.end || n == 0 && err == io.EOF
	return n, err
}
