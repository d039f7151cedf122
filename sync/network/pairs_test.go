package network

import (
	"testing"

	"synchroscope/sync/clock"
)

// Three clocks that show the same, but for one whose map runs through a step: two of them are known to each other better than to the reference.
func TestErrorBetweenByPairs(t *testing.T) {
	flat := func(bound int64) *clock.Map {
		m, err := clock.New([]clock.Knot{{Local: 0, Reference: 0}, {Local: 1 << 40, Reference: 1 << 40}}, [][2]int64{{0, bound}, {1e9, bound}})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	bent := func(knots []clock.Knot, bounds [][2]int64) *clock.Map {
		m, err := clock.New(knots, bounds)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	steep := []clock.Knot{{Local: 0, Reference: 0}, {Local: 700e6, Reference: 700e6}, {Local: 710e6, Reference: 760e6}, {Local: 1 << 40, Reference: 1<<40 + 50e6}}
	s := &Solution{Final: true, Hosts: []Host{
		{Name: "reference", End: 1e9, Map: flat(0)},
		{Name: "a", End: 1e9, Map: bent(steep, [][2]int64{{0, 50_000}, {1e9, 50_000}})},
		{Name: "b", End: 1e9, Map: bent(steep, [][2]int64{{0, 70_000}, {1e9, 70_000}})},
		{Name: "c", End: 1e9, Map: flat(1000)},
	}}
	compared := bent([]clock.Knot{{Local: 0, Reference: 0}, {Local: 1 << 40, Reference: 1 << 40}},
		[][2]int64{{10e6, 2000}, {300e6, 2000}, {300e6 + 1, 110_000}, {320e6, 110_000}, {320e6 + 1, 5000}, {900e6, 5000}})
	with := s.WithPairs([]Comparison{{From: &s.Hosts[1], To: &s.Hosts[2], Map: compared}})
	for _, c := range []struct {
		name           string
		from, to       int32
		sent, received int64
		want           int64
	}{
		{"directly", 1, 2, 100e6, 101e6, 2000 + 1000 + 2 + 1},
		{"back", 2, 1, 100e6, 101e6, 2000 + 1000 + 2 + 1},
		{"received before it is sent", 1, 2, 101e6, 100e6, 2000 + 1000 + 2 + 1},
		{"where the bound is another at both ends", 1, 2, 299e6, 330e6, 50_000 + 70_000},
		{"from what is known well to what is known less", 1, 2, 330e6, 340e6, 5000 + 10_000 + 5 + 1},
		{"into a time at which it is not known what the clocks show", 1, 2, 299e6, 310e6, 120_000},
		{"so long that rates make more of it than the reference is off by", 1, 2, 400e6, 650e6, 120_000},
		{"through a step of the reference's maps", 1, 2, 699e6, 701e6, 120_000},
		{"behind it", 1, 2, 720e6, 721e6, 5000 + 1000 + 5 + 1},
		{"before anything is compared", 1, 2, 1e6, 11e6, 120_000},
		{"after it", 1, 2, 899e6, 901e6, 120_000},
		{"pairs that are not compared", 1, 3, 100e6, 101e6, 51_000},
		{"the reference", 0, 2, 100e6, 101e6, 70_000},
	} {
		got, ok := with.ErrorBetween(c.from, c.to, c.sent, c.received)
		if !ok || got != c.want {
			t.Errorf("%s: %d, %v, want %d", c.name, got, ok, c.want)
		}
		sum, ok := s.ErrorBetween(c.from, c.to, c.sent, c.received)
		if want := []int64{0, 50_000, 70_000, 1000}; !ok || sum != want[c.from]+want[c.to] {
			t.Errorf("%s: without pairs %d, %v", c.name, sum, ok)
		}
	}
	s.Hosts[2].Map = bent(steep, nil)
	with = s.WithPairs([]Comparison{{From: &s.Hosts[1], To: &s.Hosts[2], Map: compared}})
	if got, ok := with.ErrorBetween(1, 2, 100e6, 101e6); !ok || got != 3003 {
		t.Errorf("without a bound to the reference: %d, %v", got, ok)
	}
	if _, ok := with.ErrorBetween(1, 2, 1e6, 11e6); ok {
		t.Error("where neither knows a bound there is one")
	}
}
