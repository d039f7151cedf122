package network

import "testing"

// A link in use is told as the maps have it: what is said of it and what is said of its hosts is the same, wherever either is asked.
func TestForce(t *testing.T) {
	n := New(Config{})
	for _, name := range []string{"a", "b", "c", "d"} {
		n.AddHost(name, name)
	}
	var key uint64
	for i := range int32(3) {
		talkAt(n, i, i+1, int64(i)*second, int64(i+1)*second, 50_000+int64(i)*20_000, 40, &key)
	}
	talkAt(n, 0, 2, 0, 2*second, 900_000, 20, &key) // not in use
	for i := range int32(4) {
		n.Done(i, nil)
	}
	s := n.Solution()
	used := 0
	for i := range s.Links {
		k := &s.Links[i]
		if !k.InTree {
			if k.Force != nil {
				t.Errorf("%d and %d are in force, and not in use", k.A, k.B)
			}
			continue
		}
		used++
		f := k.Force
		if f == nil {
			t.Fatalf("%d and %d are not in force", k.A, k.B)
		}
		from, to, begin, end := k.A, k.B, f.Begin, f.End
		if s.Hosts[k.A].Reference == k.A {
			from, to, begin, end = k.B, k.A, f.BBegin, f.BEnd
		}
		m, _ := n.Between(from, to)
		first, _ := m.Error(begin)
		last, _ := m.Error(end)
		worst, ok := m.Worst(begin, end)
		if !ok || f.First != first || f.Last != last || f.ErrorMax != worst {
			t.Errorf("%d and %d: %+v, compared they have %d at first, %d at last, %d at worst", k.A, k.B, *f, first, last, worst)
		}
		if f.ErrorMin > f.ErrorMedian || f.ErrorMedian > f.ErrorMax || f.ErrorMin <= 0 {
			t.Errorf("%d and %d: %+v", k.A, k.B, *f)
		}
		if b := s.Hosts[k.B].Map.Local(s.Hosts[k.A].Map.Reference(f.Begin)); max(b-f.BBegin, f.BBegin-b) > 2 {
			t.Errorf("%d and %d: at %d b shows %d, by the maps %d", k.A, k.B, f.Begin, f.BBegin, b)
		}
		if f.Pieces < 1 || f.RateMin > f.RateMax || f.RateMin < 0.9999 || f.RateMax > 1.0001 {
			t.Errorf("%d and %d: %+v", k.A, k.B, *f)
		}
	}
	if used != 3 {
		t.Errorf("%d links are in use", used)
	}
}
