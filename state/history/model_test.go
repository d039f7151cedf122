package history_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
)

// A model is a history as one would write it down without thinking: all
// intervals in a list.
type model struct {
	start int64
	now   []history.Interval // by quark; End is unused
	birth []int64            // by quark, -1 if unborn
	past  []history.Interval
}

func newModel(start int64) *model { return &model{start: start} }

func (m *model) clone() *model {
	return &model{m.start, slices.Clone(m.now), slices.Clone(m.birth), slices.Clone(m.past)}
}

func (m *model) at(q attribute.Quark) *history.Interval {
	for len(m.now) <= int(q) {
		m.now = append(m.now, history.Interval{Quark: attribute.Quark(len(m.now)), Start: m.start})
		m.birth = append(m.birth, m.start-1)
	}
	return &m.now[q]
}

func (m *model) born(q attribute.Quark) bool { m.at(q); return m.birth[q] >= m.start }

func (m *model) modify(t int64, q attribute.Quark, v history.Value) {
	o := m.at(q)
	switch {
	case o.Value == v:
	case !m.born(q):
		m.birth[q], o.Start, o.Value = t, t, v
	case o.Start == t:
		if o.Value = v; m.birth[q] == t && v.IsNull() {
			m.birth[q], o.Start = m.start-1, m.start
		} else if i := slices.IndexFunc(m.past, func(iv history.Interval) bool { return iv.Quark == q && iv.End == t }); i >= 0 && m.past[i].Value == v {
			o.Start = m.past[i].Start // taken back
			m.past = slices.Delete(m.past, i, i+1)
		}
	default:
		m.past = append(m.past, history.Interval{Quark: q, Start: o.Start, End: t, Value: o.Value})
		o.Start, o.Value = t, v
	}
}

func (m *model) update(q attribute.Quark, v history.Value) {
	if o := m.at(q); o.Value != v {
		if !m.born(q) {
			m.birth[q] = m.start
		}
		o.Value = v
	}
}

// until lists all intervals before end, by quark and time, cut at end. The
// nulls before a birth are included if unborn.
func (m *model) until(end int64, unborn bool) []history.Interval {
	var all []history.Interval
	add := func(iv history.Interval) {
		if iv.End = min(iv.End, end); iv.Start < iv.End {
			all = append(all, iv)
		}
	}
	for _, iv := range m.past {
		add(iv)
	}
	for q := range m.now {
		if m.born(attribute.Quark(q)) {
			iv := m.now[q]
			iv.End = end
			add(iv)
		}
		if unborn {
			iv := history.Interval{Quark: attribute.Quark(q), Start: m.start, End: end}
			if m.born(attribute.Quark(q)) {
				iv.End = m.birth[q]
			}
			add(iv)
		}
	}
	slices.SortFunc(all, func(a, b history.Interval) int {
		return cmp.Or(cmp.Compare(a.Quark, b.Quark), cmp.Compare(a.Start, b.Start))
	})
	return all
}

// pixels is the brute force of a pixel query for one attribute: the time of
// every value in every column, -1 marking an instant shown by an empty column.
func pixels(all []history.Interval, q attribute.Quark, edges []int64) []map[history.Value]int64 {
	columns := make([]map[history.Value]int64, len(edges)-1)
	for c := range columns {
		for _, iv := range all {
			if iv.Quark != q {
				continue
			}
			s, e := max(iv.Start, edges[c]), min(iv.End, edges[c+1])
			instant := edges[c] == edges[c+1] && iv.Start <= edges[c] && edges[c] < iv.End
			if s < e || instant {
				if columns[c] == nil {
					columns[c] = make(map[history.Value]int64)
				}
				columns[c][iv.Value] += max(e-s, 0)
			}
		}
	}
	return columns
}

// verify compares every kind of query with the model.
func verify(t *rapid.T, h *history.History, m *model, end int64, quarks int) {
	ctx := context.Background()
	if s, e := h.Bounds(); s != m.start || e != end {
		t.Fatalf("bounds %d to %d, want %d to %d", s, e, m.start, end)
	}
	if quarks > 0 {
		m.at(attribute.Quark(quarks - 1))
	}
	all := m.until(end, true)
	qs := make([]attribute.Quark, quarks)
	for q := range qs {
		qs[q] = attribute.Quark(q)
	}
	span := end - m.start
	var a, b int64
	if span > 0 {
		a = m.start + rapid.Int64Range(0, span-1).Draw(t, "a")
		b = rapid.Int64Range(a, end+10).Draw(t, "b")
	}
	verifyRange(ctx, t, h, all, qs, m.start, end)
	verifyRange(ctx, t, h, all, qs, a, b)
	verifyPixels(ctx, t, h, all, qs, m.start, end)
	verifyTotals(ctx, t, h, all, qs, a, b)
	verifyTotals(ctx, t, h, all, qs, m.start-7, end+7)
	verifySampled(ctx, t, h, all, qs, a-rapid.Int64Range(0, 50).Draw(t, "early"), b, rapid.SampledFrom([]int64{1, 2, 13, 5000, 1 << 41}).Draw(t, "every"))
	for range min(quarks, 3) {
		verifyChanges(ctx, t, h, all, attribute.Quark(rapid.IntRange(0, quarks-1).Draw(t, "attribute")), a, m.start, end)
	}
	if span > 0 {
		verifyInstant(ctx, t, h, m, all, a, end)
		verifyInstant(ctx, t, h, m, all, m.start, end)
		verifyInstant(ctx, t, h, m, all, end-1, end)
	}
	if _, err := h.Point(ctx, 0, end); err == nil {
		t.Fatal("a point at the end, which is outside, gave no error")
	}
}

func verifyRange(ctx context.Context, t *rapid.T, h *history.History, all []history.Interval, qs []attribute.Quark, a, b int64) {
	var want, got []history.Interval
	for _, iv := range all {
		if iv.Start < b && iv.End > a {
			want = append(want, iv)
		}
	}
	if err := h.Range(ctx, qs, a, b, func(iv history.Interval) bool { got = append(got, iv); return true }); err != nil {
		t.Fatal(err)
	}
	if a >= b {
		want = nil
	}
	if !slices.Equal(got, want) {
		t.Fatalf("range %d to %d:\n got %v\nwant %v", a, b, got, want)
	}
}

func verifyInstant(ctx context.Context, t *rapid.T, h *history.History, m *model, all []history.Interval, at, end int64) {
	var full []history.Interval
	if err := h.Full(ctx, at, func(iv history.Interval) bool { full = append(full, iv); return true }); err != nil {
		t.Fatal(err)
	}
	var want []history.Interval
	for _, iv := range all {
		if iv.Start > at || iv.End <= at {
			continue
		}
		got, err := h.Point(ctx, iv.Quark, at)
		if err != nil {
			t.Fatal(err)
		}
		if got != iv {
			t.Fatalf("point %d of %d: got %v, want %v", at, iv.Quark, got, iv)
		}
		if m.born(iv.Quark) && m.birth[iv.Quark] <= at {
			want = append(want, iv)
		}
	}
	if !slices.Equal(full, want) {
		t.Fatalf("full %d:\n got %v\nwant %v", at, full, want)
	}
}

func verifyPixels(ctx context.Context, t *rapid.T, h *history.History, all []history.Interval, qs []attribute.Quark, start, end int64) {
	columns := rapid.IntRange(1, 12).Draw(t, "columns")
	edges := rapid.SliceOfN(rapid.Int64Range(start-3, end+3), columns+1, columns+1).Draw(t, "edges")
	if len(all) > 0 && rapid.Bool().Draw(t, "edges where intervals begin") {
		// Some of them twice, so that a column is empty: it shows what is there at its instant.
		for i := range edges {
			edges[i] = all[rapid.IntRange(0, len(all)-1).Draw(t, "interval")].Start
			if i > 0 && rapid.IntRange(0, 3).Draw(t, "twice") == 0 {
				edges[i] = edges[i-1]
			}
		}
	}
	slices.Sort(edges)
	runs, err := h.Pixels(ctx, qs, edges)
	if err != nil {
		t.Fatal(err)
	}
	verifyEachRow(ctx, t, h, qs, edges, runs)
	verifyEachRowOf(ctx, t, h, qs, edges, runs)
	verifyTogether(t, h, qs, edges, runs)
	for k, q := range qs {
		want := pixels(all, q, edges)
		got := make([]map[history.Value]int64, columns)
		for _, r := range runs[k] {
			if r.Mix != nil && (r.To != r.From+1 || len(r.Mix) < 2) {
				t.Fatalf("attribute %d: a mix of %d in columns %d to %d", q, len(r.Mix), r.From, r.To)
			}
			for c := r.From; c < r.To; c++ {
				if got[c] != nil {
					t.Fatalf("attribute %d: column %d is in two runs", q, c)
				}
				got[c] = make(map[history.Value]int64)
				for _, s := range r.Mix {
					got[c][s.Value] += s.Time
				}
				if r.Mix == nil {
					got[c][r.Value] = max(0, min(end, edges[c+1])-max(start, edges[c]))
				}
			}
		}
		for c := range want {
			if fmt.Sprint(got[c]) != fmt.Sprint(want[c]) {
				t.Fatalf("attribute %d, column %d of %v: got %v, want %v", q, c, edges, got[c], want[c])
			}
		}
	}
}

// verifyEachRow asks for the rows one at a time, some of them twice, in any order.
func verifyEachRow(ctx context.Context, t *rapid.T, h *history.History, qs []attribute.Quark, edges []int64, want [][]history.Run) {
	of := rapid.SliceOfN(rapid.IntRange(0, len(qs)-1), 1, 2*len(qs)).Draw(t, "rows")
	asked := make([]attribute.Quark, len(of))
	for k, i := range of {
		asked[k] = qs[i]
	}
	told := make([]bool, len(of))
	err := h.EachRow(ctx, asked, edges, func(k int, runs []history.Run) {
		if told[k] {
			t.Fatalf("row %d is told of twice", k)
		}
		told[k] = true
		if got := fmt.Sprint(runs); got != fmt.Sprint(want[of[k]]) {
			t.Fatalf("row %d of attribute %d: %v, want %v", k, asked[k], got, want[of[k]])
		}
	})
	if err != nil || slices.Contains(told, false) {
		t.Fatalf("of %d rows these are told of: %v, %v", len(of), told, err)
	}
}

// verifyEachRowOf asks for some values alone.
func verifyEachRowOf(ctx context.Context, t *rapid.T, h *history.History, qs []attribute.Quark, edges []int64, all [][]history.Run) {
	var seen []history.Value
	for _, runs := range all {
		for _, r := range runs {
			for _, s := range append([]history.Share{{Value: r.Value}}, r.Mix...) {
				if !slices.Contains(seen, s.Value) {
					seen = append(seen, s.Value)
				}
			}
		}
	}
	var of []history.Value
	if len(seen) > 0 {
		of = rapid.SliceOfN(rapid.SampledFrom(seen), 0, 3).Draw(t, "values")
	}
	err := h.EachRowOf(ctx, qs, edges, of, func(k int, runs []history.Run) {
		var want []history.Run
		for _, r := range all[k] {
			if r.Mix != nil {
				var mix []history.Share
				others := int64(0)
				for _, s := range r.Mix {
					if slices.Contains(of, s.Value) {
						mix = append(mix, s)
					} else {
						others += s.Time
					}
				}
				switch {
				case len(of) == 0:
					mix = []history.Share{{}}
				case others > 0:
					mix = append(mix, history.Share{Time: others})
				}
				r.Mix = mix
			}
			want = append(want, r)
		}
		if got := fmt.Sprint(runs); got != fmt.Sprint(want) {
			t.Fatalf("attribute %d, values %v: %v, want %v", qs[k], of, got, want)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

// gaps are the distances in time from one operation to the next.
var gaps = []int64{0, 0, 1, 1, 2, 7, 100, 5000, 1 << 20, 1 << 40}

func values(w *history.Writer) []history.Value {
	return []history.Value{
		history.Null(), history.Null(), history.Int(0), history.Int(1), history.Int(-5), history.Int(1 << 62), history.Float(0.5), history.Bool(true),
		w.Text([]byte("read")), w.Text([]byte("a longer name of a system call")),
	}
}

func TestModel(t *testing.T) {
	history.SplitCells(t, 4)
	all := t
	rapid.Check(t, func(t *rapid.T) {
		opts := history.Options{
			NodeSize:    rapid.SampledFrom([]int{512, 512, 600, 1024, 4096, 64 << 10}).Draw(t, "node size"),
			PageSize:    rapid.SampledFrom([]int{0, 0, 512, 4096}).Draw(t, "page size"),
			MaxChildren: rapid.SampledFrom([]int{2, 2, 3, 7, 50}).Draw(t, "fan-out"),
			Cache:       history.NewCache(rapid.SampledFrom([]int{0, 10_000, 1 << 20}).Draw(t, "cache")),
			Compress:    rapid.Bool().Draw(t, "compressed"),
		}
		history.DivideFrom(all, rapid.SampledFrom([]int{512 << 10, 512 << 10, 2048, 1024}).Draw(t, "parts"))
		history.TallyFrom(all, rapid.SampledFrom([]int{1 << 15, 10}).Draw(t, "tallied from"), 1<<17)
		quarks := rapid.SampledFrom([]int{1, 2, 5, 40, 200}).Draw(t, "attributes")
		calm := rapid.IntRange(1, 200).Draw(t, "calm") // one operation in so many is not a modify
		longest := rapid.IntRange(1, len(gaps)).Draw(t, "gaps")
		counter := rapid.Bool().Draw(t, "counter") // values that never repeat
		start := rapid.SampledFrom([]int64{0, -1000, 1_700_000_000_000_000_000}).Draw(t, "start")
		seed := rapid.Uint64().Draw(t, "seed")
		steps := rapid.IntRange(0, 3000).Draw(t, "steps")

		file := new(historytest.Memory)
		w, err := history.Create(file, start, opts)
		if err != nil {
			t.Fatal(err)
		}
		for q := range quarks {
			w.Attributes().Add(attribute.Root, fmt.Sprint(q))
		}
		m := newModel(start)
		now := start
		type saved struct {
			blob  []byte
			model *model
			now   int64
		}
		var point *saved
		random := func(n int) int {
			seed = seed*6364136223846793005 + 1442695040888963407
			return int(seed >> 33 % uint64(n))
		}
		choice := values(w)
		for range steps {
			now += gaps[random(longest)]
			q := attribute.Quark(random(quarks))
			v := choice[random(len(choice))]
			if counter && random(2) == 0 {
				v = history.Int(int64(random(1 << 30)))
			}
			if random(calm+1) > 0 {
				if err := w.Modify(now, q, v); err != nil {
					t.Fatal(err)
				}
				m.modify(now, q, v)
				continue
			}
			switch random(8) {
			case 0, 1:
				w.Publish(now)
				if random(4) == 0 {
					verify(t, w.History(), m, now, quarks)
				}
			case 2:
				if err := w.Remove(now, q); err != nil {
					t.Fatal(err)
				}
				m.modify(now, q, history.Null())
			case 3:
				if err := w.Update(q, v); err != nil {
					t.Fatal(err)
				}
				m.update(q, v)
			case 4, 5:
				blob, err := w.Checkpoint()
				if err != nil {
					t.Fatal(err)
				}
				point = &saved{blob, m.clone(), now}
			case 6:
				for q := range attribute.Quark(quarks) { // all at once
					if err := w.Modify(now, q, v); err != nil {
						t.Fatal(err)
					}
					m.modify(now, q, v)
				}
			case 7:
				if point == nil {
					break
				}
				file = file.Clone()
				if w, err = history.Resume(file, point.blob); err != nil {
					t.Fatal(err)
				}
				m, now = point.model.clone(), point.now
				choice = values(w)
				if w.Attributes().Len() != quarks {
					t.Fatalf("%d attributes after resuming, want %d", w.Attributes().Len(), quarks)
				}
			}
		}
		w.Publish(now)
		verify(t, w.History(), m, now, quarks)
		reader := w.History()
		end := now + gaps[random(longest)]
		if err := w.Finish(end); err != nil {
			t.Fatal(err)
		}
		verify(t, reader, m, end, quarks)
		if err := history.Check(file); err != nil {
			t.Fatal(err)
		}
		again, err := history.OpenCached(file, opts.Cache)
		if err != nil {
			t.Fatal(err)
		}
		verify(t, again, m, end, quarks)
		for i, v := range values(w) {
			if v.IsString() && again.String(v) != w.History().String(v) {
				t.Fatalf("string %d is %q after opening", i, again.String(v))
			}
		}
	})
}
