package history

// Stats says how a tree is made up.
type Stats struct {
	NodeSize    int // bytes of the largest block
	PageSize    int
	MaxChildren int
	Compress    bool   // blocks may be compressed
	Model       uint32 // of Options
	Start, End  int64
	Finished    bool
	Attributes  int
	Strings     int
	Intervals   uint64
	Pages       int   // that blocks take
	Bytes       int64 // of the file
	Depth       int   // levels, leaves included
	Fanout      int   // children of the root
}

// Stats returns the figures that are known without reading the tree.
func (h *History) Stats() Stats {
	v := h.current.Load()
	return Stats{
		NodeSize: int(h.file.head.nodeSize), PageSize: h.file.pageSize(), MaxChildren: int(h.file.head.maxChildren), Compress: h.file.head.packed != unpacked,
		Model: h.file.head.model,
		Start: v.start, End: v.end, Finished: v.finished,
		Attributes: v.attributes, Strings: h.names.dictionary.Len(),
		Intervals: v.intervals,
		Pages:     int(v.filePages), Bytes: h.file.offset(v.filePages),
		Depth: v.top.level + 1, Fanout: len(v.top.children),
	}
}
