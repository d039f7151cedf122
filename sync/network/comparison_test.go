package network

import (
	"encoding/json"
	"slices"
	"testing"
)

// Stored constraints compare two hosts as the network itself does, along the same way, also when the way leads around a link
// that does not count; by the maps alone the clocks are the same to within the bound.
func TestCompare(t *testing.T) {
	n := New(Config{})
	names := []string{"a", "b", "c", "d", "island"}
	for _, name := range names {
		n.AddHost(name, name)
	}
	var key uint64
	for i := range int32(3) {
		talkAt(n, i, i+1, int64(i)*second, int64(i+1)*second, 40_000, 40, &key)
	}
	talkAt(n, 0, 3, 0, 3*second, 300_000, 40, &key)
	for i := range int32(len(names)) {
		n.Done(i, nil)
	}
	constraints := n.Constraints()
	all, err := constraints.Compare(Config{}, [2]string{"a", "d"}, [2]string{"d", "a"})
	if err != nil {
		t.Fatal(err)
	}
	direct, ok := n.Between(0, 3)
	if !ok || !all[0].Map.Equal(direct) {
		t.Errorf("by the network %v, by constraints %v", direct, all[0].Map)
	}
	if !slices.Equal(all[0].Way, []string{"a", "b", "c", "d"}) || !slices.Equal(all[1].Way, []string{"d", "c", "b", "a"}) {
		t.Errorf("the ways are %v and %v", all[0].Way, all[1].Way)
	}
	maps, err := n.Solution().Compare([2]string{"a", "d"})
	if err != nil || !slices.Equal(maps[0].Way, all[0].Way) || len(maps[0].Map.Bounds()) > 0 {
		t.Fatalf("by the maps: %v, %+v", err, maps)
	}
	middle := n.hosts[0].begin + (n.hosts[0].end-n.hosts[0].begin)/2
	bound, ok := all[0].Map.Error(middle)
	if off := all[0].Map.Reference(middle) - maps[0].Map.Reference(middle); !ok || max(off, -off) > 2*bound {
		t.Errorf("along the way and by the maps are %d apart, the bound is %d", off, bound)
	}
	around, err := constraints.Compare(Config{Exclude: [][2]string{{"b", "c"}}}, [2]string{"b", "c"})
	if err != nil || !slices.Equal(around[0].Way, []string{"b", "a", "d", "c"}) {
		t.Errorf("around a link: %v, %v", err, around)
	}

	// A comparer says the same, pair after pair. Pairs with the reference are not among those that it has more to say of.
	x, err := constraints.Comparer(Config{Reference: "a"})
	if err != nil {
		t.Fatal(err)
	}
	if linked := x.Linked(); !slices.Equal(linked, [][2]string{{"b", "c"}, {"c", "d"}}) {
		t.Errorf("linked are %v", linked)
	}
	for _, pair := range [][2]string{{"d", "b"}, {"a", "d"}, {"d", "b"}} {
		one, err := x.Compare(pair)
		if err != nil {
			t.Fatal(err)
		}
		want, err := constraints.Compare(Config{Reference: "a"}, pair)
		if err != nil || !one[0].Map.Equal(want[0].Map) || !slices.Equal(one[0].Way, want[0].Way) || one[0].RateCap != want[0].RateCap {
			t.Errorf("%v: %v, %+v, want %+v", pair, err, one[0], want[0])
		}
	}
	if _, err := constraints.Comparer(Config{Reference: "x"}); err == nil {
		t.Error("there is a comparer of what cannot be")
	}

	r := all[0].Report()
	if r.A != "a" || r.B != "d" || r.Offset.Middle < 2_900_000_000 || r.Offset.Middle > 3_100_000_000 || r.Error == nil || r.RateCap == nil || *r.Assumption != "rate cap" || len(r.Map) != 1 {
		t.Errorf("reported as %+v", r)
	}
	b, err := json.Marshal(maps[0].Report())
	if err != nil {
		t.Fatal(err)
	}
	var keys map[string]any
	if err := json.Unmarshal(b, &keys); err != nil || keys["error_ns"] != nil || keys["assumption"] != nil {
		t.Errorf("without a bound it is %s, %v", b, err)
	}
	for pair, want := range map[[2]string]string{
		{"a", "x"}:      `there is no host "x"`,
		{"a", "a"}:      `"a" is to be compared with itself`,
		{"a", "island"}: `no message relates the clocks of "a" and "island"`,
	} {
		if _, err := constraints.Compare(Config{}, pair); err == nil || err.Error() != want {
			t.Errorf("%v: %v", pair, err)
		}
		if _, err := n.Solution().Compare(pair); err == nil || err.Error() != want {
			t.Errorf("%v by the maps: %v", pair, err)
		}
	}
}
