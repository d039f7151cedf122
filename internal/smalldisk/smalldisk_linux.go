// Package smalldisk has a disk for tests of what happens when there is no room left.
package smalldisk

import (
	"strconv"
	"testing"

	"golang.org/x/sys/unix"
)

// New is the folder of a disk of so many bytes, which goes with the test. The test is left out where the machine does not let it have one.
func New(t *testing.T, size int) string {
	t.Helper()
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size="+strconv.Itoa(size)); err != nil {
		t.Skip("no disk of its own: ", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	return dir
}
