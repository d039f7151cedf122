package network

import (
	"testing"

	"pgregory.net/rapid"
)

// Any two hosts of a component can be compared along their way: the truth is within the bound,
// and the bound no wider than what both have to the reference, each rounded. What is said of two clocks is
// what their own maps say, wherever it is asked: to the reference with the same bound at all times.
func TestBetween(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hosts := rapid.IntRange(2, 5).Draw(t, "hosts")
		n := New(Config{})
		offsets := make([]int64, hosts)
		for i := range hosts {
			n.AddHost(string(rune('a'+i)), string(rune('a'+i)))
			offsets[i] = rapid.Int64Range(-100, 100).Draw(t, "offset") * second
		}
		var key uint64
		for i := 1; i < hosts; i++ {
			up := rapid.IntRange(0, i-1).Draw(t, "up")
			talkAt(n, int32(up), int32(i), offsets[up], offsets[i], rapid.Int64Range(20_000, 300_000).Draw(t, "delay"), 40, &key)
		}
		for i := range int32(hosts) {
			n.Done(i, nil)
		}
		s := n.Solution()
		for a := range int32(hosts) {
			for b := range int32(hosts) {
				m, ok := n.Between(a, b)
				if !ok {
					t.Fatalf("%d and %d are not compared", a, b)
				}
				at := s.Hosts[a].Begin + (s.Hosts[a].End-s.Hosts[a].Begin)/2
				bound, ok := m.Error(at)
				if !ok {
					t.Fatalf("%d and %d: no bound", a, b)
				}
				if b == s.Hosts[a].Reference && !m.Equal(s.Hosts[a].Map) {
					t.Fatalf("to the reference %d has another map than its own", a)
				}
				if apart := m.Reference(at) - s.Hosts[b].Map.Local(s.Hosts[a].Map.Reference(at)); max(apart, -apart) > 2 {
					t.Fatalf("from %d to %d: %d ns beside what their maps say", a, b, apart)
				}
				off := m.Reference(at) - (at - offsets[a] + offsets[b])
				if max(off, -off) > bound {
					t.Fatalf("from %d to %d: off by %d, the bound is %d", a, b, off, bound)
				}
				p, _ := s.Hosts[a].Map.Error(at)
				q, _ := s.Hosts[b].Map.Error(m.Reference(at))
				if slack := (p + q) / 4; bound > p+q+slack+10 {
					t.Fatalf("from %d to %d: the bound is %d, over the reference %d and %d", a, b, bound, p, q)
				}
			}
		}
	})
}

// A host that the messages do not reach is not compared. A pinned reference says what it costs.
func TestPinnedLoss(t *testing.T) {
	var alone []*int64 // what each host would cost
	for _, c := range []struct {
		pin, best string
		loss      int64 // in links of a chain
	}{{"", "", 0}, {"c", "", 0}, {"b", "c", 1}, {"a", "c", 4}, {"island", "", 0}} {
		n := New(Config{Reference: c.pin})
		for _, name := range []string{"a", "b", "c", "d", "e", "island"} {
			n.AddHost(name, name)
		}
		var key uint64
		for i := range int32(4) {
			talk(n, i, i+1, 0, 50_000, 40, &key)
		}
		for i := range int32(6) {
			n.Done(i, nil)
		}
		s := n.Solution()
		if _, ok := n.Between(0, 5); ok {
			t.Error("an island is compared")
		}
		if c.pin == "" {
			for i, h := range s.Hosts {
				alone = append(alone, h.Loss)
				if h.Loss == nil || (*h.Loss == 0) != (i == 2 || i == 5) {
					t.Errorf("as the reference %s costs %v", h.Name, h.Loss)
				}
			}
		}
		p := s.Report().Pinned
		if c.loss == 0 {
			if p != nil {
				t.Errorf("pinned %q: %+v", c.pin, *p)
			}
			continue
		}
		// All links are alike, so all have the same error; to move by one from the middle of five makes two ways shorter and three longer.
		link := s.Links[0].Served
		if p == nil || p.Host != c.pin || p.Best != c.best || p.Hosts != 5 || p.Loss == nil || *p.Loss < c.loss*link*9/10 || *p.Loss > c.loss*link*11/10 {
			t.Errorf("pinned %q: %+v, a link has %d", c.pin, p, link)
		}
		if want := *alone[c.pin[0]-'a']; p != nil && *p.Loss != want {
			t.Errorf("pinned %q costs %d, it was to be %d", c.pin, *p.Loss, want)
		}
	}
}
