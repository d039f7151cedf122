package catalog

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"synchroscope/internal/smalldisk"
)

// An open store has room on the disk that it has not used: in its log, and beside it, which goes when it is closed.
func TestRoomIsTaken(t *testing.T) {
	data := filepath.Join(t.TempDir(), "catalog")
	held := func(pattern string) (bytes int64) {
		files, err := filepath.Glob(filepath.Join(data, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			var s unix.Stat_t
			if err := unix.Stat(name, &s); err != nil {
				t.Fatal(err)
			}
			bytes += s.Blocks * 512
		}
		return bytes
	}
	for range 2 {
		c, err := open(data, "", memTable, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		if log, beside := held("badger/*.mem"), held("reserve"); log < reservedLog || beside < reserved {
			t.Errorf("the log has %d bytes, and %d are beside it", log, beside)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		if beside := held("reserve"); beside > 0 {
			t.Errorf("%d bytes are left beside the log", beside)
		}
	}
}

// On a disk that became full while the store was open rows can be changed, and the store closed. Without room that was taken before, the system ends the process.
func TestFullDisk(t *testing.T) {
	dir := smalldisk.New(t, 16<<20)
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

// On a disk that is full already the store is not opened, and says so, whether there is no room at all or some. Nothing is lost by it.
func TestFullAtTheStart(t *testing.T) {
	dir := smalldisk.New(t, 32<<20)
	data, filler := filepath.Join(dir, "catalog"), filepath.Join(dir, "filler")
	c, err := open(data, "", memTable, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Create(Set{ID: 1, Name: "kept", State: Uploading}); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filler, make([]byte, 32<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("the disk is not full: %v", err)
	}
	full, err := os.Stat(filler)
	if err != nil {
		t.Fatal(err)
	}
	opened, refused := false, 0
	for left := int64(0); !opened && left < 24<<20; left += 300_000 {
		if err := os.Truncate(filler, full.Size()-left); err != nil {
			t.Fatal(err)
		}
		c, err := open(data, "", memTable, slog.New(slog.DiscardHandler))
		if err != nil {
			if refused++; !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "make room") {
				t.Fatalf("with %d bytes left: %v", left, err)
			}
			continue
		}
		opened = true
		if rows, err := c.Sets(); err != nil || len(rows) != 1 || rows[0].Name != "kept" {
			t.Errorf("with %d bytes left: %v, %v", left, rows, err)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	if !opened || refused < 10 {
		t.Errorf("refused %d times, opened %v", refused, opened)
	}
}
