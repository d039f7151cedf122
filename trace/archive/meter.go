package archive

import (
	"bufio"
	"context"
	"io"
	"math"
)

// A meter counts what is read of the archive, reports it, and stops reading
// when the context ends.
type meter struct {
	ctx      context.Context
	r        Arrival
	read     int64
	size     int64 // 0 where it need not be known
	ceiling  int64 // bytes that may still be read, -1 for all
	progress func(int64)
	fault    error // why the archive could not be read: it says nothing of what is in it
}

// errCeiling says that the ceiling was hit.
const errCeiling = refusal("has a table of contents that is too long for the entries it may hold")

func (m *meter) ReadAt(p []byte, off int64) (int, error) {
	if err := m.ctx.Err(); err != nil {
		return 0, err
	}
	if m.ceiling >= 0 {
		if m.ceiling -= int64(len(p)); m.ceiling < 0 {
			m.ceiling = 0
			return 0, errCeiling
		}
	}
	n, err := m.r.ReadAt(p, off)
	if err != nil && err != io.EOF {
		m.fault = err
	}
	m.read += int64(n)
	if m.progress != nil {
		m.progress(m.seen())
	}
	return n, err
}

// seen is how much of the archive was read. What is read twice, as the table
// of contents of a zip, counts no more than the archive is long.
func (m *meter) seen() int64 {
	if m.size > 0 {
		return min(m.read, m.size)
	}
	return m.read
}

// An input is an archive that is read from its beginning to its end.
type input struct {
	*bufio.Reader
	section *io.SectionReader
}

// consumed is how much of it was asked for.
func (in *input) consumed() int64 {
	at, err := in.section.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0
	}
	return at - int64(in.Buffered())
}

// stream reads the archive from its beginning.
func (x *extraction) stream() *bufio.Reader {
	section := io.NewSectionReader(x.meter, 0, math.MaxInt64)
	x.input = &input{bufio.NewReaderSize(section, 256<<10), section}
	return x.input.Reader
}

// A swelling is a decompressed stream. It applies the ratio to everything
// that comes out, also what never reaches a file.
type swelling struct {
	x *extraction
	r io.Reader
	n int64
}

func (s *swelling) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	s.n += int64(n)
	if rerr := s.x.ratio(s.n); rerr != nil {
		return 0, rerr
	}
	return n, err
}
