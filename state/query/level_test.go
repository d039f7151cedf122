package query_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
	"synchroscope/state/query"
)

// tree is a history in which Threads/0 to Threads/29 have names, the last two of them strange, and a counter changes each 10 ns.
func tree(t *testing.T) *history.History {
	t.Helper()
	w, err := history.Create(new(historytest.Memory), 0, history.Options{NodeSize: 512, MaxChildren: 2})
	if err != nil {
		t.Fatal(err)
	}
	set := func(now int64, v history.Value, path ...string) {
		t.Helper()
		if err := w.Modify(now, w.Attributes().Path(path...), v); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 30 {
		set(0, history.Int(int64(i%8)), "Threads", fmt.Sprint(i))
		set(0, w.Text(fmt.Appendf(nil, "Worker%d", i/10)), "Threads", fmt.Sprint(i), "Name")
	}
	set(0, history.Int(1), "Odd", `a/b\c`, "*")
	for now := int64(10); now < 100; now += 10 {
		set(now, history.Int(now), "Counter")
	}
	if err := w.Finish(100); err != nil {
		t.Fatal(err)
	}
	return w.History()
}

func names(items []query.Item) string {
	var out []string
	for _, i := range items {
		out = append(out, fmt.Sprintf("%s=%v(%d)", i.Name, i.Value, i.Children))
	}
	return strings.Join(out, " ")
}

// A level is listed page by page in order of number, from a place or about a name.
func TestLevel(t *testing.T) {
	h, ctx := tree(t), context.Background()
	for _, c := range []struct {
		path        string
		from, limit int
		near        string
		want        string
		first       int
		total       int
	}{
		{"", 0, 10, "", "Counter=50(0) Odd=<nil>(1) Threads=<nil>(30)", 0, 3},
		{"Threads", 8, 3, "", "8=0(1) 9=1(1) 10=2(1)", 8, 30},
		{"Threads", 0, 4, "22", "20=4(1) 21=5(1) 22=6(1) 23=7(1)", 20, 30},
		{"Threads", 28, 100, "none", "28=4(1) 29=5(1)", 28, 30},
		{"Threads", 99, 5, "", "", 99, 30},
		{"Threads/7", 0, 5, "", "Name=Worker0(0)", 0, 1},
		{`Odd/a\/b\\c`, 0, 5, "", "*=1(0)", 0, 1},
	} {
		q, err := query.Find(h.Attributes(), c.path)
		if err != nil {
			t.Fatalf("%q: %v", c.path, err)
		}
		items, first, total, err := query.Level(ctx, h, q, 55, c.from, c.limit, c.near)
		if err != nil || names(items) != c.want || first != c.first || total != c.total {
			t.Errorf("%q from %d: %s, first %d of %d, %v; want %s, %d of %d", c.path, c.from, names(items), first, total, err, c.want, c.first, c.total)
		}
	}
	for _, path := range []string{"Nothing", "Threads/", "/", "Threads/7/Name/x", `Odd/a\/b\\c/\`} {
		if _, err := query.Find(h.Attributes(), path); !errors.Is(err, query.ErrNoAttribute) {
			t.Errorf("%q is found: %v", path, err)
		}
	}
}

// A search finds names and texts in any case, and pages through what it finds in order of path.
func TestSearch(t *testing.T) {
	h, ctx := tree(t), context.Background()
	items, total, all, err := query.Search(ctx, h, "wORKER2", 55, 8, 5)
	if err != nil || total != 10 || !all || names(items) != "Name=Worker2(0) Name=Worker2(0)" || items[1].Path != "Threads/29/Name" {
		t.Errorf("%+v of %d, %v, %v", items, total, all, err)
	}
	var paths []string
	for from := 0; from < 30; from += 7 {
		items, total, all, err := query.Search(ctx, h, "worker", 55, from, 7)
		if err != nil || total != 30 || !all {
			t.Errorf("from %d: %d, %v, %v", from, total, all, err)
		}
		for _, i := range items {
			paths = append(paths, i.Path)
		}
	}
	for i, path := range paths {
		if want := fmt.Sprintf("Threads/%d/Name", i); path != want {
			t.Errorf("%s is found in the place of %s", path, want)
		}
	}
	if len(paths) != 30 {
		t.Errorf("the pages have %d, want 30", len(paths))
	}
	items, total, _, err = query.Search(ctx, h, "count", 55, 0, 5)
	if err != nil || total != 1 || names(items) != "Counter=50(0)" || items[0].Begin != 50 || items[0].End != 60 {
		t.Errorf("%+v of %d, %v", items, total, err)
	}
}

// From change to change one gets to both ends, and no farther.
func TestChange(t *testing.T) {
	h, ctx := tree(t), context.Background()
	q, err := query.Find(h.Attributes(), "Counter")
	if err != nil {
		t.Fatal(err)
	}
	for _, back := range []bool{false, true} {
		var seen []int64
		for now := int64(55); ; {
			item, ok, err := query.Change(ctx, h, q, now, back)
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				break
			}
			now = item.Begin
			seen = append(seen, now)
		}
		want := "[60 70 80 90]"
		if back {
			want = "[50 40 30 20 10]"
		}
		if fmt.Sprint(seen) != want {
			t.Errorf("back %v: changes at %v, want %s", back, seen, want)
		}
	}
}
