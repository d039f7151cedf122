package catalog

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// Badger writes its logs and tables through mapped memory, into files that have room only on paper: on a full disk the system ends a process that touches such a
// page, and nothing can be told of it. So room is taken while there is some. The log has it in itself, and what closing the store flushes has that of a file that
// goes before. So it is with opening it, which writes what the last log has into a table. A store that has no room is not opened: it would be ended in the midst of that.

const (
	reserved    = 4 << 20   // bytes, more than the rows that a process changes
	reservedLog = 1 << 20   // bytes, of some hundred changes of a row; those beyond have no room of their own
	openingRoom = 512 << 10 // bytes of small files, and of tables that are merged
)

// reserve takes room on the disk for the rows that are changed until the store is closed, and leaves of it what opening the store takes: as much as the log that it had,
// and a new one. Only a full disk is an error: where no file can be written the store says why it cannot be opened.
func (c *Catalog) reserve(dir string) error {
	opening := int64(openingRoom + reservedLog)
	for _, name := range logs(dir) {
		if info, err := os.Stat(name); err == nil {
			opening += allocated(info)
		}
	}
	c.reserved = filepath.Join(dir, "reserve")
	if err := os.Remove(c.reserved); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	size := max(reserved, opening)
	if err := c.take(size); err != nil {
		os.Remove(c.reserved)
		return noRoom(dir, size, err)
	}
	if err := os.Truncate(c.reserved, size-opening); err != nil {
		os.Remove(c.reserved)
	}
	return nil
}

// reserveLog gives the log of the store, which is open, its room, and takes again for closing it what opening took, as far as there is any.
func (c *Catalog) reserveLog(dir string) error {
	names := logs(dir)
	if len(names) == 0 {
		return nil
	}
	f, err := os.OpenFile(slices.Max(names), os.O_WRONLY, 0)
	if err != nil {
		return nil
	}
	_, err = f.WriteAt(make([]byte, reservedLog), 4096) // behind its head, where nothing is yet
	if err = errors.Join(err, f.Close()); err != nil {
		return noRoom(dir, reservedLog, err)
	}
	c.take(reserved)
	return nil
}

// take makes the file of the size on the disk, or as large as there is room for.
func (c *Catalog) take(size int64) error {
	f, err := os.OpenFile(c.reserved, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil {
		zeros := make([]byte, 1<<20)
		for n := info.Size(); err == nil && n < size; n += int64(len(zeros)) {
			_, err = f.Write(zeros[:min(int64(len(zeros)), size-n)])
		}
	}
	return errors.Join(err, f.Close())
}

// logs are the files of the store's logs.
func logs(dir string) []string {
	names, _ := filepath.Glob(filepath.Join(dir, "badger", "*.mem")) // the pattern is sound
	return names
}

// noRoom is what is said where the disk has no room for so many bytes; nil where that is not what is wrong.
func noRoom(dir string, size int64, err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return fmt.Errorf("%s: the disk has no room to open the catalogue, which takes %.1f MB; make room and start again: %w", dir, float64(size)/1e6, err)
	}
	return nil
}
