package ingest

import (
	"slices"
	"strconv"
	"testing"

	"synchroscope/internal/raced"
	"synchroscope/simulate"
	"synchroscope/simulate/clock"
	"synchroscope/simulate/scenario"
)

// Stretches that a clock passed twice are told once each, joined where they meet; of more than are kept the last holds all.
func TestPassed(t *testing.T) {
	list := passed(nil, 90, 100)
	list = passed(list, 92, 100)
	if want := []twice{{90, 100}}; !slices.Equal(list, want) {
		t.Errorf("passed twice: %v, want %v", list, want)
	}
	shown := list
	list = passed(list, 80, 100)
	list = passed(list, 150, 160)
	list = passed(list, 155, 170)
	if want := []twice{{80, 100}, {150, 170}}; !slices.Equal(list, want) || shown[0].Begin != 90 {
		t.Errorf("passed twice: %v, want %v; who looked at the one before sees %v", list, want, shown)
	}
	if list = passed(list, 60, 180); !slices.Equal(list, []twice{{60, 180}}) {
		t.Errorf("passed twice: %v, one stretch over all", list)
	}
	list = nil
	for i := int64(0); i < 3*twiceLimit; i++ {
		list = passed(list, 10*i, 10*i+5)
	}
	if last := list[len(list)-1]; len(list) != twiceLimit || last.End != 10*(3*twiceLimit-1)+5 || last.Begin != 10*(twiceLimit-1) {
		t.Errorf("%d stretches, the last is %v", len(list), last)
	}
}

// A host whose clock was set back tells which of its times it passed twice; the others tell none.
func TestClockSetBackIsTold(t *testing.T) {
	raced.Elsewhere(t, "TestSeveralSets")
	const by = 300_000_000
	s, err := scenario.Load("web", scenario.Options{Seed: 5, Duration: 3e9})
	if err != nil {
		t.Fatal(err)
	}
	for i := range s.Hosts {
		if h := &s.Hosts[i]; h.Name == "web" {
			h.Clock.Steps = append(h.Clock.Steps, clock.Step{At: 1_500_000_000, By: -by})
		}
	}
	dir := t.TempDir()
	if _, err := simulate.Run(t.Context(), s, simulate.Options{Seed: 5, Out: dir}); err != nil {
		t.Fatal(err)
	}
	e := openEngine(t, t.TempDir(), Options{})
	for _, h := range importPath(t, e, "back", dir).Status().Hosts {
		if h.Name != "web" {
			if h.PassedTwice != nil {
				t.Errorf("%s passed %v twice", h.Name, h.PassedTwice)
			}
			continue
		}
		if len(h.PassedTwice) != 1 {
			t.Fatalf("web passed twice: %v", h.PassedTwice)
		}
		begin, err1 := strconv.ParseInt(h.PassedTwice[0].Begin, 10, 64)
		end, err2 := strconv.ParseInt(h.PassedTwice[0].End, 10, 64)
		if length := end - begin; err1 != nil || err2 != nil || length > by || length < by-20_000_000 {
			t.Errorf("web passed %v twice, %d ns; it was set back by %d", h.PassedTwice, length, by)
		}
	}
}
