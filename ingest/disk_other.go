//go:build !linux

package ingest

import (
	"io/fs"
	"os"
	"path/filepath"
)

func freeBytes(string) (int64, bool) { return 0, false }

func syncTree(dir string) error {
	return filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		return f.Sync()
	})
}
