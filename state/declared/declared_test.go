package declared_test

import (
	"bytes"
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"synchroscope/state/declared"
	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
	"synchroscope/state/kernel/kerneltest"
	"synchroscope/state/symbol"
)

var update = flag.Bool("update", false, "rewrite the expected states")

// A host is a model and the history it feeds, in tests.
type host struct {
	*kerneltest.Host // for its dump; its own model feeds nothing
	model            *declared.Model
	file             *historytest.Memory
	declarations     *declared.Declarations
	symbols          *symbol.Table
}

func newHost(t testing.TB, d *declared.Declarations) *host {
	t.Helper()
	h := &host{file: new(historytest.Memory), declarations: d}
	w, err := history.Create(h.file, 0, history.Options{NodeSize: 1024})
	if err != nil {
		t.Fatal(err)
	}
	h.use(w)
	return h
}

func (h *host) use(w *history.Writer) {
	h.Host = &kerneltest.Host{File: h.file, Writer: w}
	h.model = declared.New(w, h.declarations, true)
	h.model.Symbols = h.symbols
}

func (h *host) take(t testing.TB, s kerneltest.Step) {
	t.Helper()
	var err error
	if s.Event == nil {
		err = h.model.Lost(s.Begin, s.End)
	} else {
		err = h.model.Handle(s.Event)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// restart stops the host at a checkpoint and goes on from it.
func (h *host) restart(t testing.TB) {
	t.Helper()
	checkpoint, err := h.Writer.Checkpoint()
	if err != nil {
		t.Fatal(err)
	}
	state := h.model.AppendState(nil)
	h.goOn(t, checkpoint, state)
	if again := h.model.AppendState(nil); string(again) != string(state) {
		t.Fatalf("a restored model writes another state:\n%q\nwas\n%q", again, state)
	}
}

// goOn starts the host from a checkpoint of its history and a state.
func (h *host) goOn(t testing.TB, checkpoint, state []byte) {
	t.Helper()
	w, err := history.Resume(h.file, checkpoint)
	if err != nil {
		t.Fatal(err)
	}
	h.use(w)
	if err := h.model.Restore(bytes.NewReader(state)); err != nil {
		t.Fatal(err)
	}
}

func (h *host) finish(t testing.TB, end int64) {
	t.Helper()
	if err := h.model.Advance(end); err != nil {
		t.Fatal(err)
	}
	if err := h.Writer.Finish(end); err != nil {
		t.Fatal(err)
	}
}

// run makes a host that takes all steps of a text.
func run(t testing.TB, d *declared.Declarations, text string) *host {
	t.Helper()
	steps, _ := kerneltest.Parse(t, text)
	h := newHost(t, d)
	for _, s := range steps {
		h.take(t, s)
	}
	return h
}

func (h *host) rowLines() string {
	var b strings.Builder
	threads, _ := h.model.Threads(0)
	for _, th := range threads {
		fmt.Fprintf(&b, "%d %q pid=%d first=%s\n", th.TID, th.Name, th.PID, kerneltest.Seconds(th.First))
	}
	return b.String()
}

// Each file in testdata has declarations, names of functions if there are any, a trace as text and what must follow from both. The same must
// follow when the import is stopped and resumed after any of the events.
func TestGolden(t *testing.T) {
	kerneltest.RunGolden(t, *update, func(t *testing.T, g *kerneltest.Golden, stop int) []txtar.File {
		d, err := declared.Parse("declarations", g.Sections["declarations"])
		if err != nil {
			t.Fatal(err)
		}
		symbols, err := symbol.Parse("symbols", g.Sections["symbols"])
		if err != nil {
			t.Fatal(err)
		}
		h := newHost(t, d)
		h.symbols, h.model.Symbols = symbols, symbols
		for i, s := range g.Steps {
			h.take(t, s)
			if i == stop {
				h.restart(t)
			}
		}
		h.finish(t, g.End)
		return []txtar.File{{Name: "states", Data: []byte(h.Dump(t))}, {Name: "rows", Data: []byte(h.rowLines())}}
	})
}

// Rows are asked for again from a version on. One that there has not been yet, as it was of a model before a restart, has all rows changed.
func TestRowsSince(t *testing.T) {
	h := run(t, nil, "1 cpu=0 a:b n=1 | vtid=1\n2 cpu=0 a:b n=1 | vtid=2\n")
	all, version := h.model.Threads(0)
	for _, c := range []struct {
		since uint64
		want  int
	}{{version, 0}, {version - 1, 1}, {version + 1, 2}, {1 << 31, 2}} {
		if rows, now := h.model.Threads(c.since); len(rows) != c.want || now != version {
			t.Errorf("since %d: %d rows of %d, now %d, want %d", c.since, len(rows), len(all), now, c.want)
		}
	}
}

// Where more losses lie ahead than are kept the first is taken for one that has begun: what else is written of the host is not behind it then.
func TestManyLosses(t *testing.T) {
	h := run(t, nil, "1 cpu=0 lttng_ust_cyg_profile:func_entry addr=1 | vtid=1 vpid=1 procname=\"a\"\n")
	for i := range int64(4097) {
		h.take(t, kerneltest.Step{Begin: 100e9 + 2*i, End: 100e9 + 2*i + 1})
	}
	if err := h.Writer.Modify(2e9, h.Writer.Attributes().Path("CPUs", "0"), history.Int(1)); err != nil {
		t.Error(err)
	}
}
