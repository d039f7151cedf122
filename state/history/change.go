package history

import (
	"context"

	"synchroscope/state/attribute"
)

// NextChange returns the first interval of q that begins after t with another value than the one before, and whose value
// is wanted; a nil want takes any. It returns false if there is none up to the
// end. A t before the start is taken for the start, where nothing changes.
func (h *History) NextChange(ctx context.Context, q attribute.Quark, t int64, want func(Value) bool) (Interval, bool, error) {
	v := h.borrow()
	defer v.release()
	t = max(t, v.start)
	if t >= v.end {
		return Interval{}, false, nil
	}
	p := probe{ctx: ctx, file: h.file, view: v, quark: q}
	iv, err := p.at(t)
	for err == nil && iv.End < v.end {
		if err = ctx.Err(); err != nil {
			break
		}
		before := iv.Value
		if iv, err = p.next(iv.End); err == nil && iv.Value != before && (want == nil || want(iv.Value)) {
			return iv, true, nil
		}
	}
	return Interval{}, false, err
}

// PreviousChange returns the last interval of q that begins before t with another value than the one before it, and whose value is
// wanted; a nil want takes any. It returns false if there is none. At the start of the history nothing changes.
func (h *History) PreviousChange(ctx context.Context, q attribute.Quark, t int64, want func(Value) bool) (Interval, bool, error) {
	v := h.borrow()
	defer v.release()
	if t = min(t, v.end); t <= v.start {
		return Interval{}, false, nil
	}
	before := func(t int64) (Interval, error) {
		p := probe{ctx: ctx, file: h.file, view: v, quark: q}
		return p.at(t - 1)
	}
	iv, err := before(t)
	for err == nil && iv.Start > v.start {
		if err = ctx.Err(); err != nil {
			break
		}
		after := iv
		if iv, err = before(after.Start); err == nil && iv.Value != after.Value && (want == nil || want(after.Value)) {
			return after, true, nil
		}
	}
	return Interval{}, false, err
}

// at is find for any instant, stored or not.
func (p *probe) at(t int64) (Interval, error) {
	if iv, ok := p.view.outer(p.quark, t); ok {
		return iv, nil
	}
	return p.find(t)
}
