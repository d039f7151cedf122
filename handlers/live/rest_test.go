package live

import (
	"testing"

	"synchroscope/state/history"
	"synchroscope/state/kernel"
)

// A line is said to be at rest where all of the time it is known what its CPU does, or all CPUs do; where it is not, as before the first event and after a loss,
// an interrupt can have come that nobody saw.
func TestLineAtRest(t *testing.T) {
	w := growing(t, &fakeHost{name: "a"})
	tree := w.Attributes()
	modify := func(now int64, v history.Value, path ...string) {
		t.Helper()
		if err := w.Modify(now, tree.Path(path...), v); err != nil {
			t.Fatal(err)
		}
	}
	idle, unknown := history.Int(int64(kernel.CPUIdle)), history.Int(int64(kernel.CPUUnknown))
	modify(1700, idle, "CPUs", "1")
	modify(1700, idle, "CPUs", "2")
	serve := func(now int64) {
		for _, path := range [][]string{{"CPUs", "1", "IRQs", "24"}, {"IRQs", "24"}} {
			modify(now, history.Int(int64(kernel.Served)), path...)
		}
		for _, path := range [][]string{{"CPUs", "1", "IRQs", "24"}, {"IRQs", "24"}} {
			modify(now+5, history.Null(), path...)
		}
	}
	serve(1710)
	serve(1730)
	modify(1740, unknown, "CPUs", "2") // a loss on the other CPU
	modify(1750, idle, "CPUs", "2")
	serve(1760)
	modify(1780, unknown, "CPUs", "1")
	w.Publish(2000)
	h := w.History()
	const sure, unsure = "at rest", "at rest, as far as is known"
	for _, c := range []struct {
		at        int64
		cpu, line string
	}{{1702, unsure, unsure}, {1720, sure, sure}, {1737, sure, unsure}, {1755, sure, unsure}, {1770, unsure, unsure}, {1790, unsure, unsure}} {
		for i, path := range [][]string{{"CPUs", "1", "IRQs", "24"}, {"IRQs", "24"}} {
			q := tree.Lookup(path...)
			iv, err := h.Point(t.Context(), q, c.at)
			if err != nil || !iv.Value.IsNull() {
				t.Fatalf("%v at %d: %v, %v", path, c.at, iv, err)
			}
			want := []string{c.cpu, c.line}[i]
			if got, err := restWords(t.Context(), h, q, iv); err != nil || got != want {
				t.Errorf("%v at %d: %q, %v, want %q", path, c.at, got, err, want)
			}
		}
	}
}
