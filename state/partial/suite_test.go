package partial_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/internal/raced"
	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
	"synchroscope/state/partial"
)

// An event is what a trace has, and the changes it stands for.
type event struct {
	time    int64
	changes []change
}

type change struct {
	path  string
	value string // "" is null, "push x", "pop", "+1", "is x" corrects, "from path" is what another attribute is, else a text
}

// corrections are what an attribute is said to have been, beside texts.
var corrections = map[string]history.Value{"nothing": history.Null(), "5": history.Int(5), "yes": history.Bool(true), "no": history.Bool(false), "half": history.Float(0.5)}

// apply is the state provider: it reads the ongoing values, so a replay that
// begins with the wrong state makes the wrong changes.
func apply(r history.Recorder, e event) error {
	for _, c := range e.changes {
		q := r.Attributes().Path(strings.Split(c.path, "/")...)
		var err error
		what, rest, _ := strings.Cut(c.value, " ")
		switch {
		case what == "push":
			err = history.Push(r, e.time, q, r.Text([]byte(rest)))
		case what == "is":
			v, ok := corrections[rest]
			if !ok {
				v = r.Text([]byte(rest))
			}
			err = r.Update(q, v)
		case what == "from":
			v, _ := r.Ongoing(r.Attributes().Path(strings.Split(rest, "/")...))
			err = r.Modify(e.time, q, v)
		case c.value == "pop":
			_, _, err = history.Pop(r, e.time, q)
		case c.value == "+1":
			err = history.Increment(r, e.time, q, 1)
		case c.value == "":
			err = history.Remove(r, e.time, q)
		default:
			err = r.Modify(e.time, q, r.Text([]byte(c.value)))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// drawEvents draws some that correct attributes which are not counters, or none that do.
func drawEvents(t *rapid.T, corrected bool) (events []event, end int64) {
	changes := []change{
		{"Count/a", "+1"}, {"Count/b", "+1"}, {"Count/a", ""}, {"Name/x", "one"}, {"Name/x", "two"}, {"Name/x", ""}, {"Name/y", "one"},
		{"Name", ""}, {"Calls", "push f"}, {"Calls", "push g"}, {"Calls", "pop"}, {"Calls", "pop"},
		{"Count/x", "from Name/x"}, {"Count/y", "from Name/y"}, {"Count/z", "from Name/z"},
	}
	if corrected {
		for _, v := range []string{"one", "two", "three", "nothing", "5", "yes", "no", "half"} {
			changes = append(changes, change{rapid.SampledFrom([]string{"Name/x", "Name/y", "Name/z"}).Draw(t, "corrected"), "is " + v})
		}
	}
	now := int64(100)
	longest := rapid.SampledFrom([]int64{0, 1, 3, 1000}).Draw(t, "longest gap")
	for range rapid.IntRange(0, 120).Draw(t, "events") {
		now += rapid.Int64Range(0, longest).Draw(t, "gap")
		e := event{time: now}
		for range rapid.IntRange(0, 3).Draw(t, "changes") {
			e.changes = append(e.changes, rapid.SampledFrom(changes).Draw(t, "change"))
		}
		events = append(events, e)
	}
	return events, now + rapid.Int64Range(1, 10).Draw(t, "rest")
}

func tree(t testing.TB) (*history.Writer, *historytest.Memory) {
	f := new(historytest.Memory)
	w, err := history.Create(f, 100, history.Options{NodeSize: 512, MaxChildren: 3})
	if err != nil {
		t.Fatal(err)
	}
	return w, f
}

func check(t *rapid.T, err error) {
	if err != nil {
		t.Helper()
		t.Fatal(err)
	}
}

func memory(t *rapid.T, events []event, end int64) *history.Memory {
	m := history.NewMemory(100)
	for _, e := range events {
		check(t, apply(m, e))
	}
	check(t, m.Finish(end))
	return m
}

// A backend is a way to keep events.
type backend struct {
	make func(*rapid.T, testing.TB, []event, int64) history.Reader

	// corrects tells that a correction reaches back to the beginning of what is corrected. A counter's does to the newest checkpoint.
	corrects bool
}

// backends are the ways to keep the same events.
var backends = map[string]backend{
	"memory": {func(t *rapid.T, _ testing.TB, events []event, end int64) history.Reader {
		return memory(t, events, end)
	}, true},
	"tree": {func(t *rapid.T, tb testing.TB, events []event, end int64) history.Reader {
		w, f := tree(tb)
		for _, e := range events {
			check(t, apply(w, e))
		}
		check(t, w.Finish(end))
		h, err := history.Open(f)
		check(t, err)
		return h
	}, true},
	"partial": {func(t *rapid.T, _ testing.TB, events []event, end int64) history.Reader {
		return begin(t, nil).all(t, events, end)
	}, false},
	"routed": {func(t *rapid.T, _ testing.TB, events []event, end int64) history.Reader {
		return begin(t, counters).all(t, events, end)
	}, true},
	"routed, beside memory": {func(t *rapid.T, _ testing.TB, events []event, end int64) history.Reader {
		return begin(t, counters).besideMemory(t).all(t, events, end)
	}, true},
	"partial, resumed": {func(t *rapid.T, _ testing.TB, events []event, end int64) history.Reader {
		return begin(t, nil).killed(t, events).all(t, events, end)
	}, false},
	"routed, resumed": {func(t *rapid.T, _ testing.TB, events []event, end int64) history.Reader {
		return begin(t, counters).killed(t, events).killed(t, events).all(t, events, end)
	}, true},
}

// TestBackends holds every way to keep a history against looking at each instant
// of the history in memory, and that one against the events.
func TestBackends(t *testing.T) {
	for name, b := range backends {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				events, end := drawEvents(rt, b.corrects)
				r := b.make(rt, t, events, end)
				if a, b := r.Attributes().Len(), memory(rt, events, end).Attributes().Len(); a != b {
					rt.Fatalf("%d attributes, want %d", a, b)
				}
				verify(rt, r, events, end)
			})
		})
	}
}

// Every recorder tells alike what is so now, and since when, also where changes are taken back and after a resumption.
func TestRecorders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		start := rapid.SampledFrom([]int64{100, -100}).Draw(t, "start")
		create := func() (*history.Writer, *historytest.Memory) {
			f := new(historytest.Memory)
			w, err := history.Create(f, start, small)
			check(t, err)
			return w, f
		}
		whole, _ := create()
		values, valuesFile := create()
		points, pointsFile := create()
		part, err := partial.New(values, points, 3)
		check(t, err)
		kinds := func() map[string]history.Recorder {
			return map[string]history.Recorder{"tree": whole, "partial": part}
		}
		memory := history.NewMemory(start)
		const attributes = 2
		for _, r := range []history.Recorder{memory, whole, part} {
			for q := range attributes {
				r.Attributes().Path(fmt.Sprint(q))
			}
		}
		now := start
		for range rapid.IntRange(1, 30).Draw(t, "events") {
			now += rapid.Int64Range(0, 2).Draw(t, "gap")
			check(t, part.Event(now, func() []byte { return nil }))
			for range rapid.IntRange(0, 4).Draw(t, "changes") {
				q := attribute.Quark(rapid.IntRange(0, attributes-1).Draw(t, "attribute"))
				v := rapid.SampledFrom([]history.Value{history.Null(), history.Int(1), history.Int(2)}).Draw(t, "value")
				do := func(r history.Recorder) error { return r.Modify(now, q, v) }
				if rapid.IntRange(0, 5).Draw(t, "update") == 0 {
					do = func(r history.Recorder) error { return r.Update(q, v) }
				}
				check(t, do(memory))
				want, began := memory.Ongoing(q)
				for kind, r := range kinds() {
					check(t, do(r))
					if got, since := r.Ongoing(q); got != want || since != began {
						t.Fatalf("%s: %v since %d, want %v since %d", kind, got, since, want, began)
					}
				}
			}
			if rapid.IntRange(0, 9).Draw(t, "killed") == 0 {
				blob, err := part.Checkpoint()
				check(t, err)
				part, err = partial.Resume(valuesFile, pointsFile, blob)
				check(t, err)
			}
		}
	})
}

// No history is longer than the times that there are, whatever keeps it.
func TestTooLong(t *testing.T) {
	const start = -1000
	create := func() *history.Writer {
		w, err := history.Create(new(historytest.Memory), start, small)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	part, err := partial.New(create(), create(), 3)
	if err != nil {
		t.Fatal(err)
	}
	if err := part.Event(start, func() []byte { return nil }); err != nil {
		t.Fatal(err)
	}
	latest := history.Latest(start)
	if err := part.Event(latest+1, nil); err == nil || !strings.Contains(err.Error(), "292 years") {
		t.Errorf("an event at %d: %v", latest+1, err)
	}
	for what, r := range map[string]history.Recorder{"memory": history.NewMemory(start), "tree": create(), "partial": part} {
		q := r.Attributes().Path("a")
		for done, err := range map[string]error{"change": r.Modify(latest+1, q, history.Int(1)), "end": r.Finish(latest + 1)} {
			if err == nil || !strings.Contains(err.Error(), "292 years") {
				t.Errorf("%s: a %s at %d: %v", what, done, latest+1, err)
			}
		}
		if err := errors.Join(r.Modify(latest, q, history.Int(1)), r.Finish(latest)); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// What a replay could not find, or is of no history, is refused at once.
func TestRefusedChanges(t *testing.T) {
	full, _ := tree(t)
	values, _ := tree(t)
	points, _ := tree(t)
	part, err := partial.New(values, points, 3)
	if err != nil {
		t.Fatal(err)
	}
	routed, err := partial.Route(full, part, counters)
	if err != nil {
		t.Fatal(err)
	}
	name, count := routed.Attributes().Path("Name"), routed.Attributes().Path("Count")
	routed.Ongoing(count) // which brings both to know of it
	event := func(t int64) error { return part.Event(t, func() []byte { return nil }) }
	wants := func(want string, errs ...error) {
		t.Helper()
		for i, err := range errs {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("change %d: %v, want %s", i, err, want)
			}
		}
	}
	one := history.Int(1)
	wants("before the first event", routed.Modify(100, name, one), routed.Modify(100, count, one), routed.Update(name, one), routed.Update(count, one), part.Modify(100, count, one))
	if err := event(110); err != nil {
		t.Fatal(err)
	}
	wants("does not exist", part.Modify(110, 7, one), part.Update(7, one), routed.Modify(110, 7, one), routed.Update(7, one))
	if err := routed.Finish(120); err != nil {
		t.Fatal(err)
	}
	wants("finished", part.Modify(120, count, one), part.Update(count, one), routed.Modify(120, name, one), event(130), part.Finish(130))
}

// Trees that do not belong together are refused, and so is a position that is too long.
func TestRefused(t *testing.T) {
	w, _ := tree(t)
	places, _ := tree(t)
	p, err := partial.New(w, places, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Event(100, func() []byte { return make([]byte, 64<<10) }); err != nil {
		t.Fatal(err)
	}
	if err := p.Event(101, func() []byte { return make([]byte, 64<<10+1) }); err == nil || !strings.Contains(err.Error(), "65537 bytes") {
		t.Errorf("a position that is too long: %v", err)
	}
	other, _ := tree(t)
	if _, err := partial.New(other, places, 1); err == nil || !strings.Contains(err.Error(), "must be empty") {
		t.Errorf("a tree of positions that is in use: %v", err)
	}
	if err := errors.Join(p.Finish(1000), other.Finish(101)); err != nil {
		t.Fatal(err)
	}
	if _, err := partial.Open(w.History(), places.History(), nil); err != nil {
		t.Error(err)
	}
	if _, err := partial.Open(other.History(), places.History(), nil); err == nil || !strings.Contains(err.Error(), "from 100 to 101") {
		t.Errorf("trees of two histories: %v", err)
	}
}

// Checkpoints are in the file, not in memory: ten times as many take no more of it.
func TestPositionsAreNotHeld(t *testing.T) {
	raced.Alone(t)
	f, err := os.Create(filepath.Join(t.TempDir(), "places"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, _ := tree(t)
	places, err := history.Create(f, 100, history.Options{NodeSize: 16 << 10})
	if err != nil {
		t.Fatal(err)
	}
	p, err := partial.New(w, places, 1)
	if err != nil {
		t.Fatal(err)
	}
	var m runtime.MemStats
	used := func() uint64 {
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	var few uint64
	for i := range int64(200_000) {
		if err := p.Event(100+i, func() []byte { return fmt.Appendf(nil, "packet %d of stream %d", i*i, i%4) }); err != nil {
			t.Fatal(err)
		}
		if i == 20_000 {
			few = used()
		}
	}
	if many := used(); many > few+1<<20 {
		t.Errorf("%d bytes after 20 000 checkpoints, %d after 200 000", few, many)
	}
	runtime.KeepAlive(p)
}

// What a correction adds to the positions is two intervals for an attribute between two checkpoints, however many it reaches back across, and nothing if
// it reaches back across none.
func TestCorrectionsTakeLittle(t *testing.T) {
	raced.Alone(t)
	const checkpoints, between, attributes = 1000, 10, 300
	intervals := func(correct func(r history.Recorder, i int64) error) int {
		full, _ := tree(t)
		values, _ := tree(t)
		points, _ := tree(t)
		part, err := partial.New(values, points, between)
		if err != nil {
			t.Fatal(err)
		}
		r, err := partial.Route(full, part, counters)
		if err != nil {
			t.Fatal(err)
		}
		for i := range int64(attributes) {
			r.Attributes().Path(fmt.Sprint("young", i))
			r.Attributes().Path(fmt.Sprint("old", i))
		}
		for i := range int64(checkpoints * between) {
			if err := part.Event(100+i, func() []byte { return nil }); err != nil {
				t.Fatal(err)
			}
			young := r.Attributes().Path(fmt.Sprint("young", i/between%attributes))
			if err := errors.Join(r.Modify(100+i, young, history.Int(i)), correct(r, i)); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.Finish(100 + checkpoints*between); err != nil {
			t.Fatal(err)
		}
		return int(points.History().Stats().Intervals)
	}
	none := intervals(func(history.Recorder, int64) error { return nil })
	young := intervals(func(r history.Recorder, i int64) error {
		return r.Update(r.Attributes().Path(fmt.Sprint("young", i/between%attributes)), history.Int(-i))
	})
	if young != none {
		t.Errorf("%d intervals with corrections of what is younger than the newest checkpoint, %d without", young, none)
	}
	// Ten attributes, each 800 times, in 80 pieces.
	old := intervals(func(r history.Recorder, i int64) error {
		if i < 200*between || i >= 280*between {
			return nil
		}
		for k := range 10 {
			if err := r.Update(r.Attributes().Path(fmt.Sprint("old", k)), history.Int(i)); err != nil {
				return err
			}
		}
		return nil
	})
	if more := old - none; more <= 0 || more > 2*10*80 {
		t.Errorf("%d intervals more with corrections, want at most %d", more, 2*10*80)
	}
}

// late is a context whose deadline passes when over is set.
type late struct {
	context.Context
	over atomic.Bool
}

func (l *late) Err() error {
	if l.over.Load() {
		return context.DeadlineExceeded
	}
	return nil
}

// A query that waits for the replay of another, which is given up, replays itself.
func TestReplayGivenUp(t *testing.T) {
	w, _ := tree(t)
	places, _ := tree(t)
	p, err := partial.New(w, places, 1)
	if err != nil {
		t.Fatal(err)
	}
	q := p.Attributes().Path("a")
	if err := p.Event(100, func() []byte { return nil }); err != nil {
		t.Fatal(err)
	}
	if err := p.Modify(100, q, history.Int(7)); err != nil {
		t.Fatal(err)
	}
	if err := p.Finish(200); err != nil {
		t.Fatal(err)
	}
	begun, goOn := make(chan struct{}), make(chan struct{})
	var replays atomic.Int32
	h, err := partial.Open(w.History(), places.History(), func(ctx context.Context, _ []byte, _ int64, into history.Recorder) error {
		if replays.Add(1) == 1 {
			close(begun)
			<-goOn
			return ctx.Err()
		}
		return into.Modify(100, q, history.Int(7))
	})
	if err != nil {
		t.Fatal(err)
	}
	first := &late{Context: context.Background()}
	var errs [2]error
	var got history.Interval
	var busy sync.WaitGroup
	busy.Go(func() { _, errs[0] = h.Point(first, q, 150) })
	<-begun
	busy.Go(func() { got, errs[1] = h.Point(context.Background(), q, 150) })
	for range 1000 {
		runtime.Gosched() // so that the second waits
	}
	first.over.Store(true)
	close(goOn)
	busy.Wait()
	if !errors.Is(errs[0], context.DeadlineExceeded) {
		t.Errorf("the query that was given up: %v", errs[0])
	}
	if errs[1] != nil || got.Value != history.Int(7) {
		t.Errorf("the other: %v, %v", got, errs[1])
	}
}
