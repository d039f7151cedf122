package ctf

import (
	"fmt"
	"io"

	"synchroscope/trace"
)

// A window holds a stretch of a stream file in memory. It is loaded where the
// cursor asks and grows only when one event, or one packet header, is larger
// than it: how long packets are, or claim to be, does not matter.
type window struct {
	file io.ReaderAt
	size int64 // of the file

	buf  []byte // trace.Spare bytes longer than what may be loaded
	base int64  // where in the file buf begins
	n    int    // bytes loaded

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
	w.base, w.n = off, 0
	if w.turn != nil {
		var err error
		if w.buf, err = w.turn(w.buf); err != nil {
			return err
		}
	}
	if need := least + trace.Spare; need > len(w.buf) {
		w.buf = make([]byte, max(need, 2*len(w.buf)))
	}
	n := min(int64(len(w.buf)-trace.Spare), min(until, w.size)-off)
	if n <= 0 {
		return nil
	}
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
