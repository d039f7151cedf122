package archive

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// An Error names the archive, the entry at fault, the place and the cause in one sentence.
type Error struct {
	Archive string
	Entry   string // "" where the fault is the archive's own
	Cause   string // what is said of it: "is a symbolic link; …"
	Offset  int64  // byte of the archive, 0 where the fault is at no place
	Kept    int    // entries that are there all the same: [Salvage]
	Own     bool   // it is the archive's fault, whoever extracts it, where and beside what others

	err error
}

func (e *Error) Error() string {
	if e.Entry == "" {
		return e.Archive + " " + e.Cause
	}
	return fmt.Sprintf("%s: entry %q %s", e.Archive, e.Entry, e.Cause)
}

// Unwrap returns what made the extraction stop.
func (e *Error) Unwrap() error { return e.err }

// A refusal is a fault that we found, worded as what is said of the entry.
type refusal string

func (r refusal) Error() string { return string(r) }

func refusalf(format string, args ...any) error {
	return refusal(fmt.Sprintf(format, args...))
}

// An excess is a refusal that depends on who extracts the archive, and beside what others.
type excess string

func (e excess) Error() string { return string(e) }

func excessf(format string, args ...any) error {
	return excess(fmt.Sprintf(format, args...))
}

// A writeError is a fault of the destination, not of the archive.
type writeError struct{ err error }

func (e *writeError) Error() string { return e.err.Error() }
func (e *writeError) Unwrap() error { return e.err }

// A failure is why an extraction did not end well.
type failure struct {
	archive string
	err     error
	place   int64 // byte of the archive, 0 for none
	sound   int   // entries that are known to be as they were packed
	files   bool  // some of those that came out are files
	kept    int   // of these, those that stay
}

// word makes the error of a failure.
func (x *extraction) word(f failure) *Error {
	e := &Error{Archive: f.archive, Cause: x.cause(f), Kept: f.kept, Own: x.damaged(f.err), err: f.err}
	if x.current != nil {
		e.Entry = shorten(x.current.name)
	}
	var refused refusal
	switch {
	case errors.As(f.err, &refused):
		e.Own = true
	case e.Own:
		e.Offset = f.place
	}
	return e
}

func (x *extraction) cause(f failure) string {
	var refused refusal
	var beyond excess
	var write *writeError
	var path *fs.PathError
	switch err := f.err; {
	case errors.As(err, &refused):
		return string(refused)
	case errors.As(err, &beyond):
		return string(beyond)
	case errors.Is(err, context.Canceled):
		return "was not extracted: the work was cancelled"
	case errors.Is(err, context.DeadlineExceeded):
		return "was not extracted: it took too long"
	case errors.As(err, &write):
		if errors.As(write.err, &path) {
			return "cannot be written: " + path.Err.Error()
		}
		return "cannot be written: " + write.err.Error()
	case errors.As(err, &path):
		return "cannot be read: " + path.Err.Error()
	case x.meter.fault != nil:
		return "cannot be read: " + x.meter.fault.Error()
	case errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrWindowSizeTooSmall), errors.Is(err, zstd.ErrDecoderSizeExceeded):
		return "is compressed in a way that takes more memory than is allowed"
	case x.cut(err):
		return x.cutOff(f.place) + x.rest(f)
	}
	return fmt.Sprintf("is damaged at byte %d of the archive: %s", f.place, x.damage(f.err)) + x.rest(f)
}

// cutOff says where an archive ends too early.
func (x *extraction) cutOff(place int64) string {
	switch {
	case x.current != nil:
		return fmt.Sprintf("is cut off at byte %d, where the archive ends", place)
	case x.ended:
		return fmt.Sprintf("is cut off at byte %d, behind its last entry", place)
	case len(x.done) > 0:
		return fmt.Sprintf("is cut off at byte %d: it ends without an end mark after entry %q", place, shorten(x.done[len(x.done)-1].name))
	}
	return fmt.Sprintf("is cut off at byte %d: it ends before its first entry is complete", place)
}

// damage says what is wrong where an archive does not end too early.
func (x *extraction) damage(err error) string {
	switch {
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, zip.ErrChecksum), errors.Is(err, zstd.ErrCRCMismatch), errors.Is(err, errXZChecksum):
		return "its checksum is wrong"
	case errors.Is(err, tar.ErrHeader) && len(x.done) == 0:
		return "its first tar header is wrong"
	case errors.Is(err, tar.ErrHeader):
		return fmt.Sprintf("what follows entry %q is not a tar header", shorten(x.done[len(x.done)-1].name))
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "it ends too early"
	}
	return err.Error()
}

// rest says what is known of the entries that came out whole.
func (x *extraction) rest(f failure) string {
	all := len(x.done)
	before := "before it"
	if x.current == nil {
		before = "in it"
	}
	switch {
	case all == 0 && x.current == nil: // said already
		return ""
	case !f.files:
		return "; no file is whole"
	case x.apart && x.salvage:
		return fmt.Sprintf("%s; %s whole", also(len(x.spoiled)-1), are(f.sound, "other entry", "other entries", ""))
	case f.sound == 0:
		return fmt.Sprintf("; which of the %s %s are right cannot be told", entries(all), before)
	case f.sound < all:
		return fmt.Sprintf("; %s whole, but which of the %s behind them are right cannot be told", are(f.sound, "entry", "entries", "to "+x.name(f.sound)), entries(all-f.sound))
	}
	return fmt.Sprintf("; %s whole", are(all, "entry", "entries", before+", to "+x.name(all)+","))
}

// name quotes that of the last of the first n entries that came out whole.
func (x *extraction) name(n int) string { return strconv.Quote(shorten(x.done[n-1].name)) }

// also says that n entries more are damaged.
func also(n int) string {
	switch n {
	case -1, 0:
		return ""
	case 1:
		return ", and 1 entry more is damaged"
	}
	return fmt.Sprintf(", and %d entries more are damaged", n)
}

// are begins a sentence on n things: "the 3 entries before it are".
func are(n int, one, many, which string) string {
	what, verb := many, "are"
	if n == 1 {
		what, verb = one, "is"
	}
	if which != "" {
		what += " " + which
	}
	return fmt.Sprintf("the %d %s %s", n, what, verb)
}

func entries(n int) string {
	if n == 1 {
		return "1 entry"
	}
	return fmt.Sprintf("%d entries", n)
}

// shorten keeps a name that fills a page out of a sentence.
func shorten(name string) string {
	const most = 160
	if len(name) <= most {
		return name
	}
	return strings.ToValidUTF8(name[:most], "") + "…"
}

// bytesText writes a limit for people.
func bytesText(n int64) string {
	for _, unit := range []struct {
		size int64
		name string
	}{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}} {
		if n >= unit.size && n%unit.size == 0 {
			return fmt.Sprintf("%d %s", n/unit.size, unit.name)
		}
	}
	return fmt.Sprintf("%d bytes", n)
}
