package history_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"synchroscope/internal/raced"
	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
)

// A pair is a tree and the list of intervals that says what it should answer.
type pair struct {
	t    *testing.T
	opts history.Options
	file *historytest.Memory
	w    *history.Writer
	m    *model
	now  int64
}

func newPair(t *testing.T, start int64, attributes int, opts history.Options) *pair {
	p := &pair{t: t, opts: opts, file: new(historytest.Memory), m: newModel(start), now: start}
	var err error
	if p.w, err = history.Create(p.file, start, opts); err != nil {
		t.Fatal(err)
	}
	for q := range attributes {
		p.w.Attributes().Add(attribute.Root, fmt.Sprint(q))
	}
	return p
}

func (p *pair) set(q int, v history.Value) {
	if err := p.w.Modify(p.now, attribute.Quark(q), v); err != nil {
		p.t.Fatal(err)
	}
	p.m.modify(p.now, attribute.Quark(q), v)
}

// crash goes on from a checkpoint, after changes that are lost.
func (p *pair) crash() {
	blob, err := p.w.Checkpoint()
	if err != nil {
		p.t.Fatal(err)
	}
	for q := range min(p.w.Attributes().Len(), 100_000) {
		for _, v := range []history.Value{history.Int(-1), p.w.Text([]byte("lost"))} {
			if err := p.w.Modify(p.now+1+int64(q), attribute.Quark(q), v); err != nil {
				p.t.Fatal(err)
			}
		}
	}
	p.file = p.file.Clone()
	if p.w, err = history.Resume(p.file, blob); err != nil {
		p.t.Fatal(err)
	}
}

// compare publishes, and compares what is there so far.
func (p *pair) compare() {
	p.w.Publish(p.now)
	p.equal(p.w.History(), p.now)
}

// finish compares the finished tree, before and after it is opened anew, and checks it.
func (p *pair) finish(end int64) *history.History {
	if err := p.w.Finish(end); err != nil {
		p.t.Fatal(err)
	}
	p.equal(p.w.History(), end)
	if err := history.Check(p.file); err != nil {
		p.t.Fatal(err)
	}
	h, err := history.Open(p.file)
	if err != nil {
		p.t.Fatal(err)
	}
	p.equal(h, end)
	shallow(p.t, h)
	return h
}

// shallow wants no more levels than a tree of so many nodes has to have, and one: ⌈log(nodes)⌉ + 1.
func shallow(t *testing.T, h *history.History) {
	t.Helper()
	level := 0
	err := h.Blocks(context.Background(), func(b history.Block) bool {
		if b.Kind == "leaf" {
			level++
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	s, nodes := h.Stats(), max(level, 1)
	for above := true; above; above = level > 1 {
		level = (level + s.MaxChildren - 1) / s.MaxChildren
		nodes += level
	}
	if most := int(math.Ceil(math.Log(float64(nodes))/math.Log(float64(s.MaxChildren)))) + 1; s.Depth > most {
		t.Errorf("%d levels of %d nodes with %d children each", s.Depth, nodes, s.MaxChildren)
	}
}

// equal compares all intervals, and every kind of query about some attributes and instants.
func (p *pair) equal(h *history.History, end int64) {
	p.t.Helper()
	ctx := context.Background()
	if h.Attributes().Len() > 0 {
		p.m.at(attribute.Quark(h.Attributes().Len() - 1))
	}
	all := p.m.until(end, true)
	rows := make([][]history.Interval, len(p.m.now))
	some := 1
	if !h.Stats().Finished {
		some = len(rows)/1000 + 1 // each goes through what is in no block yet
	}
	var qs []attribute.Quark
	var of []history.Interval // qs
	for _, iv := range all {
		if rows[iv.Quark] = append(rows[iv.Quark], iv); int(iv.Quark)%some > 0 {
			continue
		}
		if len(rows[iv.Quark]) == 1 {
			qs = append(qs, iv.Quark)
		}
		of = append(of, iv)
	}
	i := 0
	err := h.Range(ctx, qs, p.m.start, end, func(iv history.Interval) bool {
		if i >= len(of) || iv != of[i] {
			p.t.Fatalf("interval %d is %v, want %v", i, iv, of[min(i, len(of)-1)])
		}
		i++
		return true
	})
	if err != nil || i != len(of) {
		p.t.Fatalf("%d intervals of %d: %v", i, len(of), err)
	}
	if end == p.m.start {
		return
	}
	chance := rand.New(rand.NewPCG(5, uint64(end)))
	instants := []int64{p.m.start, end - 1}
	for range 4 {
		instants = append(instants, p.m.start+chance.Int64N(end-p.m.start))
		if len(p.m.past) > 0 {
			iv := p.m.past[chance.IntN(len(p.m.past))]
			instants = append(instants, iv.End-1, iv.End)
		}
	}
	for _, t := range instants {
		if t < end {
			p.equalAt(ctx, h, rows, t)
		}
	}
	for range 30 {
		q := chance.IntN(len(rows))
		a, b := instants[chance.IntN(len(instants))], instants[chance.IntN(len(instants))]
		p.equalOf(ctx, h, rows[q], attribute.Quark(q), min(a, b), max(a, b)+1, end)
	}
}

// equalAt compares the snapshot of an instant, and points in it.
func (p *pair) equalAt(ctx context.Context, h *history.History, rows [][]history.Interval, t int64) {
	p.t.Helper()
	var want []history.Interval
	for q, row := range rows {
		i, found := slices.BinarySearchFunc(row, t, func(iv history.Interval, t int64) int {
			switch {
			case iv.End <= t:
				return -1
			case iv.Start > t:
				return 1
			}
			return 0
		})
		if !found {
			p.t.Fatalf("the list has no interval of %d at %d", q, t)
		}
		if p.m.born(attribute.Quark(q)) && p.m.birth[q] <= t {
			want = append(want, row[i])
		}
		if q%max(len(rows)/50, 1) == 0 {
			if got, err := h.Point(ctx, attribute.Quark(q), t); err != nil || got != row[i] {
				p.t.Fatalf("point %d of %d: %v, %v, want %v", t, q, got, err, row[i])
			}
		}
	}
	var got []history.Interval
	if err := h.Full(ctx, t, func(iv history.Interval) bool { got = append(got, iv); return true }); err != nil {
		p.t.Fatal(err)
	}
	if !slices.Equal(got, want) {
		p.t.Fatalf("full %d: %d intervals differ from %d", t, len(got), len(want))
	}
}

// mostOf bounds the intervals that equalOf looks at.
const mostOf = 3_000

// equalOf compares what is asked of one attribute from a until before b.
func (p *pair) equalOf(ctx context.Context, h *history.History, row []history.Interval, q attribute.Quark, a, b, end int64) {
	p.t.Helper()
	if i := slices.IndexFunc(row, func(iv history.Interval) bool { return iv.End > a }); i+mostOf < len(row) {
		b = min(b, row[i+mostOf].Start)
	}
	totals, err := h.Totals(ctx, []attribute.Quark{q}, a, b)
	if err != nil {
		p.t.Fatal(err)
	}
	want := make(map[history.Value]history.Total)
	for _, iv := range row {
		if s, e := max(iv.Start, a), min(iv.End, b); s < e {
			sum := want[iv.Value]
			want[iv.Value] = history.Total{Value: iv.Value, Time: sum.Time + e - s, Count: sum.Count + 1}
		}
	}
	for _, total := range totals[0] {
		if want[total.Value] != total {
			p.t.Fatalf("total of %d from %d to %d: %v, want %v", q, a, b, total, want[total.Value])
		}
	}
	if len(totals[0]) != len(want) {
		p.t.Fatalf("%d totals of %d from %d to %d, want %d", len(totals[0]), q, a, b, len(want))
	}
	edges := []int64{a - 1, a, a + (b-a)/3, a + (b-a)/2, b, b}
	slices.Sort(edges)
	runs, err := h.Pixels(ctx, []attribute.Quark{q}, edges)
	if err != nil {
		p.t.Fatal(err)
	}
	got := make([]map[history.Value]int64, len(edges)-1)
	for _, r := range runs[0] {
		for c := r.From; c < r.To; c++ {
			got[c] = make(map[history.Value]int64)
			for _, s := range r.Mix {
				got[c][s.Value] = s.Time
			}
			if r.Mix == nil {
				got[c][r.Value] = max(0, min(end, edges[c+1])-max(p.m.start, edges[c]))
			}
		}
	}
	for c, mix := range pixels(row, q, edges) {
		if len(got[c]) != len(mix) {
			p.t.Fatalf("column %d of %d by %v: %d values, want %d", c, q, edges, len(got[c]), len(mix))
		}
		for v, time := range mix {
			if got[c][v] != time {
				p.t.Fatalf("column %d of %d by %v: %v for %d ns, want %d", c, q, edges, v, got[c][v], time)
			}
		}
	}
	changed := changes(row, q, p.m.start)
	next := slices.IndexFunc(changed, func(iv history.Interval) bool { return iv.Start > a })
	iv, ok, err := h.NextChange(ctx, q, a, nil)
	if err != nil || ok != (next >= 0) || ok && iv != changed[next] {
		p.t.Fatalf("next change of %d after %d: %v, %t, %v", q, a, iv, ok, err)
	}
	previous := -1
	for i, iv := range changed {
		if iv.Start < b {
			previous = i
		}
	}
	iv, ok, err = h.PreviousChange(ctx, q, b, nil)
	if err != nil || ok != (previous >= 0) || ok && iv != changed[previous] {
		p.t.Fatalf("previous change of %d before %d: %v, %t, %v", q, b, iv, ok, err)
	}
}

// scaled is n, or a twentieth of it in a short run.
func scaled(n int) int {
	if testing.Short() {
		return n / 20
	}
	return n
}

// Up to a hundred thousand states end at one instant, again and again, and the tree
// does not become deeper than its number of leaves asks for.
func TestEqualEnds(t *testing.T) {
	raced.Alone(t)
	for n, opts := range map[int]history.Options{scaled(100_000): {}, scaled(20_000): {NodeSize: 4096, MaxChildren: 3}} {
		p := newPair(t, 0, n, opts)
		for round := range 5 {
			for q := range n {
				p.set(q, history.Int(int64(round*q)))
				if round == 2 {
					p.now++ // they begin apart, and end together
				}
			}
			p.now += 1000
			if round == 2 {
				p.crash()
			}
		}
		p.compare()
		h := p.finish(p.now + 5)
		crowded(t, h, opts.NodeSize > 0 && !testing.Short())
	}
}

// Many attributes, none of which says much.
func TestManyAttributes(t *testing.T) {
	raced.Alone(t)
	n := scaled(100_000)
	p := newPair(t, -1_000_000, n, history.Options{})
	chance := rand.New(rand.NewPCG(1, 9))
	for i := range 4 * n {
		p.now += chance.Int64N(3)
		p.set(chance.IntN(n), history.Int(chance.Int64N(6)-1))
		if i == 2*n {
			p.compare()
			p.crash()
		}
	}
	p.finish(p.now + 1)
}

// One attribute changes up to a million times, while others hardly do.
func TestOneBusyAttribute(t *testing.T) {
	raced.Alone(t)
	for name, busy := range map[string]struct {
		changes int
		value   func(i int) history.Value
	}{
		"few values":  {1_000_000, func(i int) history.Value { return history.Int(int64(i % 3)) }},
		"no two same": {300_000, func(i int) history.Value { return history.Float(float64(i) / 7) }},
	} {
		t.Run(name, func(t *testing.T) {
			n := scaled(busy.changes)
			p := newPair(t, 0, 5, history.Options{})
			p.set(0, history.Bool(true))
			for i := range n {
				p.now += 1 + int64(i%7)
				p.set(2, busy.value(i))
				if i%(n/3) == 7 {
					p.set(4, history.Int(int64(i)))
					p.crash()
				}
			}
			p.compare()
			h := p.finish(p.now + 1)
			totals, err := h.Totals(context.Background(), []attribute.Quark{2}, 0, p.now+1)
			if err != nil {
				t.Fatal(err)
			}
			time, count := int64(0), 0
			for _, total := range totals[0] {
				time, count = time+total.Time, count+int(total.Count)
			}
			for _, iv := range p.m.until(p.now+1, true) {
				if iv.Quark == 2 {
					count--
				}
			}
			if time != p.now+1 || count != 0 {
				t.Errorf("%d values take %d ns of %d, in %d intervals too many", len(totals[0]), time, p.now+1, count)
			}
		})
	}
}

// Gaps of 2^40 ns and more, up to the ends of time.
func TestFarApart(t *testing.T) {
	raced.Alone(t)
	for _, start := range []int64{0, math.MinInt64 / 4, 1_700_000_000_000_000_000} {
		p := newPair(t, start, 300, history.Options{NodeSize: 512, MaxChildren: 2})
		chance := rand.New(rand.NewPCG(2, 3))
		n := scaled(20_000)
		for i := range n {
			if i%4 == 0 {
				p.now += 1 << 40
			}
			if i == n/2 {
				p.now += 1 << 60
				p.crash()
			}
			p.set(chance.IntN(300), history.Int(chance.Int64N(1<<62)))
		}
		p.compare()
		p.finish(p.now + 1<<58)
	}
}

// Strings and names as long as they may be, and longer ones, which are cut.
func TestHugeStrings(t *testing.T) {
	raced.Alone(t)
	const limit = 1 << 20
	for _, size := range []int{512, 64 << 10, 512 << 10} {
		p := newPair(t, 0, 3, history.Options{NodeSize: size})
		var want []string
		for i, n := range []int{limit, 0, limit - 1, limit + 1, 1, 3 * limit, size, size - 48, limit} {
			s := strings.Repeat(string(rune('a'+i)), n)
			p.now += 100
			p.set(i%3, p.w.Text([]byte(s)))
			want = append(want, s[:min(n, limit)])
			if i == 3 {
				p.crash()
			}
		}
		h := p.finish(p.now + 100)
		for i, s := range want {
			iv, err := h.Point(context.Background(), attribute.Quark(i%3), int64(100*(i+1)))
			if err != nil || h.String(iv.Value) != s || !iv.Value.IsString() {
				t.Errorf("string %d of nodes of %d bytes: %d bytes, %v, want %d", i, size, len(h.String(iv.Value)), err, len(s))
			}
		}
	}
}

// Thousands of states stay open, as where the events that would have ended them were
// lost; others go on for long; then all become unknown at once.
func TestThousandsStayOpen(t *testing.T) {
	raced.Alone(t)
	const busy = 20
	open := scaled(5_000)
	for _, opts := range []history.Options{{}, {NodeSize: 1024, MaxChildren: 2}} {
		p := newPair(t, 0, open+busy, opts)
		for q := range open {
			p.now++
			p.set(busy+q, history.Int(int64(q)))
		}
		n := scaled(100_000)
		for i := range n {
			p.now += 10
			p.set(i%busy, history.Int(int64(i)))
			if i == n/5 {
				p.crash()
			}
		}
		for q := range open / 2 {
			p.set(busy+q, history.Null())
		}
		p.compare()
		for i := range 10_000 {
			p.now += 10
			p.set(i%busy, history.Int(int64(i)))
		}
		crowded(t, p.finish(p.now+1), opts.NodeSize > 0 && !testing.Short())
	}
}

// crowded wants the nodes named, or none, whose intervals that cross from child to child take many blocks. In a short run there are too few.
func crowded(t *testing.T, h *history.History, want bool) {
	t.Helper()
	crowds, err := h.Crowds(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(crowds) > 0 != want {
		t.Errorf("crowds: %v", crowds)
	}
	for _, c := range crowds {
		indexes, extents, intervals := 0, 0, 0
		var bounds []attribute.Quark
		err := h.Blocks(t.Context(), func(b history.Block) bool {
			switch {
			case b.Level != c.Level || b.Start < c.Start || b.End > c.End:
			case b.Number == c.Block && b.Kind == "index":
				indexes++
			case b.Kind == "extent":
				var quarks []attribute.Quark
				early := false // of the node before, at the end of which they all end
				if err := h.BlockIntervals(b.Number, func(iv history.Interval) bool {
					early = early || iv.Start < c.Start
					quarks = append(quarks, iv.Quark)
					return true
				}); err != nil {
					t.Fatal(err)
				}
				if !early {
					extents++
					intervals += b.Count
					bounds = append(bounds, quarks...)
				}
			}
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		if indexes != 1 || extents != c.Extents || intervals != c.Intervals || slices.Min(bounds) != c.Least || slices.Max(bounds) != c.Greatest {
			t.Errorf("%d index blocks, %d extents, %d intervals: %v", indexes, extents, intervals, c)
		}
	}
}

// No history is longer than 2^63-1 ns, in which every time and every sum of times has room.
func TestLongestHistory(t *testing.T) {
	for _, start := range []int64{math.MinInt64, -5, 0, 7} {
		latest := int64(math.MaxInt64)
		if start < 0 {
			latest = start + math.MaxInt64
		}
		w, err := history.Create(new(historytest.Memory), start, history.Options{})
		if err != nil {
			t.Fatal(err)
		}
		q := w.Attributes().Path("a")
		if err := w.Modify(start, q, history.Int(1)); err != nil {
			t.Fatal(err)
		}
		if latest < math.MaxInt64 {
			for what, err := range map[string]error{"change": w.Modify(latest+1, q, history.Int(3)), "end": w.Finish(latest + 1)} {
				if err == nil || !strings.Contains(err.Error(), "292 years") {
					t.Errorf("from %d a %s at %d: %v", start, what, latest+1, err)
				}
			}
		}
		if err := w.Modify(latest-1, q, history.Int(2)); err != nil {
			t.Fatal(err)
		}
		if err := w.Finish(latest); err != nil {
			t.Fatal(err)
		}
		totals, err := w.History().Totals(t.Context(), []attribute.Quark{q}, start, latest)
		if err != nil || len(totals[0]) != 2 || totals[0][0].Time != latest-1-start || totals[0][1].Time != 1 {
			t.Errorf("from %d: %v, %v", start, totals, err)
		}
	}
}

// What first changes at the end of time lasts for none, and what corrects it then is not known from the start; what is taken back there never changed.
func TestFirstChangeAtTheEndOfTime(t *testing.T) {
	var file historytest.Memory
	w, err := history.Create(&file, 0, history.Options{})
	if err != nil {
		t.Fatal(err)
	}
	memory := history.NewMemory(0)
	for _, x := range []struct {
		history.Recorder
		read history.Reader
	}{{w, w.History()}, {memory, memory}} {
		q, back := x.Attributes().Path("a"), x.Attributes().Path("b")
		if err := errors.Join(
			x.Modify(math.MaxInt64, q, history.Int(1)), x.Update(q, history.Int(2)),
			x.Modify(math.MaxInt64, back, history.Int(1)), x.Modify(math.MaxInt64, back, history.Null()), x.Update(back, history.Int(3)),
			x.Finish(math.MaxInt64),
		); err != nil {
			t.Fatal(err)
		}
		for _, at := range []int64{0, 7, math.MaxInt64 - 1} {
			if is, err := x.read.Point(t.Context(), q, at); err != nil || !is.Value.IsNull() {
				t.Errorf("%T: at %d it is %v, %v", x.read, at, is, err)
			}
			if is, err := x.read.Point(t.Context(), back, at); err != nil || is.Value != history.Int(3) {
				t.Errorf("%T: what was taken back is %v at %d, %v", x.read, is, at, err)
			}
		}
	}
	if err := history.Check(&file); err != nil {
		t.Error(err)
	}
}
