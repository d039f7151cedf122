//go:build !unix

package catalog

import "io/fs"

// allocated is how many bytes of the disk a file may take.
func allocated(info fs.FileInfo) int64 { return min(info.Size(), memTable) }
