package network

import "testing"

// Of four hosts d is the reference, as all others talk to it. Without its link to a there are two that are equally good, and it stays.
func TestReferenceStaysWithoutALink(t *testing.T) {
	n := New(Config{})
	for _, name := range []string{"a", "b", "c", "d"} {
		n.AddHost(name, "clock of "+name)
	}
	var key uint64
	talk := func(x, y int32, delay int64) {
		for i := range int64(50) {
			for _, way := range [][2]int32{{x, y}, {y, x}} {
				key++
				at := start + i*second
				exchange(n, way[0], way[1], key, at, at+delay, 52)
			}
		}
	}
	talk(0, 3, 20_000)
	talk(1, 3, 20_000)
	talk(2, 3, 20_000)
	talk(0, 1, 400_000)
	for i := range int32(4) {
		n.Span(i, start, start+50*second)
		n.Done(i, nil)
	}
	c := n.Constraints()
	for _, without := range [][][2]string{nil, {{"a", "d"}}} {
		s, err := c.Solve(Config{Exclude: without})
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Hosts[s.Reference].Name; got != "d" {
			t.Errorf("without %v the reference is %s", without, got)
		}
	}
}
