package history_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"synchroscope/internal/raced"
	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
)

// A layout is what may differ between two trees of the same changes.
type layout struct {
	opts    history.Options
	kills   int // at random instants, each resumed from the newest checkpoint
	publish int // once in so many changes
	cells   int // above so many, pixels are made by two
	many    int // above so many, intervals of a block are added up column by column
	parts   int // bytes of a part of a leaf at most; 0 for as many as usual
	far     int // from that attribute on, what grows with the attributes is not in memory; 0 for none
}

func (l layout) String() string {
	return fmt.Sprintf("node %d page %d children %d compressed %v kills %d publish %d many %d parts %d far %d", l.opts.NodeSize, l.opts.PageSize, l.opts.MaxChildren, l.opts.Compress, l.kills, l.publish, l.many, l.parts, l.far)
}

// divide has leaves of parts as l says.
func (l layout) divide(t *testing.T) {
	if l.parts > 0 {
		history.DivideFrom(t, l.parts)
	}
}

// A deed is one change of a story.
type deed struct {
	at    int64
	path  []string
	kind  int // 0 to 6 modify, else as in do
	value int
}

// story makes changes of all kinds: of attributes that are busy, and that are not,
// that begin late, end together, or count, and stretches in which all comes again and again.
func story(seed uint64, length int) []deed {
	chance := rand.New(rand.NewPCG(seed, 11))
	deeds := make([]deed, length)
	now := int64(1000)
	for i := range deeds {
		now += []int64{0, 0, 1, 3, 50, 50, 2000}[chance.IntN(7)]
		if chance.IntN(2000) == 0 {
			now += 1 << 40
		}
		// Half of the changes are of a tenth of the attributes.
		row := chance.IntN(60)
		if chance.IntN(2) == 0 {
			row = chance.IntN(6)
		}
		if row > i/20 {
			row %= i/20 + 1
		}
		if i/400%3 == 2 {
			now += 50
			deeds[i] = deed{now, []string{"Threads", fmt.Sprint(i % 3), "Status"}, 0, 6 + i%5}
			continue
		}
		path := []string{"Threads", fmt.Sprint(row), []string{"Status", "Call", "CPU"}[chance.IntN(3)]}
		deeds[i] = deed{now, path, chance.IntN(14), chance.IntN(12)}
		if deeds[i].kind >= 10 {
			deeds[i].path = path[:2]
		}
	}
	return deeds
}

// do makes one change.
func (d deed) do(w *history.Writer) (err error) {
	q := w.Attributes().Path(d.path...)
	value := history.Int(int64(d.value))
	switch d.value {
	case 0, 1:
		value = history.Null()
	case 2:
		value = w.Text([]byte("futex"))
	case 3:
		value = w.Text([]byte("epoll_wait " + d.path[1]))
	case 4:
		value = history.Float(0.25)
	case 5:
		value = history.Bool(true)
	}
	switch {
	case d.kind < 7:
		return w.Modify(d.at, q, value)
	case d.kind == 7:
		return w.Update(q, value)
	case d.kind < 10:
		if v, _ := w.Ongoing(q); v.Kind() != history.KindInt && !v.IsNull() {
			return nil
		}
		return w.Increment(d.at, q, int64(d.value))
	case d.kind == 10:
		return w.Remove(d.at, q)
	case d.kind < 13:
		return w.Push(d.at, w.Attributes().Add(q, "Stack"), value)
	}
	_, _, err = w.Pop(d.at, w.Attributes().Add(q, "Stack"))
	return err
}

// told makes the tree of a story in a layout. Of a writer that is killed all is lost but what it had synced, and any part of what it had not.
func told(t *testing.T, deeds []deed, l layout) (*history.History, *historytest.Memory) {
	chance := rand.New(rand.NewPCG(uint64(l.kills), 5))
	file := new(historytest.Disk)
	w, err := history.Create(file, 1000, l.opts)
	if err != nil {
		t.Fatal(err)
	}
	blob, err := w.Checkpoint()
	if err != nil {
		t.Fatal(err)
	}
	saved := 0
	for i, kills := 0, l.kills; i < len(deeds); i++ {
		if err := deeds[i].do(w); err != nil {
			t.Fatal(err)
		}
		if i%l.publish == l.publish-1 {
			w.Publish(deeds[i].at)
		}
		if l.kills > 0 && chance.IntN(len(deeds)/(3*l.kills)) == 0 {
			if blob, err = w.Checkpoint(); err != nil {
				t.Fatal(err)
			}
			saved = i + 1
		}
		if kills > 0 && chance.IntN(len(deeds)/(2*l.kills)) == 0 {
			kills--
			file = file.Crash(chance)
			if w, err = history.Resume(file, blob); err != nil {
				t.Fatal(err)
			}
			i = saved - 1
		}
	}
	if err := w.Finish(deeds[len(deeds)-1].at + 100); err != nil {
		t.Fatal(err)
	}
	return w.History(), &file.Memory
}

// answers writes down what a history says to every kind of query.
func answers(t *testing.T, h *history.History) []string {
	t.Helper()
	ctx := context.Background()
	begin, end := h.Bounds()
	chance := rand.New(rand.NewPCG(7, 8))
	var said []string
	var line strings.Builder
	write := func(iv history.Interval) bool {
		fmt.Fprintf(&line, " %d [%d %d) %s", iv.Quark, iv.Start, iv.End, h.Text(iv.Value))
		return true
	}
	next := func(what string, err error) {
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		said = append(said, what+":"+line.String())
		line.Reset()
	}
	var qs []attribute.Quark
	for q := range attribute.Quark(h.Attributes().Len()) {
		qs = append(qs, q)
		line.WriteString(h.Attributes().Full(q))
		next("name", nil)
	}
	next("bounds", nil)
	fmt.Fprint(&line, begin, end)
	next("all", h.Range(ctx, qs, begin, end, write))
	changed, ok, err := h.NextChange(ctx, 2, begin, nil)
	for ok && err == nil {
		write(changed)
		changed, ok, err = h.NextChange(ctx, 2, changed.Start, history.Value.IsString)
	}
	next("changes", err)
	for range 40 {
		a := begin + chance.Int64N(end-begin)
		if first, ok, err := h.NextChange(ctx, qs[chance.IntN(len(qs))], a, nil); ok && err == nil {
			a = first.Start
		}
		b := min(end, a+1<<chance.IntN(45))
		q := qs[chance.IntN(len(qs))]
		next(fmt.Sprintf("full %d", a), h.Full(ctx, a, write))
		iv, err := h.Point(ctx, q, a)
		write(iv)
		next("point", err)
		iv, _, err = h.PreviousChange(ctx, q, a, nil)
		write(iv)
		next("previous", err)
		next("sampled", h.Sampled(ctx, qs, a, b, 1+(b-a)/9, write))
		totals, err := h.Totals(ctx, qs, a, b)
		fmt.Fprint(&line, totals)
		next("totals", err)
		alive, err := h.Alive(ctx, qs, a, b)
		fmt.Fprint(&line, alive)
		next("alive", err)
		edges := []int64{a}
		for i := range int64(30) {
			edges = append(edges, a+(b-a)*i/30)
		}
		runs, err := h.Pixels(ctx, qs, edges)
		fmt.Fprint(&line, runs)
		next("pixels", err)
	}
	return said
}

// The same changes give the same answers, whatever the size of nodes and pages, the
// fan-out, compression, the cache, how often readers were shown something, how many
// make the pixels, how totals are gathered, and however often the writer was killed and went on.
func TestLayoutChangesNothing(t *testing.T) {
	raced.Elsewhere(t, "TestFull", "TestReadersBesideTheWriter")
	var layouts []layout
	for _, node := range []int{512, 4096, 64 << 10, 0} {
		for _, children := range []int{2, 5, 50} {
			for _, page := range []int{512, 4096, 0} {
				for _, kills := range []int{0, 6} {
					compress := len(layouts)/4%2 == 1
					l := layout{history.Options{NodeSize: node, PageSize: page, MaxChildren: children, Compress: compress}, kills, 100 + 31*len(layouts), 1 << (len(layouts) % 12), 8 << (len(layouts) % 5 * 3), []int{0, 0, 1024, 8192}[len(layouts)%4], len(layouts) % 3 * 64}
					if kills > 0 {
						l.opts.Cache = history.NewCache(10_000)
					}
					layouts = append(layouts, l)
				}
			}
		}
	}
	packed := 0
	for seed := range uint64(2) {
		deeds := story(seed, max(scaled(10_000), 2_000))
		var want []string
		for i, l := range layouts {
			// Each layout tells one of the stories; the first is what the others are compared with.
			if i > 0 && (uint64(i)/2%2 != seed || testing.Short() && i%7 != 1) {
				continue
			}
			history.SplitCells(t, l.cells)
			history.TallyFrom(t, l.many, 3*l.many)
			t.Run(l.String(), func(t *testing.T) {
				l.divide(t)
				if l.far > 0 {
					history.FarFrom(t, attribute.Quark(l.far))
				}
				h, file := told(t, deeds, l)
				if err := history.Check(file); err != nil {
					t.Fatalf("%v: %v", l, err)
				}
				packed += compressed(t, h)
				got := answers(t, h)
				if want == nil {
					want = got
				}
				for k := range want {
					if got[k] != want[k] {
						t.Fatalf("%v: answer %d is\n%.2000s\nbut with %v it is\n%.2000s", l, k, got[k], layouts[0], want[k])
					}
				}
				if !slices.Equal(got, want) {
					t.Fatalf("%v: %d answers, with %v %d", l, len(got), layouts[0], len(want))
				}
			})
		}
	}
	if packed == 0 {
		t.Errorf("%d blocks were compressed", packed)
	}
}
