package history

import (
	"testing"

	"pgregory.net/rapid"

	"synchroscope/state/attribute"
	"synchroscope/state/scratch"
)

// A page is copied into only if no view that anybody reads has it, however long readers take, and however long one takes to count
// himself, and so is it where the intervals of a block stand; and who reads for long does not have pages pile up.
func TestSparesAreHeldByNobody(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := &History{}
		w := &Writer{history: h}
		w.present.spares.shelf = scratch.NewShelf(nil)
		leaf := &open{head: &header{nodeSize: minNodeSize, pageSize: minNodeSize}, attributes: attribute.NewTree(), spares: &w.present.spares}
		show := func() {
			leaf.shown = leaf.shown || len(leaf.records) > 0
			w.show(&view{pages: w.present.freeze(), top: &node{records: leaf.records}})
		}
		type reader struct {
			view   *view
			values []uint64
		}
		var readers []reader
		var coming *view // that a reader has found, who is not counted yet
		values := func(v *view) (read []uint64) {
			for _, p := range v.pages {
				read = append(read, p.state[0].bits, uint64(p.births[0]))
			}
			for _, iv := range v.top.records {
				read = append(read, uint64(iv.End))
			}
			return read
		}
		number := int64(0)
		w.present.set(3*pageSize, ongoing{birth: number})
		show()
		coming = h.current.Load()
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			switch rapid.IntRange(0, 8).Draw(t, "what") {
			case 0:
				number++
				q := rapid.Int32Range(0, 3).Draw(t, "page") * pageSize
				w.present.set(attribute.Quark(q), ongoing{value: Int(number), birth: number})
			case 1:
				show()
			case 2:
				v := h.borrow()
				readers = append(readers, reader{v, values(v)})
			case 3:
				if len(readers) > 0 {
					i := rapid.IntRange(0, len(readers)-1).Draw(t, "reader")
					readers[i].view.release()
					readers = append(readers[:i], readers[i+1:]...)
				}
			case 4:
				coming = h.current.Load()
			case 5:
				if h.counted(coming) {
					readers = append(readers, reader{coming, values(coming)})
				}
			case 6:
				for range rapid.SampledFrom([]int{1, 1000}).Draw(t, "intervals") {
					number++
					if len(leaf.records) == cap(leaf.records) {
						leaf.records, leaf.shown = leaf.spares.larger(leaf.records, leaf.shown), false
					}
					leaf.records = append(leaf.records, Interval{End: number})
				}
			case 7:
				leaf.clearRecords()
			case 8: // something else is where there is a place for it
				for n := 900; n < 10_000; n *= 2 {
					p := scratch.Place[Interval](leaf.spares.shelf, n)
					for range n {
						p = append(p, Interval{End: -1})
					}
					scratch.Return(leaf.spares.shelf, p)
				}
			}
			for _, r := range readers {
				for i, now := range values(r.view) {
					if now != r.values[i] {
						t.Fatalf("a reader had %d in place %d, and has %d", r.values[i], i, now)
					}
				}
			}
			kept := 0
			for _, g := range w.present.spares.held {
				if len(g.pages) > 0 || len(g.records) > 0 {
					kept++
				}
			}
			if kept > mostHeld {
				t.Fatalf("pages of %d generations are kept", kept)
			}
		}
	})
}

// Who reads for long has no intervals pile up in the file, where they would stay: what a node has meanwhile is left to the collector. Once he is done
// they are in the file again.
func TestLongReaderFillsNoFile(t *testing.T) {
	space := scratch.New(t.TempDir(), 0)
	w := &Writer{history: &History{}, present: present{space: space}}
	w.present.spares.shelf = scratch.NewShelf(space)
	leaf := &open{head: &header{nodeSize: minNodeSize, pageSize: minNodeSize}, attributes: attribute.NewTree(), spares: &w.present.spares}
	rounds := func(n int) (inFile int) {
		for range n {
			for k := range int64(3000) {
				if len(leaf.records) == cap(leaf.records) {
					leaf.records, leaf.shown = leaf.spares.larger(leaf.records, leaf.shown), false
				}
				leaf.records = append(leaf.records, Interval{End: k})
				if k%1000 == 0 {
					leaf.shown = true
					w.show(&view{top: &node{records: leaf.records}, space: space})
				}
			}
			if scratch.Holds(space, &leaf.records[0]) {
				inFile++
			}
			leaf.clearRecords()
		}
		return inFile
	}
	if n := rounds(20); n != 20 {
		t.Fatalf("without readers the intervals of %d blocks of 20 are in the file", n)
	}
	v := w.history.borrow()
	if n := rounds(1000); n > mostHeld {
		t.Errorf("beside one who reads for long the intervals of %d blocks came to the file", n)
	}
	v.release()
	if n := rounds(20); n < 18 {
		t.Errorf("once he was done the intervals of %d blocks of 20 are in the file", n)
	}
}
