package network

import (
	"slices"
	"testing"

	"synchroscope/sync/hull"
)

// Evidence has the geometry of the link that a solution is made of, and tells its messages as a sees them.
func TestEvidenceHasTheGeometryOfItsLink(t *testing.T) {
	for _, ids := range [][2]string{{"a", "b"}, {"b", "a"}, {"a", "a"}} {
		e := NewEvidence(ids[0], ids[1])
		if l := newLink([]host{{id: ids[0]}, {id: ids[1]}}, 0, 1); e.flipped != l.flipped {
			t.Errorf("of %v the evidence is flipped: %v, the link: %v", ids, e.flipped, l.flipped)
		}
		above, below := []hull.Point{{X: 10, Y: 15}}, []hull.Point{{X: 20, Y: 18}}
		e.Add(hull.Upper, above[0])
		e.Add(hull.Lower, below[0])
		if up, low := e.Points(hull.Upper), e.Points(hull.Lower); !slices.Equal(up, above) || !slices.Equal(low, below) {
			t.Errorf("of %v the points are %v and %v", ids, up, low)
		}
	}
}

// The band that a picture shows is the one that bounds rest on: cut where others show a step, which its own messages do not.
func TestEvidenceIsCutAsItsLinkIs(t *testing.T) {
	p := setBack{host: 1, by: -200_000, there: 5_000_000, back: 5_000_000}
	n := p.network("a")
	s := n.Solution()
	for _, k := range s.Links {
		if k.A != 1 || k.B != 2 {
			continue
		}
		if len(k.Told) == 0 {
			t.Fatal("the link is not cut")
		}
		e := NewEvidence(s.Hosts[k.A].ID, s.Hosts[k.B].ID)
		for _, side := range []hull.Side{hull.Upper, hull.Lower} {
			for _, m := range n.links[[2]int32{k.A, k.B}].live.series.Points(side) {
				e.Add(side, m)
			}
		}
		own, used, want := e.Corridor(&k), e.Used(&k), n.hops[[2]int32{k.A, k.B}].corridor
		wider := false
		for x := s.Hosts[k.A].Begin; x <= s.Hosts[k.A].End; x += second / 4 {
			lo, hi, ok := used.Band(x)
			if low, high, known := want.Band(x); lo != low || hi != high || ok != known {
				t.Fatalf("at %d the band is from %d to %d, known %v, and bounds are of %d to %d, %v", x, lo, hi, ok, low, high, known)
			}
			low, high, _ := own.Band(x)
			wider = wider || !ok || lo < low || hi > high
		}
		if !wider {
			t.Error("its own messages say the same")
		}
		return
	}
	t.Fatal("no link")
}
