package writer

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"synchroscope/trace/ctf/schema"
)

// Options say how a trace directory is written.
type Options struct {
	Format  Format
	Packets bool // CTF 1.8: the metadata is in packets, as LTTng writes it
	Index   bool // LTTng's index files are written
}

// A Dir is a trace directory that is being written. Streams may be begun by one
// goroutine only, and written by one each.
type Dir struct {
	*Writer
	path    string
	opt     Options
	streams []*Stream
	files   []io.Closer
}

// Create makes the directory, if need be, and writes the metadata.
func Create(path string, t *schema.Trace, o Options) (*Dir, error) {
	w, err := New(t, o.Format)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, err
	}
	b := w.Metadata()
	if o.Packets && o.Format == CTF18 {
		b = Packetize(t, b)
	}
	if err := os.WriteFile(filepath.Join(path, "metadata"), b, 0o644); err != nil {
		return nil, err
	}
	return &Dir{Writer: w, path: path, opt: o}, nil
}

// Stream begins the stream file of that name.
func (d *Dir) Stream(name string, o StreamOptions) (*Stream, error) {
	if name != filepath.Base(name) || name == "metadata" || name[0] == '.' {
		return nil, fmt.Errorf("%q cannot be the name of a stream file", name)
	}
	f, err := d.create(name)
	if err != nil {
		return nil, err
	}
	if d.opt.Index {
		if err := os.MkdirAll(filepath.Join(d.path, "index"), 0o755); err != nil {
			return nil, err
		}
		if o.Index, err = d.create(filepath.Join("index", name+".idx")); err != nil {
			return nil, err
		}
	}
	s, err := d.NewStream(f, o)
	if err != nil {
		return nil, err
	}
	d.streams = append(d.streams, s)
	return s, nil
}

func (d *Dir) create(name string) (io.Writer, error) {
	f, err := os.OpenFile(filepath.Join(d.path, name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	d.files = append(d.files, f)
	return f, nil
}

// Close closes all streams and their files.
func (d *Dir) Close() error {
	var errs []error
	for _, s := range d.streams {
		errs = append(errs, s.Close())
	}
	for _, f := range d.files {
		errs = append(errs, f.Close())
	}
	return errors.Join(errs...)
}
