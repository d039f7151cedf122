package history

import (
	"context"
	"slices"
	"testing"

	"synchroscope/internal/raced"
	"synchroscope/state/attribute"
)

// An attribute of few values is summarized by sums, one that has another value each time
// child by child; and sums that are cut short or fall are refused.
func TestFormsOfSummaries(t *testing.T) {
	raced.Alone(t)
	file := &growing{}
	w, err := Create(file, 0, Options{NodeSize: 1024, PageSize: 1024, MaxChildren: 16})
	if err != nil {
		t.Fatal(err)
	}
	status, count := w.Attributes().Path("Status"), w.Attributes().Path("Count")
	const end = 20_000
	for at := range int64(end) {
		if err := w.Modify(at, status, Int(at%3)); err != nil {
			t.Fatal(err)
		}
		if err := w.Modify(at, count, Int(at)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Finish(end); err != nil {
		t.Fatal(err)
	}
	if err := Check(file); err != nil {
		t.Fatal(err)
	}
	h := w.History()
	n := h.current.Load().top
	for n.level > 1 {
		if n, err = h.file.inner(n.children[0], n.level-1); err != nil {
			t.Fatal(err)
		}
	}
	if len(n.groups) == 0 {
		t.Fatal("no summaries")
	}
	g := &n.groups[0]
	k, err := h.file.whole(g.blocks[0].block)
	if err != nil {
		t.Fatal(err)
	}
	c := k.cursor()
	if !c.seek(status) || k.payload[c.at] != 3 {
		t.Errorf("the column of the status begins with %d, want sums of 3 values", k.payload[c.at])
	}
	column := k.payload[c.at:c.pos:c.pos]
	if !c.seek(count) || k.payload[c.at] != 0 {
		t.Errorf("the column of the count begins with %d, want child by child", k.payload[c.at])
	}

	ignore := func(int, Value, int64, uint64, bool) {}
	if !summaryColumn(column, g, ignore) {
		t.Fatal("the column of the status does not decode")
	}
	d := decoder{b: column}
	sums, ok := sumColumn(&d, d.uvarint(), g)
	if !ok {
		t.Fatal("the sums do not decode")
	}
	for n := len(column) - 1; n > len(column)-sums.line; n-- {
		if summaryColumn(column[:n:n], g, ignore) {
			t.Errorf("decodes without its last %d bytes", len(column)-n)
		}
	}
	falling := append([]byte(nil), column...)
	for i := range 4 {
		falling[len(falling)-1-i] = 0
	}
	if summaryColumn(falling, g, ignore) {
		t.Error("sums that fall decode")
	}

	totals, err := h.Totals(context.Background(), []attribute.Quark{status}, 0, end)
	if err != nil {
		t.Fatal(err)
	}
	want := []Total{{Int(0), 6667, 6667}, {Int(1), 6667, 6667}, {Int(2), 6666, 6666}}
	if !slices.Equal(totals[0], want) {
		t.Errorf("totals %v, want %v", totals[0], want)
	}
}
