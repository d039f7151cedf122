package catalog

import (
	"os"
	"path/filepath"
	"slices"
)

// Badger writes its logs and tables through mapped memory, into files that have room only on paper: on a full disk the system ends a process that touches such a
// page, and nothing can be told of it. So room is taken while there is some. The log has it in itself, and what closing the store flushes has that of a file that
// goes before.

const (
	reserved    = 4 << 20 // bytes, more than the rows that a process changes
	reservedLog = 1 << 20 // bytes, of some hundred changes of a row; those beyond have no room of their own
)

// reserve takes room on the disk for the rows that are changed until the store is closed. Where there is none, nothing is kept.
func (c *Catalog) reserve(dir string) {
	zeros := make([]byte, reservedLog)
	logs, err := filepath.Glob(filepath.Join(dir, "badger", "*.mem"))
	if err == nil && len(logs) > 0 {
		if f, err := os.OpenFile(slices.Max(logs), os.O_WRONLY, 0); err == nil {
			f.WriteAt(zeros, 4096) // behind its head, where nothing is yet
			f.Close()
		}
	}
	c.reserved = filepath.Join(dir, "reserve")
	f, err := os.OpenFile(c.reserved, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	for n := 0; err == nil && n < reserved; n += len(zeros) {
		_, err = f.Write(zeros)
	}
	if f != nil {
		f.Close()
	}
	if err != nil {
		os.Remove(c.reserved)
	}
}
