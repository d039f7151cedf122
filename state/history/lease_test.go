package history

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/state/attribute"
)

// A page is copied into only if no view that anybody reads has it, however long readers take, and however long one takes to count
// himself, and so is it where the intervals of a block stand; and who reads for long does not have pages pile up.
func TestSparesAreHeldByNobody(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := &History{}
		w := &Writer{history: h}
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
			switch rapid.IntRange(0, 7).Draw(t, "what") {
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
				number++
				leaf.records = append(leaf.records, Interval{End: number})
			case 7:
				leaf.clearRecords()
			}
			for _, r := range readers {
				if now := values(r.view); !slices.Equal(now, r.values) {
					t.Fatalf("a reader had %v, and has %v", r.values, now)
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
