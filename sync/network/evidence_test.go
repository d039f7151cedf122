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
