package catalog

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// CopyTo copies the store in the folder from, as it is, to one that is made. No other process can open the store until unlock is called. Where there is no store
// there is nothing to copy. Not a byte of the store is changed, and no time of a file.
func CopyTo(from, to string) (unlock func(), err error) {
	if _, err := os.Stat(from); errors.Is(err, fs.ErrNotExist) {
		return func() {}, nil
	}
	if unlock, err = lock(from); err != nil {
		return nil, err
	}
	store := filepath.Join(from, "badger")
	if free, err := lock(store); err == nil { // an earlier version of the program may have it
		free()
	} else if !errors.Is(err, fs.ErrNotExist) {
		unlock()
		return nil, err
	}
	if err = copyFiles(from, to); err == nil {
		err = copyFiles(store, filepath.Join(to, "badger"))
	}
	if err != nil {
		unlock()
		return nil, err
	}
	return unlock, nil
}

// copyFiles copies the files of a folder, not those below folders in it.
func copyFiles(from, to string) error {
	entries, err := os.ReadDir(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = os.MkdirAll(to, 0o700)
	}
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if entry.Type().IsRegular() {
			if err := copySparse(filepath.Join(from, entry.Name()), filepath.Join(to, entry.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// copySparse copies a file without taking space for its zeros: a store has files of which nearly all is to be used yet.
func copySparse(from, to string) (err error) {
	r, err := os.Open(from)
	if err != nil {
		return err
	}
	defer r.Close()
	w, err := os.Create(to)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	b, zeros := make([]byte, 64<<10), make([]byte, 64<<10)
	for at := int64(0); ; {
		n, err := io.ReadFull(r, b)
		if !bytes.Equal(b[:n], zeros[:n]) {
			if _, err := w.WriteAt(b[:n], at); err != nil {
				return err
			}
		}
		at += int64(n)
		switch {
		case err == io.EOF || err == io.ErrUnexpectedEOF:
			return w.Truncate(at)
		case err != nil:
			return err
		}
	}
}
