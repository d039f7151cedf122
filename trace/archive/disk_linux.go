package archive

import (
	"os"

	"golang.org/x/sys/unix"
)

// startWriting has the system begin to write what it holds of a file, and does not wait for it.
func startWriting(f *os.File) {
	_ = unix.SyncFileRange(int(f.Fd()), 0, 0, unix.SYNC_FILE_RANGE_WRITE) // some file systems cannot; then it is written later
}
