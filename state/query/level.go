package query

import (
	"context"
	"errors"
	"slices"
	"strings"

	"synchroscope/internal/natural"
	"synchroscope/state/attribute"
	"synchroscope/state/history"
)

// An Item is an attribute as one line of a tree: what it holds at a time, and how many are below it.
type Item struct {
	Name     string `json:"name"`
	Path     string `json:"path"`
	Value    any    `json:"value"` // null, number, string or bool
	Children int    `json:"children"`
	Begin    int64  `json:"-"` // of the interval, local ns
	End      int64  `json:"-"`
}

// ErrNoAttribute is what a path that names nothing gives.
var ErrNoAttribute = errors.New("no such attribute")

// Find returns the quark of a path as attribute.Tree.Full writes it; the empty one is that of the root.
func Find(tree *attribute.Tree, path string) (attribute.Quark, error) {
	if path == "" {
		return attribute.Root, nil
	}
	q := attribute.Root
	var name strings.Builder
	step := func() error {
		child := tree.Child(q, name.String())
		name.Reset()
		if child == attribute.None {
			return ErrNoAttribute
		}
		q = child
		return nil
	}
	escaped := false
	for i := range len(path) {
		switch c := path[i]; {
		case !escaped && c == '\\':
			escaped = true
			continue
		case !escaped && c == '/':
			if err := step(); err != nil {
				return attribute.None, err
			}
			continue
		default:
			name.WriteByte(c)
		}
		escaped = false
	}
	return q, step()
}

// Level lists limit children of an attribute at t, local ns, from the from-th on in natural order of
// their names; total is how many there are. Where one is called near, the page that it stands on takes the place of from. first is
// the place of the first one listed.
func Level(ctx context.Context, h *history.History, parent attribute.Quark, t int64, from, limit int, near string) (items []Item, first, total int, err error) {
	tree := h.Attributes()
	children := tree.Children(parent)
	type named struct {
		quark attribute.Quark
		name  string
	}
	sorted := make([]named, len(children))
	for i, q := range children {
		sorted[i] = named{q, tree.Name(q)}
	}
	slices.SortFunc(sorted, func(a, b named) int { return natural.Compare(a.name, b.name) })
	if i := slices.IndexFunc(sorted, func(n named) bool { return near != "" && n.name == near }); i >= 0 {
		from = i / limit * limit
	}
	quarks := children[:0]
	for _, n := range sorted[min(from, len(sorted)):min(from+limit, len(sorted))] {
		quarks = append(quarks, n.quark)
	}
	items, err = itemsOf(ctx, h, quarks, t)
	return items, from, len(sorted), err
}

// searched is how many attributes a search finds at most.
const searched = 5000

// Search lists attributes whose name, or value at t where that is a text, contains words in any case: limit of them from
// the from-th on, in order of path. total is how many there are; where all is false there are more than it could find.
func Search(ctx context.Context, h *history.History, words string, t int64, from, limit int) (items []Item, total int, all bool, err error) {
	words = strings.ToLower(words)
	tree := h.Attributes()
	found := make(map[attribute.Quark]struct{})
	for q := range attribute.Quark(tree.Len()) {
		if q%(1<<14) == 0 && ctx.Err() != nil {
			return nil, 0, false, ctx.Err()
		}
		if strings.Contains(strings.ToLower(tree.Name(q)), words) {
			found[q] = struct{}{}
		}
		if len(found) > searched {
			break
		}
	}
	texts := make(map[history.Value]bool)
	err = h.Full(ctx, t, func(iv history.Interval) bool {
		if !iv.Value.IsString() {
			return true
		}
		has, known := texts[iv.Value]
		if !known {
			has = strings.Contains(strings.ToLower(h.String(iv.Value)), words)
			texts[iv.Value] = has
		}
		if has {
			found[iv.Quark] = struct{}{}
		}
		return len(found) <= searched
	})
	if err != nil {
		return nil, 0, false, err
	}
	lines := make([]Attribute, 0, len(found))
	quark := make(map[string]attribute.Quark, len(found))
	for q := range found {
		path := tree.Full(q)
		quark[path] = q
		lines = append(lines, Attribute{Path: path})
	}
	sortByPath(lines)
	all = len(lines) <= searched
	lines = lines[:min(len(lines), searched)]
	var quarks []attribute.Quark
	for _, l := range lines[min(from, len(lines)):min(from+limit, len(lines))] {
		quarks = append(quarks, quark[l.Path])
	}
	items, err = itemsOf(ctx, h, quarks, t)
	return items, len(lines), all, err
}

// itemsOf tells what attributes hold.
func itemsOf(ctx context.Context, h *history.History, quarks []attribute.Quark, t int64) ([]Item, error) {
	tree := h.Attributes()
	items := make([]Item, len(quarks))
	for i, q := range quarks {
		iv, err := h.Point(ctx, q, t)
		if err == nil {
			iv, err = whole(ctx, h, iv)
		}
		if err != nil {
			return nil, err
		}
		items[i] = Item{Name: tree.Name(q), Path: tree.Full(q), Value: plain(h, iv.Value), Children: len(tree.Children(q)), Begin: iv.Start, End: iv.End}
	}
	return items, nil
}

// Change finds the next change of an attribute after t, or the last before it, local ns. ok is false where there is none.
func Change(ctx context.Context, h *history.History, q attribute.Quark, t int64, back bool) (item Item, ok bool, err error) {
	change := h.NextChange
	if back {
		change = h.PreviousChange
	}
	iv, ok, err := change(ctx, q, t, nil)
	if err == nil && ok {
		iv, err = whole(ctx, h, iv)
	}
	if err != nil || !ok {
		return Item{}, false, err
	}
	tree := h.Attributes()
	return Item{Name: tree.Name(q), Path: tree.Full(q), Value: plain(h, iv.Value), Children: len(tree.Children(q)), Begin: iv.Start, End: iv.End}, true, nil
}
