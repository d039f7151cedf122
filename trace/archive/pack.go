package archive

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/klauspost/compress/zstd"
)

// A Packer writes an archive that Extract takes: a tar of regular files, compressed with zstd, with
// checksums. What it writes depends on the files alone, not on the hour or the machine.
type Packer struct {
	z *zstd.Encoder
	t *tar.Writer
}

// NewPacker returns a packer that writes to w as files are added.
func NewPacker(w io.Writer) (*Packer, error) {
	z, err := zstd.NewWriter(w, zstd.WithEncoderCRC(true), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	return &Packer{z, tar.NewWriter(z)}, nil
}

// Add appends a file of size bytes under a name with slashes. That r has fewer or more bytes is an error.
func (p *Packer) Add(name string, size int64, r io.Reader) error {
	err := p.t.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o644, ModTime: time.Unix(0, 0), Format: tar.FormatPAX})
	if err != nil {
		return err
	}
	n, err := io.Copy(p.t, r)
	if errors.Is(err, tar.ErrWriteTooLong) || err == nil && n != size {
		return fmt.Errorf("%s changed while it was packed", name)
	}
	return err
}

// Close ends the archive; what w holds is whole only after that. It does not close w.
func (p *Packer) Close() error { return errors.Join(p.t.Close(), p.z.Close()) }
