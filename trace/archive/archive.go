// Package archive extracts archives that nobody vouches for.
package archive

import (
	"context"
	"io"
	"os"
)

// Limits bound what one archive may become. Zero fields take the default.
type Limits struct {
	Entries    int   // files and directories
	EntryBytes int64 // one file, extracted
	TotalBytes int64
	Ratio      int64 // extracted : read, tested after 64 MiB
}

// An Error names the archive, the entry at fault and the cause in one sentence.
type Error struct {
	Archive, Entry, Cause string
}

func (e *Error) Error() string { panic("unbuilt") }

// Extract reads the archive r (its format is told by its first bytes, not its name)
// into root. progress is called with the bytes of r read so far. On error it removes what it wrote.
// zip needs random access: r must also be an io.ReaderAt with size, as *os.File is.
func Extract(ctx context.Context, root *os.Root, name string, r io.ReaderAt, size int64, limits Limits, progress func(read int64)) error {
	panic("unbuilt")
}
