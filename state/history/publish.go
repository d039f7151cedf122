package history

// publish shows readers the tree as it is, up to end.
func (w *Writer) publish(end int64) {
	w.present.space.LetGo()
	w.shelf.Space().LetGo()
	w.published = end
	var below *node
	for _, n := range w.open {
		shown := &node{
			level: n.level, start: n.start, end: w.newestEnd,
			children: n.children, extents: n.extents, groups: n.groups, wide: n.wide, records: n.records,
			below: below,
		}
		if n.level == 0 {
			shown.extents = n.parts
		}
		n.shown = n.shown || len(n.records) > 0
		below = shown
	}
	pages := w.present.freeze()
	made := w.ended.hide(pages, &w.present)
	w.show(&view{
		start: w.header.start, end: end, top: below, pages: pages, attributes: w.names.tree.Len(),
		intervals: w.intervals, filePages: w.pages, space: w.present.space, room: w.shelf.Space(),
	})
	w.present.spares.replaced.pages = append(w.present.spares.replaced.pages, made...)
}

// Copied is how many pages of ongoing values were copied since the last Publish, as readers hold those: what that has cost.
func (w *Writer) Copied() int { return len(w.present.spares.replaced.pages) }

// show has readers that come from now on see v.
func (w *Writer) show(v *view) {
	v.lease = new(lease)
	if before := w.history.current.Swap(v); before != nil {
		w.present.spares.superseded(before.lease, w.present.space)
	}
}

// publishFinished shows readers the finished tree and lets go of the open branch.
func (w *Writer) publishFinished(record *finish) error {
	top, err := w.history.root(record)
	if err != nil {
		return err
	}
	w.published, w.finished = record.end, true
	w.show(&view{
		start: w.header.start, end: record.end, top: top, pages: w.present.freeze(), attributes: w.names.attributes,
		finished: true, intervals: w.intervals, filePages: w.pages, space: w.present.space,
	})
	w.giveBack()
	w.open, w.present, w.ended, w.shelf = nil, present{start: w.present.start}, ended{}, nil
	return nil
}
