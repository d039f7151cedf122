// Package history stores state intervals in a tree file that is appended to
// and queried at the same time. docs/format/history.md describes the file.
package history

import "synchroscope/state/attribute"

// An Interval says that an attribute had a value from Start until before End,
// both in local ns: [Start, End).
type Interval struct {
	Quark      attribute.Quark
	Start, End int64
	Value      Value
}

// A File is where a tree lives; *os.File is one.
type File interface {
	ReadAt(p []byte, off int64) (int, error)
	WriteAt(p []byte, off int64) (int, error)
	Truncate(size int64) error
	Sync() error
	Close() error
}

// Options shape a new tree; zero fields take the default. They are part of the
// file: a tree keeps them for ever.
type Options struct {
	NodeSize    int // bytes of a block, 512 to 16 MiB; 64 KiB if 0
	MaxChildren int // of a node, 2 to 65535; 50 if 0

	// Cache holds verified blocks for reading. Trees may share one; a tree
	// without gets one of its own of [DefaultCacheBytes].
	Cache *Cache
}
