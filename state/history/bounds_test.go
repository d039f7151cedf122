package history

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"synchroscope/internal/raced"
	"synchroscope/state/attribute"
)

// newcomers makes a tree in which one attribute after another comes, changes for a while beside the first, and has a last change at the end.
// In the second half spoil is called until it has done something.
func newcomers(t *testing.T, spoil func(*Writer) (done bool)) *growing {
	t.Helper()
	file := &growing{}
	w, err := Create(file, 0, Options{NodeSize: 512, MaxChildren: 4})
	if err != nil {
		t.Fatal(err)
	}
	now, done := int64(0), false
	for i := range 40 {
		q := w.Attributes().Path(fmt.Sprint("Row ", i))
		for k := range int64(300) {
			now += 1 + now%7
			if err := w.Modify(now, q, Int(now*k)); err != nil {
				t.Fatal(err)
			}
			if err := w.Modify(now, 0, Int(k)); err != nil {
				t.Fatal(err)
			}
			done = done || i >= 20 && spoil(w)
		}
	}
	if !done {
		t.Fatal("nothing was spoiled")
	}
	for q := range attribute.Quark(40) {
		if err := w.Modify(now+1, q, Null()); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Finish(now + 2); err != nil {
		t.Fatal(err)
	}
	return file
}

func unspoilt(*Writer) bool { return true }

// What an index says of the attributes of its children is verified, at every level.
func TestBoundsAreChecked(t *testing.T) {
	raced.Alone(t)
	if err := Check(newcomers(t, unspoilt)); err != nil {
		t.Fatal(err)
	}
	for level := 1; level <= 2; level++ {
		for what, spoil := range map[string]func(*child){
			"too few":  func(c *child) { c.greatest-- },
			"too many": func(c *child) { c.greatest++ },
			"too late": func(c *child) { c.least++; c.greatest++ },
		} {
			spoiled := newcomers(t, func(w *Writer) bool {
				children := w.open[level].children
				if len(children) == 0 {
					return false
				}
				spoil(&children[len(children)-1])
				return true
			})
			if err := Check(spoiled); err == nil || !strings.Contains(err.Error(), "its parent says") {
				t.Errorf("level %d, %s: %v", level, what, err)
			}
		}
	}
}

// counted is a File that knows which pages were read.
type counted struct {
	frozen
	read map[int64]bool
}

func (c *counted) ReadAt(p []byte, off int64) (int, error) {
	for at := off / minPageSize; at < (off+int64(len(p))+minPageSize-1)/minPageSize; at++ {
		c.read[at] = true
	}
	return c.frozen.ReadAt(p, off)
}

// Children that have none of the rows are not read.
func TestBoundsSpareReading(t *testing.T) {
	file := newcomers(t, unspoilt)
	c := &counted{file.frozen, make(map[int64]bool)}
	h, err := Open(c)
	if err != nil {
		t.Fatal(err)
	}
	clear(c.read)
	begin, end := h.Bounds()
	if _, err := h.Totals(context.Background(), []attribute.Quark{39}, begin, end); err != nil {
		t.Fatal(err)
	}
	if n, all := len(c.read), len(file.frozen)/minPageSize; n > all/10 {
		t.Errorf("%d of %d pages are read for the last of forty attributes", n, all)
	}
}
