package ctf

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"synchroscope/trace"
)

// Packets that are there twice.
//
// Each snapshot of a session has what the buffers hold when it is taken, so one that follows soon begins with packets that the one before it
// ends with. A packet is known by its stream, its number and its times; it is read where it comes first, or where it is whole.
// That depends on the files alone and not on what has been read, so a reader that goes on from a position leaves out the same.

// An identity is what a packet of a stream is known by, in whichever file it is.
type identity struct {
	sequence, first, last uint64
	known                 bool // all of them
}

func (p *packet) identity() identity {
	return identity{p.sequence, p.first, p.last, p.hasSequence && p.hasFirst && p.hasLast}
}

// A repeat goes along the packets of another file of a stream. It keeps one file open and a small window, however long that is.
type repeat struct {
	file int
	open *os.File
	win  window
	off  int64
	ev   trace.Event
	own  []byte // of packed contents, used again
}

// find looks for a packet in file i of the stream. Those asked for come in the order of the file.
func (s *stream) find(i int, p *packet) (q packet, ok bool) {
	r := s.repeat
	if r == nil || r.file != i {
		s.unrepeat()
		f, err := os.Open(s.files[i].path)
		if err != nil {
			return q, false // it is said when the file is read
		}
		info, err := f.Stat()
		if err != nil {
			f.Close()
			return q, false
		}
		r = &repeat{file: i, open: f}
		r.win = window{file: f, size: info.Size(), own: make([]byte, minWindow+trace.Spare), lender: &lender{}}
		s.repeat = r
	}
	for r.off < r.win.size {
		var err error
		r.own, err = s.files[i].plan.readPacket(&r.win, r.off, &q, &r.ev, r.own)
		r.win.giveBack()
		if f := (*fault)(nil); err != nil && (!errors.As(err, &f) || f.fatal) {
			return q, false
		}
		if q.identity() == p.identity() && q.class.id == p.class.id {
			return q, true
		}
		if q.hasFirst && q.begin > p.begin || q.size <= 0 {
			return q, false
		}
		r.off += q.size
	}
	return q, false
}

// unrepeat closes what find has opened.
func (s *stream) unrepeat() {
	if s.repeat != nil {
		s.repeat.open.Close()
		s.repeat = nil
	}
}

// elsewhere reports whether a packet is left out because another trace has it too.
func (s *stream) elsewhere(p *packet) bool {
	if len(s.files) < 2 || !p.identity().known {
		return false
	}
	if s.any && s.prev.hasSequence && !p.follows(&s.prev) {
		for i := s.file - 1; i >= 0; i-- {
			if q, ok := s.twin(i, p); ok && (!q.cut || p.cut) {
				s.compare(i, p, &q)
				return true
			}
		}
	}
	if p.cut {
		for i := s.file + 1; i < len(s.files); i++ {
			if q, ok := s.twin(i, p); ok && !q.cut {
				s.report("copy", p.off, fmt.Sprintf("a packet that is cut short is whole in %s; it is read there", s.files[i].name))
				return true
			}
		}
	}
	return false
}

// twin looks for a packet in a file that may have it.
func (s *stream) twin(i int, p *packet) (q packet, ok bool) {
	if f := &s.files[i]; f.trace == s.files[s.file].trace || f.begin > p.begin {
		return q, false
	}
	return s.find(i, p)
}

// compare says that a packet is left out, and whether it differs from the one that is read.
func (s *stream) compare(i int, p, q *packet) {
	if !p.cut && (p.content != q.content || !equalBytes(s.open, p.off, s.repeat.open, q.off, int64(p.content/8))) {
		s.report("copy-differs", p.off, fmt.Sprintf("a packet has the number and the times of one in %s, and other contents; the one there is read", s.files[i].name))
		return
	}
	s.report("copy", p.off, fmt.Sprintf("a packet is in %s too; what is there twice is read once", s.files[i].name))
}

// equalBytes compares n bytes of two files.
func equalBytes(a io.ReaderAt, atA int64, b io.ReaderAt, atB, n int64) bool {
	var x, y [4 << 10]byte
	for done := int64(0); done < n; done += int64(len(x)) {
		m := min(int64(len(x)), n-done)
		if _, err := a.ReadAt(x[:m], atA+done); err != nil && err != io.EOF {
			return false
		}
		if _, err := b.ReadAt(y[:m], atB+done); err != nil && err != io.EOF {
			return false
		}
		if !bytes.Equal(x[:m], y[:m]) {
			return false
		}
	}
	return true
}
