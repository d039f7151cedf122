// Package history stores state intervals in a tree file that is appended to
// and queried at the same time. docs/format/history.md describes the file.
//
// # The tree
//
// It is the state history tree of Montplaisir 2011 (chapter 3): intervals
// arrive in order of their ends, only the rightmost branch is open, an interval
// goes to the lowest open node that begins at or before its start, and what is
// closed is written once and never again. Nothing is rebalanced. From section
// 5.3.1 come the extended nodes: an inner node without room writes what it has
// as an extent and stays open, so long intervals and crowds that end together
// cost blocks, not levels. The rest is different:
//
//   - Inside a block, intervals stand in columns by attribute behind a
//     directory, so that one attribute is found without looking at the others.
//     Because an attribute's intervals follow each other, a leaf stores
//     durations only.
//   - A block is as large as it takes for a column to have some intervals, up
//     to 512 KiB where there are many attributes, and a leaf among thousands 2 MiB,
//     so that a column is about as long as what is read at once. It is read and verified by
//     pages of 4 KiB: one attribute costs a page or two of any block.
//   - Intervals that nothing ended are not in the tree at all. They are the
//     ongoing values, a table by attribute, which answers first while the tree
//     is built and after. The thesis ends them all at once at the close, which
//     is what made its trees hundreds of levels deep. Likewise the null before
//     an attribute's first change is known from the time of its birth.
//   - A parent keeps, for children where that is cheap, the exact time per
//     attribute and value of the child's whole subtree, so that a pixel wider
//     than a child needs no look into it: of few values for all its children
//     together, of many values, where attributes have them, for each by itself.
//
// # Reading beside writing
//
// The writer changes nothing that readers can see. [Writer.Publish] stores one
// pointer to a view: prefixes of slices that only grow, and the pages of ongoing
// values, copied before their next change. A query takes the pointer once and
// works on that instant; it never waits for the writer, and the writer
// never waits for it. Sealed blocks are read with ReadAt through a cache.
//
// # What it does not do
//
// It does not accept changes in the past: whoever feeds it sorts first. It does
// not compress blocks beyond varints unless it is told to ([Options]): a general compressor makes
// 40 to 100 % of them, and every look at one attribute decompress all. It does not map the file into
// memory: a fault would stop a thread where a read stops a goroutine. It does
// not merge two equal intervals that meet after an [Writer.Update]: the first is already stored.
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
	NodeSize    int // bytes of the largest leaf, 512 to 16 MiB; 2 MiB if 0. Other blocks have 512 KiB at most
	PageSize    int // bytes that are read and verified at once, a power of two; fits NodeSize if 0
	MaxChildren int // of a node, 2 to 65535; 50 if 0

	// Compress has blocks of intervals and summaries compressed where that saves pages. A look at one attribute
	// then decompresses all of a block.
	Compress bool

	// Model is the version of what the states are made by, as it counts them; 0 is none. The file keeps it.
	Model uint32

	// Cache holds verified blocks for reading. Trees may share one; a tree
	// without gets one of its own of [DefaultCacheBytes].
	Cache *Cache
}
