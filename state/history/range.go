package history

import (
	"context"
	"fmt"
	"slices"

	"synchroscope/state/attribute"
)

// Range yields all intervals of the given attributes that touch [begin, end), by
// quark and then time, clipped to nothing: Start and End are the true ones. It
// stops when yield returns false.
func (h *History) Range(ctx context.Context, qs []attribute.Quark, begin, end int64, yield func(Interval) bool) error {
	return h.Sampled(ctx, qs, begin, end, 1, yield)
}

// Sampled is Range for the intervals alone that hold an instant begin + n·every,
// n = 0, 1, ...; every is at least 1 ns. The work follows the number of instants.
func (h *History) Sampled(ctx context.Context, qs []attribute.Quark, begin, end, every int64, yield func(Interval) bool) error {
	if every < 1 {
		return fmt.Errorf("history: instants %d ns apart", every)
	}
	v := h.borrow()
	defer v.release()
	end = min(end, v.end)
	if begin < v.start {
		if end <= v.start {
			return nil
		}
		past := (uint64(v.start) - uint64(begin)) % uint64(every)
		if begin = v.start; past > 0 {
			if uint64(every)-past >= uint64(end)-uint64(begin) {
				return nil
			}
			begin += every - int64(past)
		}
	}
	qs = slices.Compact(slices.Sorted(slices.Values(qs)))
	for _, q := range qs {
		p := probe{ctx: ctx, file: h.file, view: v, quark: q}
		for t, follows := begin, false; t < end; {
			if err := ctx.Err(); err != nil {
				return err
			}
			iv, ok := v.outer(q, t)
			if !ok {
				var err error
				if follows {
					iv, err = p.next(t)
				} else {
					iv, err = p.find(t)
				}
				if err != nil {
					return err
				}
			}
			if !yield(iv) {
				return nil
			}
			past := (every - (iv.End-begin)%every) % every
			if iv.End > end-past {
				break
			}
			t, follows = iv.End+past, past == 0
		}
	}
	return nil
}
