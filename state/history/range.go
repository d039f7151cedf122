package history

import (
	"context"
	"slices"

	"synchroscope/state/attribute"
)

// Range yields all intervals of the given attributes that touch [begin, end), by
// quark and then time, clipped to nothing: Start and End are the true ones. It
// stops when yield returns false.
func (h *History) Range(ctx context.Context, qs []attribute.Quark, begin, end int64, yield func(Interval) bool) error {
	v := h.current.Load()
	begin, end = max(begin, v.start), min(end, v.end)
	qs = slices.Compact(slices.Sorted(slices.Values(qs)))
	for _, q := range qs {
		p := probe{ctx: ctx, file: h.file, view: v, quark: q}
		for t := begin; t < end; {
			if err := ctx.Err(); err != nil {
				return err
			}
			iv, ok := v.outer(q, t)
			if !ok {
				var err error
				if t == begin {
					iv, err = p.find(t)
				} else {
					iv, err = p.next(t)
				}
				if err != nil {
					return err
				}
			}
			if !yield(iv) {
				return nil
			}
			t = iv.End
		}
	}
	return nil
}
