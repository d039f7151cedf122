package history

// Stats says how a tree is made up.
type Stats struct {
	NodeSize    int
	MaxChildren int
	Start, End  int64
	Finished    bool
	Attributes  int
	Strings     int
	Intervals   uint64
	Blocks      int
	Bytes       int64 // of the file
	Depth       int   // levels, leaves included
	Fanout      int   // children of the root
}

// Stats returns the figures that are known without reading the tree.
func (h *History) Stats() Stats {
	v := h.current.Load()
	return Stats{
		NodeSize: h.file.nodeSize, MaxChildren: h.file.maxChildren,
		Start: v.start, End: v.end, Finished: v.finished,
		Attributes: v.attributes, Strings: len(h.names.dictionary.list()),
		Intervals: v.intervals,
		Blocks:    int(v.blocks), Bytes: blockOffset(v.blocks, h.file.nodeSize),
		Depth: v.top.level + 1, Fanout: len(v.top.children),
	}
}
