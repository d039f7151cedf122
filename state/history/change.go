package history

import (
	"context"

	"synchroscope/state/attribute"
)

// NextChange returns the first interval of q that begins after t and whose value
// is wanted; a nil want takes any. It returns false if there is none up to the
// end. A t before the start is taken for the start, where nothing changes.
func (h *History) NextChange(ctx context.Context, q attribute.Quark, t int64, want func(Value) bool) (Interval, bool, error) {
	v := h.current.Load()
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
		if iv, err = p.next(iv.End); err == nil && (want == nil || want(iv.Value)) {
			return iv, true, nil
		}
	}
	return Interval{}, false, err
}

// PreviousChange returns the last interval of q that begins before t, but not at
// the start of the history, and whose value is wanted; a nil want takes any. It
// returns false if there is none.
func (h *History) PreviousChange(ctx context.Context, q attribute.Quark, t int64, want func(Value) bool) (Interval, bool, error) {
	v := h.current.Load()
	for t = min(t, v.end); t > v.start; {
		if err := ctx.Err(); err != nil {
			return Interval{}, false, err
		}
		p := probe{ctx: ctx, file: h.file, view: v, quark: q}
		iv, err := p.at(t - 1)
		if err != nil {
			return Interval{}, false, err
		}
		if iv.Start > v.start && (want == nil || want(iv.Value)) {
			return iv, true, nil
		}
		t = iv.Start
	}
	return Interval{}, false, nil
}

// at is find for any instant, stored or not.
func (p *probe) at(t int64) (Interval, error) {
	if iv, ok := p.view.outer(p.quark, t); ok {
		return iv, nil
	}
	return p.find(t)
}
