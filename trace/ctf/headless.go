package ctf

import (
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Headless returns the directories below root that hold a stream but no metadata, as where an archive was cut off between
// both, in lexical order. A stream is known by the magic number that packets begin with. It follows no links.
func Headless(root string) ([]string, error) {
	var dirs []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if info, err := os.Lstat(filepath.Join(path, metadataName)); err == nil && info.Mode().IsRegular() {
			return nil
		}
		files, err := streamFiles(path)
		if err != nil {
			return err
		}
		for _, f := range files {
			begins, err := beginsWithMagic(filepath.Join(path, f.name))
			if err != nil {
				return err
			}
			if begins {
				dirs = append(dirs, path)
				break
			}
		}
		return nil
	})
	slices.Sort(dirs)
	return dirs, err
}

// beginsWithMagic tells whether a file begins as a packet does, in either byte order.
func beginsWithMagic(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	var b [4]byte
	switch _, err := io.ReadFull(f, b[:]); {
	case err == io.EOF, errors.Is(err, io.ErrUnexpectedEOF):
		return false, nil
	case err != nil:
		return false, err
	}
	return binary.LittleEndian.Uint32(b[:]) == magicNumber || binary.BigEndian.Uint32(b[:]) == magicNumber, nil
}
