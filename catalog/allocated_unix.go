//go:build unix

package catalog

import (
	"io/fs"
	"syscall"
)

// allocated is how many bytes of the disk a file takes.
func allocated(info fs.FileInfo) int64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return int64(s.Blocks) * 512
	}
	return info.Size()
}
