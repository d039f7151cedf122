package query

import (
	"context"
	"slices"
	"strings"

	"synchroscope/internal/natural"
	"synchroscope/state/attribute"
	"synchroscope/state/history"
)

// An Attribute is one line of the state at a time.
type Attribute struct {
	Path  string `json:"path"`
	Value any    `json:"value"` // null, number, string or bool
	Begin int64  `json:"-"`     // of the interval, local ns
	End   int64  `json:"-"`
}

// fewPoints is how many attributes are asked one by one. Above it one pass over
// all of them is cheaper.
const fewPoints = 32

// All lists the attributes whose path matches pattern ("" or "*" forms as attribute.Tree.Match)
// at t, those without a value too, in order of path: numbers by their size.
func All(ctx context.Context, h *history.History, pattern string, t int64) ([]Attribute, error) {
	tree := h.Attributes()
	quarks := tree.Match(pattern)
	found := make([]history.Interval, len(quarks))
	if len(quarks) <= fewPoints {
		for i, q := range quarks {
			var err error
			if found[i], err = h.Point(ctx, q, t); err != nil {
				return nil, err
			}
		}
	} else if err := full(ctx, h, quarks, found, t); err != nil {
		return nil, err
	}
	all := make([]Attribute, len(quarks))
	for i, q := range quarks {
		iv, err := whole(ctx, h, found[i])
		if err != nil {
			return nil, err
		}
		all[i] = Attribute{tree.Full(q), plain(h, iv.Value), iv.Start, iv.End}
	}
	sortByPath(all)
	return all, nil
}

// full fills in the intervals of quarks, which ascend. Those that have not changed
// before t are asked one by one: the pass leaves them out.
func full(ctx context.Context, h *history.History, quarks []attribute.Quark, found []history.Interval, t int64) error {
	err := h.Full(ctx, t, func(iv history.Interval) bool {
		if i, ok := slices.BinarySearch(quarks, iv.Quark); ok {
			found[i] = iv
		}
		return true
	})
	if err != nil {
		return err
	}
	for i, q := range quarks {
		if found[i].Start < found[i].End {
			continue
		}
		if found[i], err = h.Point(ctx, q, t); err != nil {
			return err
		}
	}
	return nil
}

// plain is a value as a Go value: nil, int64, float64, string or bool.
func plain(h *history.History, v history.Value) any {
	if n, ok := v.Int(); ok {
		return n
	}
	if x, ok := v.Float(); ok {
		return x
	}
	if b, ok := v.Bool(); ok {
		return b
	}
	if v.IsString() {
		return h.String(v)
	}
	return nil
}

func sortByPath(all []Attribute) {
	slices.SortFunc(all, func(a, b Attribute) int {
		return slices.CompareFunc(strings.Split(a.Path, "/"), strings.Split(b.Path, "/"), natural.Compare)
	})
}
