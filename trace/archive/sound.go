package archive

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"io"
)

// # What is sound of a damaged archive
//
// An entry is kept of a damaged archive if it is known to be as it was packed. That depends on how archives are packed:
//
//   - Of one that is cut off, what came out before its end is what was packed. But a wrong byte near the end of a compressed
//     stream may make it seem to be cut off, when its end mark is missed: nothing that came out behind that byte is right then. So an
//     entry that came out of one is kept if what follows it is a header or the end mark.
//   - A zip has a checksum for each entry, so each is right or wrong by itself.
//   - A tar.xz has one for each block: entries are right up to the last block whose checksum is.
//   - A tar.gz or tar.zst has one at its very end. Where it does not decompress, or the checksum is wrong, some byte
//     before that place is wrong, and nobody knows which: nothing of it is kept. Only what follows a checksum
//     that was right, as bytes behind the end do, casts no doubt.
//   - A tar has none. Where something else stands in the place of a header, the entry before it is not
//     as long as its own header says, or its end is damaged; those before that one are followed by what should follow them.
//
// The beginning of an entry that is cut off is not kept: docs/decisions/015-damaged-archives.md.

// A mark is where the extraction stood when an entry was complete.
type mark struct {
	name     string
	made     int   // things below the root
	entries  int   // read
	total    int64 // bytes written
	unpacked int64 // bytes that came out
}

// A spoiled entry is one of a zip that is damaged.
type spoiled struct {
	entry
	err error
}

// damaged tells whether err says that the archive is: not that a rule is broken, nor that it could not be read or written.
func (x *extraction) damaged(err error) bool {
	var refused refusal
	var beyond excess
	var write *writeError
	switch {
	case err == nil, x.meter.fault != nil, x.ctx.Err() != nil,
		errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded),
		errors.As(err, &refused), errors.As(err, &beyond), errors.As(err, &write):
		return false
	}
	return true
}

// cut tells whether err says that the archive ends too early. One entry of a zip may do so where the archive does not.
func (x *extraction) cut(err error) bool {
	return !x.apart && (errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF))
}

// sound is how many of the entries that came out whole, from the first, are as they were packed.
func (x *extraction) sound(err error) int {
	all := len(x.done)
	switch {
	case !x.damaged(err):
		return 0
	case x.apart, errors.Is(err, gzip.ErrHeader): // of what follows a gzip stream whose checksum was right
		return all
	case x.cut(err) && (!x.packed || x.followed()):
		return all
	case x.cut(err):
		return max(all-1, x.proved())
	case errors.Is(err, tar.ErrHeader) && !x.packed:
		return max(all-1, 0)
	}
	return x.proved()
}

// followed tells whether behind the last entry that came out whole there was what should follow it: another, or the end mark.
func (x *extraction) followed() bool { return x.current != nil || x.ended }

// proved is how many of the entries that came out whole, from the first, were held against a checksum.
func (x *extraction) proved() int {
	if x.verified == nil {
		return 0
	}
	all := len(x.done)
	for all > 0 && x.done[all-1].unpacked > x.verified() {
		all--
	}
	return all
}

// place is the byte of the archive at which err was met.
func (x *extraction) place(err error) int64 {
	switch {
	case !x.damaged(err):
		return 0
	case x.cut(err):
		if size, err := x.meter.r.Size(); err == nil {
			return size
		}
	case x.apart && x.current != nil:
		return x.current.place
	case x.begun != nil:
		return x.begun()
	}
	if x.input == nil {
		return 0
	}
	return x.input.consumed()
}

// keep removes all but the first n of the entries that came out whole, gives back what was taken for the others, and
// returns how many there are. Directories alone are not worth to stay.
func (x *extraction) keep(n int) (int, error) {
	var until mark
	if n > 0 {
		until = x.done[n-1]
	}
	if !x.tree.files(until.made) {
		n, until = 0, mark{}
	}
	x.limits.Shared.giveBack(x.entries-until.entries, x.total-until.total)
	return n, x.tree.remove(until.made)
}
