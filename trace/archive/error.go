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
	"strings"

	"github.com/klauspost/compress/zstd"
)

// An Error names the archive, the entry at fault and the cause in one sentence.
type Error struct {
	Archive string
	Entry   string // "" where the fault is the archive's own
	Cause   string // what is said of it: "is a symbolic link; …"

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

// A writeError is a fault of the destination, not of the archive.
type writeError struct{ err error }

func (e *writeError) Error() string { return e.err.Error() }
func (e *writeError) Unwrap() error { return e.err }

// newError words err: at is the entry being extracted, last the newest one
// that was complete. Both may be empty. whole is how many were complete.
func newError(archive, at, last string, whole int, err error) *Error {
	return &Error{Archive: archive, Entry: shorten(at), Cause: cause(at, last, whole, err), err: err}
}

func cause(at, last string, whole int, err error) string {
	var refused refusal
	var write *writeError
	var path *fs.PathError
	switch {
	case errors.As(err, &refused):
		return string(refused)
	case errors.Is(err, context.Canceled):
		return "was not extracted: the work was cancelled"
	case errors.Is(err, context.DeadlineExceeded):
		return "was not extracted: it took too long"
	case errors.As(err, &write):
		if errors.As(write.err, &path) {
			return "cannot be written: " + path.Err.Error()
		}
		return "cannot be written: " + write.err.Error()
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		switch {
		case at != "":
			return "is cut off: the archive ends in the middle of it" + before(last, whole)
		case last != "":
			return fmt.Sprintf("is cut off: it ends without an end mark after entry %q", shorten(last)) + before("", whole)
		}
		return "is cut off: it ends before its first entry is complete"
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, zip.ErrChecksum), errors.Is(err, zstd.ErrCRCMismatch), errors.Is(err, errXZChecksum):
		return "is damaged: its checksum is wrong"
	case errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrWindowSizeTooSmall), errors.Is(err, zstd.ErrDecoderSizeExceeded):
		return "is compressed in a way that takes more memory than is allowed"
	case errors.Is(err, tar.ErrHeader) && last == "":
		return "is damaged: its first tar header is wrong"
	case errors.Is(err, tar.ErrHeader):
		return fmt.Sprintf("is damaged: what follows entry %q is not a tar header", shorten(last))
	case errors.As(err, &path):
		return "cannot be read: " + path.Err.Error()
	}
	return "is damaged: " + err.Error()
}

// before says what of an archive that is cut off was read, and what became of it.
func before(last string, whole int) string {
	of := ""
	if last != "" {
		of = fmt.Sprintf(" before it, to %q,", shorten(last))
	}
	switch whole {
	case 0:
		return "; no entry is whole"
	case 1:
		return fmt.Sprintf("; the 1 entry%s is whole, but of an archive in part nothing is kept: send it again, all of it", of)
	}
	return fmt.Sprintf("; the %d entries%s are whole, but of an archive in part nothing is kept: send it again, all of it", whole, of)
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
