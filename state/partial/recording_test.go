package partial_test

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
	"synchroscope/state/partial"
)

// counters are routed to the partial history.
func counters(path string) bool { return strings.HasPrefix(path, "Count") }

// A recording keeps events in a partial history, or in one beside a full one, and knows how many it has.
type recording struct {
	values, points, whole *historytest.Memory
	declared              func(path string) bool // nil if all is partial

	part *partial.Writer
	full *history.Writer
	kept *history.Memory // instead of full, or nil
	into history.Recorder
	next int // event
}

var small = history.Options{NodeSize: 512, MaxChildren: 3}

func begin(t *rapid.T, declared func(string) bool) *recording {
	r := &recording{new(historytest.Memory), new(historytest.Memory), new(historytest.Memory), declared, nil, nil, nil, nil, 0}
	values, err := history.Create(r.values, 100, small)
	check(t, err)
	points, err := history.Create(r.points, 100, small)
	check(t, err)
	r.part, err = partial.New(values, points, rapid.SampledFrom([]int{1, 2, 7, 40, 1000}).Draw(t, "every"))
	check(t, err)
	r.full, err = history.Create(r.whole, 100, small)
	check(t, err)
	r.route(t)
	return r
}

func (r *recording) route(t *rapid.T) {
	if r.into = r.part; r.declared != nil {
		var full history.Recorder = r.full
		if r.kept != nil {
			full = r.kept
		}
		router, err := partial.Route(full, r.part, r.declared)
		check(t, err)
		r.into = router
	}
}

// besideMemory keeps the full history in memory, where a correction is seen at once.
func (r *recording) besideMemory(t *rapid.T) *recording {
	r.kept = history.NewMemory(100)
	r.route(t)
	return r
}

func (r *recording) until(t *rapid.T, events []event, i int) {
	for ; r.next < i; r.next++ {
		position := append(binary.AppendUvarint(nil, uint64(r.next)), make([]byte, r.next*r.next%23)...)
		check(t, r.part.Event(events[r.next].time, func() []byte { return position }))
		check(t, apply(r.into, events[r.next]))
	}
}

// killed records some events, makes a checkpoint, goes on a little, and is killed and resumed.
func (r *recording) killed(t *rapid.T, events []event) *recording {
	saved := rapid.IntRange(r.next, len(events)).Draw(t, "saved")
	r.until(t, events, saved)
	blob, err := r.part.Checkpoint()
	check(t, err)
	full, err := r.full.Checkpoint()
	check(t, err)
	r.until(t, events, rapid.IntRange(saved, len(events)).Draw(t, "killed"))
	again := &recording{r.values.Clone(), r.points.Clone(), r.whole.Clone(), r.declared, nil, nil, nil, nil, saved}
	again.part, err = partial.Resume(again.values, again.points, blob)
	check(t, err)
	again.full, err = history.Resume(again.whole, full)
	check(t, err)
	again.route(t)
	return again
}

// all records what is left, and opens it.
func (r *recording) all(t *rapid.T, events []event, end int64) history.Reader {
	r.until(t, events, len(events))
	check(t, r.into.Finish(end))
	check(t, history.Check(r.values))
	check(t, history.Check(r.points))
	if r.declared != nil && r.kept == nil {
		check(t, history.Check(r.whole))
	}
	return r.open(t, events)
}

func (r *recording) open(t *rapid.T, events []event) history.Reader {
	return r.openWith(t, events, apply)
}

func (r *recording) openWith(t *rapid.T, events []event, apply func(history.Recorder, event) error) history.Reader {
	tree, points := r.part.Histories()
	part, err := partial.Open(tree, points, func(_ context.Context, position []byte, until int64, into history.Recorder) error {
		i, _ := binary.Uvarint(position)
		for _, e := range events[i:] {
			if e.time >= until {
				break
			}
			if err := apply(into, e); err != nil {
				return err
			}
		}
		return nil
	})
	check(t, err)
	if r.declared == nil {
		return part
	}
	if r.kept != nil {
		return partial.Join(r.kept, part, r.declared)
	}
	return partial.Join(r.full.History(), part, r.declared)
}

// While it is written a partial history answers up to its newest checkpoint, and what was asked then is right later on.
func TestReadWhileWritten(t *testing.T) {
	for what, declared := range map[string]func(string) bool{"partial": nil, "routed": counters} {
		t.Run(what, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				events, end := drawEvents(t, declared != nil)
				r := begin(t, declared)
				reader := r.open(t, events)
				for range 3 {
					r.until(t, events, rapid.IntRange(r.next, len(events)).Draw(t, "until"))
					if r.next > 0 {
						r.into.Publish(events[r.next-1].time)
					}
					_, known := reader.Bounds()
					if known == 100 {
						continue
					}
					before, _ := slices.BinarySearchFunc(events, known, func(e event, t int64) int { return int(e.time - t) })
					verify(t, reader, events[:before], known)
				}
				r.all(t, events, end)
				verify(t, reader, events, end)
			})
		})
	}
}

// Events that make an attribute and give it no state are replayed as others are, while the history is written too.
func TestReadAttributesWithoutState(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := begin(t, counters)
		var events []event
		for i := range int64(30) {
			events = append(events, event{100 + i, []change{{"Count/a", "+1"}}})
		}
		apply := func(into history.Recorder, e event) error {
			if e.time%3 > 0 {
				into.Attributes().Path("Name", strconv.FormatInt(e.time, 10))
				into.Text(strconv.AppendInt(nil, e.time, 10))
				return nil
			}
			return apply(into, e)
		}
		reader := r.openWith(t, events, apply)
		count := r.into.Attributes().Path("Count", "a")
		for i, e := range events {
			check(t, r.part.Event(e.time, func() []byte { return binary.AppendUvarint(nil, uint64(i)) }))
			_, known := reader.Bounds()
			for at := int64(100); at < known; at++ {
				iv, err := reader.Point(context.Background(), count, at)
				check(t, err)
				if n, _ := iv.Value.Int(); n != at/3-100/3 {
					t.Fatalf("at %d of %d: %v", at, known, iv)
				}
			}
			check(t, apply(r.into, e))
		}
	})
}

// Readers replay while the writer adds attributes and texts.
func TestReadBesideWriting(t *testing.T) {
	const events = 3000
	values, err := history.Create(new(historytest.Memory), 0, small)
	if err != nil {
		t.Fatal(err)
	}
	points, err := history.Create(new(historytest.Memory), 0, small)
	if err != nil {
		t.Fatal(err)
	}
	w, err := partial.New(values, points, 50)
	if err != nil {
		t.Fatal(err)
	}
	// Event i gives row i%100 the text of its number, from time i on.
	name := func(i int64) []byte { return binary.AppendUvarint(nil, uint64(i)) }
	apply := func(into history.Recorder, i int64) error {
		return into.Modify(i, into.Attributes().Add(attribute.Root, string(name(i%100))), into.Text(name(i)))
	}
	tree, places := w.Histories()
	h, err := partial.Open(tree, places, func(_ context.Context, position []byte, until int64, into history.Recorder) error {
		at, _ := binary.Uvarint(position)
		for i := int64(at); i < until; i++ {
			if err := apply(into, i); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	stop := beside(func() bool {
		_, end := h.Bounds()
		for _, at := range []int64{0, end / 3, end - 1} {
			if at < 0 || at >= end {
				continue
			}
			q := h.Attributes().Child(attribute.Root, string(name(at%100)))
			iv, err := h.Point(context.Background(), q, at)
			if err != nil || h.String(iv.Value) != string(name(at)) {
				t.Errorf("at %d of %d: %v %q, %v", at, end, iv, h.String(iv.Value), err)
				return false
			}
		}
		return true
	})
	for i := range int64(events) {
		if err := w.Event(i, func() []byte { return name(i) }); err != nil {
			t.Fatal(err)
		}
		if err := apply(w, i); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Finish(events); err != nil {
		t.Fatal(err)
	}
	stop()
}

// beside has two readers look again and again, until one says no or both are stopped; each looks once more then.
func beside(look func() bool) (stop func()) {
	done := make(chan struct{})
	var readers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			for over := false; !over; {
				select {
				case <-done:
					over = true
				default:
				}
				if !look() {
					return
				}
			}
		})
	}
	return func() {
		close(done)
		readers.Wait()
	}
}

// Readers replay while what replays begin with is corrected, also of attributes that are made meanwhile.
func TestReadBesideCorrections(t *testing.T) {
	const events = 3000
	w, _ := tree(t)
	m := history.NewMemory(100)
	for kind, whole := range map[string]struct {
		history.Recorder
		read history.Reader
	}{"memory": {m, m}, "tree": {w, w.History()}} {
		t.Run(kind, func(t *testing.T) {
			values, _ := tree(t)
			points, _ := tree(t)
			part, err := partial.New(values, points, 7)
			if err != nil {
				t.Fatal(err)
			}
			into, err := partial.Route(whole.Recorder, part, counters)
			if err != nil {
				t.Fatal(err)
			}
			// Event i, at 100+i, counts what the name is, and may then change or correct it; it may correct one that was null before, too.
			apply := func(into history.Recorder, i int64) error {
				name := into.Attributes().Path("Name")
				v, _ := into.Ongoing(name)
				if err := into.Modify(100+i, into.Attributes().Path("Count"), v); err != nil {
					return err
				}
				text := into.Text(strconv.AppendInt(nil, i, 10))
				switch i % 50 {
				case 0:
					return into.Modify(100+i, name, text)
				case 20, 21, 40:
					late := into.Attributes().Path("Late", strconv.FormatInt(i, 10))
					if v, _ := into.Ongoing(late); !v.IsNull() {
						return errors.New("a name is known before it is made")
					}
					return errors.Join(into.Update(late, text), into.Update(name, text))
				}
				return nil
			}
			open := func() history.Reader {
				h, err := partial.Open(values.History(), points.History(), func(_ context.Context, position []byte, until int64, into history.Recorder) error {
					at, _ := binary.Uvarint(position)
					for i := int64(at); 100+i < until; i++ {
						if err := apply(into, i); err != nil {
							return err
						}
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
				return partial.Join(whole.read, h, counters)
			}
			right := func(r history.Reader, at int64) bool {
				iv, err := r.Point(context.Background(), r.Attributes().Lookup("Count"), at)
				last := at - 101 // event before, of those that give the name
				for last >= 0 && !slices.Contains([]int64{0, 20, 21, 40}, last%50) {
					last--
				}
				if err != nil || (last < 0) != iv.Value.IsNull() || last >= 0 && r.String(iv.Value) != strconv.FormatInt(last, 10) {
					t.Errorf("the count at %d: %v %q, %v", at, iv, r.String(iv.Value), err)
					return false
				}
				return true
			}
			joined := open()
			stop := beside(func() bool {
				_, end := joined.Bounds()
				for _, at := range []int64{100, (100 + end) / 2, max(end-1, 100)} {
					if at < end && !right(joined, at) {
						return false
					}
				}
				return true
			})
			for i := range int64(events) {
				if err := errors.Join(part.Event(100+i, func() []byte { return binary.AppendUvarint(nil, uint64(i)) }), apply(into, i)); err != nil {
					t.Fatal(err)
				}
				if i%20 > 0 {
					continue
				}
				fresh := open()
				if _, end := fresh.Bounds(); end > 100 {
					right(fresh, end-1)
				}
			}
			if err := into.Finish(100 + events); err != nil {
				t.Fatal(err)
			}
			stop()
			for at := int64(100); at < 100+events; at++ {
				if !right(joined, at) {
					return
				}
			}
		})
	}
}

// A replay of another trace is told of, and harms no other that is under way.
func TestReplayOfAnotherTrace(t *testing.T) {
	values, _ := tree(t)
	points, _ := tree(t)
	w, err := partial.New(values, points, 1)
	if err != nil {
		t.Fatal(err)
	}
	q := w.Attributes().Path("a")
	for i := range int64(100) {
		if err := w.Event(100+i, func() []byte { return nil }); err != nil {
			t.Fatal(err)
		}
		if err := w.Modify(100+i, q, history.Int(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Finish(200); err != nil {
		t.Fatal(err)
	}
	h, err := partial.Open(values.History(), points.History(), func(_ context.Context, _ []byte, until int64, into history.Recorder) error {
		for i := range int64(200) {
			into.Text(strconv.AppendInt(nil, until*1000+i, 10))
			into.Attributes().Path(strconv.FormatInt(until*1000+i, 10))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var readers sync.WaitGroup
	for k := range int64(4) {
		readers.Go(func() {
			for i := range int64(100) {
				if _, err := h.Point(context.Background(), q, 100+(i+25*k)%100); err == nil || !strings.Contains(err.Error(), "not the replay of this trace") {
					t.Errorf("%v", err)
					return
				}
			}
		})
	}
	readers.Wait()
	if n := h.Attributes().Len(); n != 1 {
		t.Errorf("%d attributes, want one", n)
	}
}
