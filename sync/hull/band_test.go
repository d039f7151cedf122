package hull

import (
	"testing"

	"pgregory.net/rapid"
)

// Where the band is read from the hulls alone it is the one of the steepest and the flattest line.
func TestBandBetween(t *testing.T) {
	read, all := 0, 0
	hold := func(t *rapid.T, h *Hull, x int64) {
		all++
		lo, hi, ok := h.between(x)
		if !ok {
			return
		}
		read++
		h.solve()
		low, high, also := h.Band(x)
		if !also || !h.hasSteepest || !h.hasFlattest || low != lo || high != hi {
			t.Fatalf("at %d the band is [%d, %d], by all lines [%d, %d], %v", x, lo, hi, low, high, also)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		messages := links(t)
		var h Hull
		for _, m := range messages {
			h.insert(m.side, m.p)
		}
		for _, m := range messages {
			hold(t, &h, m.p.X/2*3+rapid.Int64Range(-100, 100).Draw(t, "off"))
		}
		b := bents(t)
		s := b.series()
		p := newPart(b.cap, s.windows)
		for i := range int64(120) {
			x := b.from + (b.to-b.from)/100*(i-10)
			p.lift(b.cap, x, near, &h)
			hold(t, &h, x)
		}
	})
	if read < all/8 {
		t.Errorf("%d of %d bands are read from the hulls alone", read, all)
	}
}
