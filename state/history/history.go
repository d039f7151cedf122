// Package history stores state intervals in a tree file that is appended to
// and queried at the same time. docs/format/history.md describes the file.
package history

import (
	"context"

	"synchroscope/state/attribute"
)

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

type Options struct {
	NodeSize    int // bytes, 64 KiB if 0
	MaxChildren int // 50 if 0
}

// A Writer turns changes of state, in order of time, into a tree. It belongs
// to one goroutine; History gives readers for others.
type Writer struct{}

func Create(f File, start int64, opts Options) (*Writer, error) { panic("unbuilt") }

// Resume truncates f to a checkpoint made by Checkpoint and goes on from there.
func Resume(f File, checkpoint []byte) (*Writer, error) { panic("unbuilt") }

func (w *Writer) Attributes() *attribute.Tree { panic("unbuilt") }

// Text interns s in the tree's dictionary.
func (w *Writer) Text(s []byte) Value { panic("unbuilt") }

// Modify gives q the value v from t on. Equal values make no new interval; several
// changes at one time leave the last.
func (w *Writer) Modify(t int64, q attribute.Quark, v Value) error { panic("unbuilt") }

// Remove is Modify to null for q and everything below it.
func (w *Writer) Remove(t int64, q attribute.Quark) error { panic("unbuilt") }

// Update replaces the ongoing value of q without ending an interval.
func (w *Writer) Update(q attribute.Quark, v Value) error { panic("unbuilt") }

// Ongoing is the value q has now, and since when.
func (w *Writer) Ongoing(q attribute.Quark) (v Value, since int64) { panic("unbuilt") }

// Publish makes everything before t visible to readers, exactly.
func (w *Writer) Publish(t int64) { panic("unbuilt") }

// Checkpoint makes all sealed nodes durable (fdatasync) and returns what Resume
// needs: counts, the open branch, the ongoing values, attributes and strings added.
func (w *Writer) Checkpoint() ([]byte, error) { panic("unbuilt") }

// Finish ends every ongoing interval at end, writes the rest and a trailer, and syncs.
func (w *Writer) Finish(end int64) error { panic("unbuilt") }

// History is the reading side, valid during the build and after Finish.
func (w *Writer) History() *History { panic("unbuilt") }

// A History answers queries from any number of goroutines.
type History struct{}

// Open reads a finished tree.
func Open(f File) (*History, error) { panic("unbuilt") }

func (h *History) Attributes() *attribute.Tree { panic("unbuilt") }

// Bounds are the tree's start and the published watermark (the end once finished).
func (h *History) Bounds() (start, end int64) { panic("unbuilt") }

// String resolves a string value.
func (h *History) String(v Value) string { panic("unbuilt") }

// Point returns the interval of q that holds t.
func (h *History) Point(ctx context.Context, q attribute.Quark, t int64) (Interval, error) {
	panic("unbuilt")
}

// Full yields the interval that holds t of every attribute that has one, by quark.
func (h *History) Full(ctx context.Context, t int64, yield func(Interval) bool) error {
	panic("unbuilt")
}

// Range yields all intervals of the given attributes that touch [begin, end), by
// quark and then time, clipped to nothing: Start and End are the true ones.
func (h *History) Range(ctx context.Context, qs []attribute.Quark, begin, end int64, yield func(Interval) bool) error {
	panic("unbuilt")
}

// A Run is a stretch of columns [From, To) of one row. Either the attribute had
// one Value throughout and Mix is nil, or From+1 == To and Mix has the exact time of each
// value in that column. What is outside the tree's bounds is in no run.
type Run struct {
	From, To int32
	Value    Value
	Mix      []Share
}

// A Share is the time in ns an attribute spent in a value.
type Share struct {
	Value Value
	Time  int64
}

// Pixels reduces each attribute to columns: column i is [edges[i], edges[i+1]) in local
// ns, edges ascending (equal ones make an empty column). runs[k] belongs to qs[k].
func (h *History) Pixels(ctx context.Context, qs []attribute.Quark, edges []int64) (runs [][]Run, err error) {
	panic("unbuilt")
}
