// Package durable writes files such that after a crash they are there as before or as they are to be.
package durable

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
)

// Partial is behind the name of a file that is not whole yet; a crash may leave one.
const Partial = ".part"

// WriteFile writes a file of what is in memory, in place of one that is there.
func WriteFile(path string, b []byte) error {
	return Write(path, func(to io.Writer) error {
		_, err := to.Write(b)
		return err
	})
}

// Write writes a file of what write gives, in place of one that is there.
func Write(path string, write func(io.Writer) error) error {
	f, err := os.Create(path + Partial)
	if err != nil {
		return err
	}
	b := bufio.NewWriterSize(f, 64<<10)
	if err = write(b); err == nil {
		err = b.Flush()
	}
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(path+Partial, path)
	}
	if err == nil {
		err = SyncFolder(filepath.Dir(path))
	}
	return err
}

// SyncFolder makes what was made, renamed or removed in a folder outlive a crash.
func SyncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
