package hull

import "testing"

// Where one direction is silent for long the nearest messages of both do not enclose the clock;
// those farther away do, and the band is as finite as the line is.
func TestBandAcrossSilence(t *testing.T) {
	const second, from = int64(1_000_000_000), int64(1) << 60
	var s Series
	var h Hull
	talk := func(side Side, begin, end int64) {
		for x := begin; x < end; x += second / 10 {
			p := Point{from + x, from + x + 50_000}
			if side == Lower {
				p = Point{from + x + 50_000, from + x}
			}
			s.Add(side, p)
			h.Add(side, p)
		}
	}
	talk(Upper, 0, 60*second)
	talk(Lower, 100*second, 160*second)
	talk(Upper, 200*second, 260*second)
	talk(Lower, 300*second, 360*second)
	f := s.Fit()
	if h.Class() != Accurate || !f.OK {
		t.Fatalf("%v, %+v", h.Class(), f)
	}
	c := s.Corridor(f, Crystals)
	for x := int64(0); x <= 360; x += 5 {
		at := from + x*second
		if lo, hi, ok := c.Band(at); !ok || at < lo || at > hi {
			t.Errorf("after %d s the clock is in [%d, %d] of itself, %v", x, lo-at, hi-at, ok)
		}
	}
}
