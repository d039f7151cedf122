package catalog

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// On a disk that became full while the store was open rows can be changed, and the store closed. Without room that was taken before, the system ends the process.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=16m"); err != nil {
		t.Skip("no disk of its own: ", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	data := filepath.Join(dir, "catalog")
	c, err := open(data, "", memTable, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "filler"), make([]byte, 16<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("the disk is not full: %v", err)
	}
	const sets = 200
	for id := range ID(sets) {
		if err := c.Create(Set{ID: id + 1, Name: "full", State: Uploading}); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if c, err = open(data, "", memTable, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if rows, err := c.Sets(); err != nil || len(rows) != sets {
		t.Errorf("%d sets, %v", len(rows), err)
	}
}
