package ingest

import (
	"os"

	"golang.org/x/sys/unix"
)

// freeBytes is the room on the file system of dir; false where that is not known.
func freeBytes(dir string) (int64, bool) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0, false
	}
	return int64(st.Bavail) * int64(st.Bsize), true
}

// syncTree makes everything below dir durable, in one call for its whole file system: an
// archive may hold thousands of files.
func syncTree(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return unix.Syncfs(int(d.Fd()))
}
