package query

import (
	"context"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
)

// momentBatch is how many intervals of one attribute Moments reads at once.
const momentBatch = 256

// Moments yields what attributes are together, from one change of any of them to the next, from begin
// until before end, local ns, as far as the history reaches. values are by attribute, null for
// attribute.None, and only good until yield returns. It stops when yield returns false, and after limit
// moments; done is whether nothing was left out because of that limit.
func Moments(ctx context.Context, h *history.History, qs []attribute.Quark, begin, end int64, limit int, yield func(values []history.Value) bool) (done bool, err error) {
	start, reach := h.Bounds()
	begin, end = max(begin, start), min(end, reach)
	follow := make([]follower, len(qs))
	for i, q := range qs {
		follow[i].quark = q
	}
	values := make([]history.Value, len(qs))
	for t := begin; t < end; limit-- {
		if limit == 0 {
			return false, nil
		}
		next := end
		for i := range follow {
			iv, err := follow[i].at(ctx, h, t, end)
			if err != nil {
				return false, err
			}
			values[i], next = iv.Value, min(next, iv.End)
		}
		if !yield(values) {
			return true, nil
		}
		t = next
	}
	return true, nil
}

// A follower goes through the intervals of one attribute.
type follower struct {
	quark attribute.Quark
	ahead []history.Interval
}

// at is the interval that holds t, which must not go back.
func (f *follower) at(ctx context.Context, h *history.History, t, end int64) (history.Interval, error) {
	if f.quark == attribute.None {
		return history.Interval{Value: history.Null(), Start: t, End: end}, nil
	}
	for len(f.ahead) > 0 && f.ahead[0].End <= t {
		f.ahead = f.ahead[1:]
	}
	if len(f.ahead) > 0 {
		return f.ahead[0], nil
	}
	f.ahead = f.ahead[:0]
	err := h.Range(ctx, []attribute.Quark{f.quark}, t, end, func(iv history.Interval) bool {
		f.ahead = append(f.ahead, iv)
		return len(f.ahead) < momentBatch
	})
	if err != nil || len(f.ahead) == 0 {
		return history.Interval{Value: history.Null(), Start: t, End: end}, err
	}
	return f.ahead[0], nil
}
