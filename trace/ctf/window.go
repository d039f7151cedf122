package ctf

import (
	"fmt"
	"io"

	"synchroscope/trace"
)

// A window holds a stretch of a stream file in memory. It is loaded where the
// cursor asks, and is larger than usual only while one event, or one packet header, that is
// larger than it is at hand: how long packets are, or claim to be, does not matter.
type window struct {
	file io.ReaderAt
	size int64 // of the file

	buf  []byte // own, or one that is lent; trace.Spare bytes longer than what may be loaded
	base int64  // where in the file buf begins
	n    int    // bytes loaded

	own    []byte  // of the usual size
	lender *lender // of larger ones
	lent   bool    // buf is

	turn func([]byte) ([]byte, error) // if set, gives another buffer for the one about to be filled again
}

// reach is where in the file the loaded bytes end.
func (w *window) reach() int64 { return w.base + int64(w.n) }

// ensure makes n bytes from off on available, or as many as the file has.
func (w *window) ensure(off int64, n int) error {
	if off >= w.base && min(off+int64(n), w.size) <= w.reach() {
		return nil
	}
	return w.load(off, n, w.size)
}

// load fills the window from off on with at least least bytes, or as many as
// the file has, reading up to the byte until if there is room.
func (w *window) load(off int64, least int, until int64) error {
	if need := least + trace.Spare; need > len(w.own) {
		if w.turn != nil {
			return errLarge
		}
		w.giveBack()
		w.buf, w.lent = w.lender.take(need), true
	} else {
		w.giveBack()
		if w.turn != nil {
			var err error
			if w.own, err = w.turn(w.own); err != nil {
				return err
			}
		}
		w.buf = w.own
	}
	w.base, w.n = off, 0
	return w.fill(min(int64(len(w.buf)-trace.Spare), min(until, w.size)-off))
}

// fill reads n bytes.
func (w *window) fill(n int64) error {
	if n <= 0 {
		return nil
	}
	off := w.base
	m, err := w.file.ReadAt(w.buf[:n], off)
	w.n = m
	if err == io.EOF {
		w.size, err = off+int64(m), nil // the file has become shorter
	}
	if err != nil {
		return fmt.Errorf("reading at byte %d: %w", off, err)
	}
	return nil
}

// giveBack returns a buffer that is lent. What the window has loaded is gone.
func (w *window) giveBack() {
	if w.lent {
		w.lender.giveBack(w.buf)
		w.buf, w.lent = w.own, false
	}
}
