package partial

import (
	"context"
	"fmt"
	"slices"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
)

// A Router is a recorder that sends each attribute to one of two others, as
// declared. Both know all attributes and strings under the same numbers.
type Router struct {
	full      history.Recorder
	part      *Writer
	declared  func(path string) bool // partial
	isPartial []bool                 // by quark
}

// Route makes a recorder of two that have nothing yet, or that were resumed from checkpoints made one right after the other. declared tells by its path,
// as of [attribute.Tree.Full], whether an attribute goes to part.
func Route(full history.Recorder, part *Writer, declared func(path string) bool) (*Router, error) {
	all, some := full.Attributes(), part.Attributes()
	if some.Len() > all.Len() {
		return nil, fmt.Errorf("partial: the recorders cannot be two of one history: one has %d attributes, the other %d", all.Len(), some.Len())
	}
	for q := range attribute.Quark(some.Len()) {
		if all.Parent(q) != some.Parent(q) || all.Name(q) != some.Name(q) {
			return nil, fmt.Errorf("partial: the recorders cannot be two of one history: attribute %d is %s here and %s there", q, all.Full(q), some.Full(q))
		}
	}
	r := &Router{full: full, part: part, declared: declared}
	part.beside = func(t int64) {
		r.follow() // a replay makes attributes that have no state, too
		full.Publish(t)
	}
	return r, nil
}

// Attributes is the tree of all attributes.
func (r *Router) Attributes() *attribute.Tree { return r.full.Attributes() }

// Text interns s in both.
func (r *Router) Text(s []byte) history.Value {
	r.part.Text(s)
	return r.full.Text(s)
}

// of is the recorder of q.
func (r *Router) of(q attribute.Quark) history.Recorder {
	r.follow()
	if q >= 0 && int(q) < len(r.isPartial) && r.isPartial[q] {
		return r.part
	}
	return r.full
}

// follow gives part the attributes that full has got.
func (r *Router) follow() {
	tree := r.full.Attributes()
	for len(r.isPartial) < tree.Len() {
		q := attribute.Quark(len(r.isPartial))
		r.part.Attributes().Add(tree.Parent(q), tree.Name(q))
		r.isPartial = append(r.isPartial, r.declared(tree.Full(q)))
	}
}

// Modify gives q the value v from t on.
func (r *Router) Modify(t int64, q attribute.Quark, v history.Value) error {
	if err := r.part.begun(q); err != nil {
		return err
	}
	return r.of(q).Modify(t, q, v)
}

// Update replaces the ongoing value of q: of an attribute of the full history, back to where its interval began.
func (r *Router) Update(q attribute.Quark, v history.Value) error {
	if err := r.part.begun(q); err != nil {
		return err
	}
	to := r.of(q)
	if to == r.full && q >= 0 && int(q) < len(r.isPartial) && !r.part.ended {
		if was, since := r.full.Ongoing(q); was != v {
			if err := r.part.correct(q, was, since); err != nil {
				return err
			}
		}
	}
	return to.Update(q, v)
}

// Ongoing is the value q has now, and since when.
func (r *Router) Ongoing(q attribute.Quark) (history.Value, int64) { return r.of(q).Ongoing(q) }

// Publish does nothing: each checkpoint of the partial history shows readers what lies before it, of both.
func (r *Router) Publish(int64) {}

// Finish ends both.
func (r *Router) Finish(end int64) error {
	r.follow()
	if err := r.full.Finish(end); err != nil {
		return err
	}
	return r.part.Finish(end)
}

// A Joined is a reader of what a Router has recorded.
type Joined struct {
	full      history.Reader
	part      *History
	isPartial func(q attribute.Quark) bool
}

// Join reads a full and a partial history as one. declared is what Route was given.
// A replay for part finds the state of all attributes, full ones included, as they were known to be at its checkpoint: if Update has corrected them
// since, it finds what was before. So a partial attribute may depend on any full one.
func Join(full history.Reader, part *History, declared func(path string) bool) *Joined {
	part.full = full
	tree := full.Attributes()
	return &Joined{full, part, func(q attribute.Quark) bool { return q >= 0 && declared(tree.Full(q)) }}
}

func (j *Joined) of(q attribute.Quark) history.Reader {
	if j.isPartial(q) {
		return j.part
	}
	return j.full
}

// Attributes is the tree of all attributes.
func (j *Joined) Attributes() *attribute.Tree { return j.full.Attributes() }

// Bounds are the start and until when all attributes are known.
func (j *Joined) Bounds() (start, end int64) {
	start, end = j.full.Bounds()
	_, part := j.part.Bounds()
	return start, min(end, part)
}

// String resolves a string value.
func (j *Joined) String(v history.Value) string { return j.full.String(v) }

// Point returns the interval of q that holds t.
func (j *Joined) Point(ctx context.Context, q attribute.Quark, t int64) (history.Interval, error) {
	return j.of(q).Point(ctx, q, t)
}

// Full yields the interval that holds t of every attribute, by quark.
func (j *Joined) Full(ctx context.Context, t int64, yield func(history.Interval) bool) error {
	var all []history.Interval
	for _, r := range []history.Reader{j.full, j.part} {
		err := r.Full(ctx, t, func(iv history.Interval) bool {
			if j.of(iv.Quark) == r {
				all = append(all, iv)
			}
			return true
		})
		if err != nil {
			return err
		}
	}
	slices.SortFunc(all, func(a, b history.Interval) int { return int(a.Quark) - int(b.Quark) })
	for _, iv := range all {
		if !yield(iv) {
			return nil
		}
	}
	return nil
}

// Range yields all intervals of the given attributes that touch [begin, end), by quark and then time.
func (j *Joined) Range(ctx context.Context, qs []attribute.Quark, begin, end int64, yield func(history.Interval) bool) error {
	more := true
	for _, q := range slices.Compact(slices.Sorted(slices.Values(qs))) {
		err := j.of(q).Range(ctx, []attribute.Quark{q}, begin, end, func(iv history.Interval) bool {
			more = yield(iv)
			return more
		})
		if err != nil || !more {
			return err
		}
	}
	return nil
}

// Sampled yields the intervals that hold certain instants, by quark and then time.
func (j *Joined) Sampled(ctx context.Context, qs []attribute.Quark, begin, end, every int64, yield func(history.Interval) bool) error {
	return history.Sample(ctx, j, qs, begin, end, every, yield)
}

// Pixels reduces each attribute to columns.
func (j *Joined) Pixels(ctx context.Context, qs []attribute.Quark, edges []int64) ([][]history.Run, error) {
	return split(j, qs, func(r history.Reader, qs []attribute.Quark) ([][]history.Run, error) { return r.Pixels(ctx, qs, edges) })
}

// Totals returns what each attribute was from begin until before end.
func (j *Joined) Totals(ctx context.Context, qs []attribute.Quark, begin, end int64) ([][]history.Total, error) {
	return split(j, qs, func(r history.Reader, qs []attribute.Quark) ([][]history.Total, error) {
		return r.Totals(ctx, qs, begin, end)
	})
}

// Alive returns the attributes that are not null all of the time, in the order given.
func (j *Joined) Alive(ctx context.Context, qs []attribute.Quark, begin, end int64) ([]attribute.Quark, error) {
	return history.Alive(ctx, j, qs, begin, end)
}

// NextChange returns the first wanted interval of q that begins after t.
func (j *Joined) NextChange(ctx context.Context, q attribute.Quark, t int64, want func(history.Value) bool) (history.Interval, bool, error) {
	return j.of(q).NextChange(ctx, q, t, want)
}

// PreviousChange returns the last wanted interval of q that begins before t.
func (j *Joined) PreviousChange(ctx context.Context, q attribute.Quark, t int64, want func(history.Value) bool) (history.Interval, bool, error) {
	return j.of(q).PreviousChange(ctx, q, t, want)
}

// split asks each reader for its attributes, and returns the answers in the order of qs.
func split[T any](j *Joined, qs []attribute.Quark, ask func(r history.Reader, qs []attribute.Quark) ([]T, error)) ([]T, error) {
	answers := make([]T, len(qs))
	for _, r := range []history.Reader{j.full, j.part} {
		var some []attribute.Quark
		var of []int
		for i, q := range qs {
			if j.of(q) == r {
				some, of = append(some, q), append(of, i)
			}
		}
		if len(some) == 0 {
			continue
		}
		got, err := ask(r, some)
		if err != nil {
			return nil, err
		}
		for k, i := range of {
			answers[i] = got[k]
		}
	}
	return answers, nil
}
