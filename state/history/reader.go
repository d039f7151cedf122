package history

import (
	"fmt"
	"sync/atomic"

	"synchroscope/state/attribute"
	"synchroscope/state/scratch"
)

// A History answers queries from any number of goroutines, while the tree is
// built and after. Each query works on what was published when it began.
// Intervals are clipped to the published end: one that goes on has it as End.
type History struct {
	file    *store
	names   *names
	current atomic.Pointer[view]
}

// A view is what readers see between two calls of Publish. All it leads to is
// immutable.
type view struct {
	start, end int64
	top        *node
	pages      []sheet
	attributes int
	finished   bool
	intervals  uint64
	filePages  uint32

	lease *lease         // of pages
	space *scratch.Space // that pages are in
	room  *scratch.Space // that intervals are in which are in no block yet
}

// Open reads a finished tree. The caller keeps f open as long as the history is used.
func Open(f File) (*History, error) { return OpenCached(f, nil) }

// OpenCached is Open with a cache that may be shared with other trees.
func OpenCached(f File, cache *Cache) (*History, error) {
	head, err := readHeader(f)
	if err != nil {
		return nil, err
	}
	record, err := readFinish(f)
	if err != nil {
		return nil, err
	}
	if record.end < head.start {
		return nil, corruptAt("finish record", finishOffset, fmt.Sprintf("ends at %d, before the start %d", record.end, head.start))
	}
	h := &History{file: newStore(f, *head, cache), names: newNames(space(f))}
	if err := h.file.reaches(record.pages); err != nil {
		return nil, err
	}
	h.file.pages.Store(record.pages)
	if err := h.readNames(record); err != nil {
		return nil, err
	}
	state, err := h.file.chainAt(record.state, stateBlock, h.names.attributes*maxOngoing, nil)
	if err != nil {
		return nil, err
	}
	p := present{start: head.start, space: h.names.space}
	d := state.feed()
	cause := restorePresent(d, &p, h.names.attributes, record.end)
	if d.err != nil {
		return nil, d.err
	}
	if cause == "" && (d.remaining() > 0 || uint64(state.size) != record.stateLength) {
		cause = fmt.Sprintf("has %d bytes, the finish record says %d", state.size, record.stateLength)
	}
	if cause != "" {
		return nil, corruptAt("state stream", h.file.offset(record.state), cause)
	}
	top, err := h.root(record)
	if err != nil {
		return nil, err
	}
	h.current.Store(&view{
		start: head.start, end: record.end, top: top, pages: p.pages, attributes: h.names.attributes,
		finished: true, intervals: record.intervals, filePages: record.pages,
		lease: new(lease), space: p.space,
	})
	return h, nil
}

func (h *History) readNames(record *finish) error {
	stream, err := h.file.chainAt(record.names, namesBlock, mostNames, nil)
	if err != nil {
		return err
	}
	d := stream.feed()
	cause := h.names.restore(d)
	if d.err != nil {
		return d.err
	}
	if cause == "" && (uint64(stream.size) != record.namesLength || h.names.attributes != int(record.attributes) || h.names.strings != int(record.strings)) {
		cause = fmt.Sprintf("has %d bytes, %d attributes and %d strings, the finish record says %d, %d and %d",
			stream.size, h.names.attributes, h.names.strings, record.namesLength, record.attributes, record.strings)
	}
	if cause != "" {
		return corruptAt("names stream", h.file.offset(record.names), cause)
	}
	return nil
}

// root returns the top node of a finished tree.
func (h *History) root(record *finish) (*node, error) {
	k, err := h.file.read(record.root)
	if err != nil {
		return nil, err
	}
	if k.kind != indexBlock || k.level == 0 {
		return nil, k.corrupt("%s of level %d where the root was expected", kindNames[k.kind], k.level)
	}
	return h.file.node(record.root, int(k.level))
}

// Attributes is the tree of this history's attributes; while the history is
// built it may hold some that no query knows yet.
func (h *History) Attributes() *attribute.Tree { return h.names.tree }

// Bounds are the tree's start and the published watermark (the end once finished).
func (h *History) Bounds() (start, end int64) {
	v := h.current.Load()
	return v.start, v.end
}

// String resolves a string value. It returns "" for other values.
func (h *History) String(v Value) string {
	return h.names.string(v)
}

// Release drops what the cache holds of this history. It may still be used.
func (h *History) Release() { h.file.cache.forget(h.file) }
