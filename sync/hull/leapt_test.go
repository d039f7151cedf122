package hull

import (
	"math/rand/v2"
	"testing"
)

// A clock is set by far more than is recorded, either way: by hours or years, of ten seconds. By its own time nearly all windows are in the gap, and
// a curve that stands still leads over it; by the other clock there are two stretches, and that is what is told, whichever of the two it was.
func TestSetFar(t *testing.T) {
	const at = 6_000*ms + 7*ms
	for _, by := range []int64{day / 24, day / 12, day / 4, day, 365 * day, 3000 * day, -day / 24, -day / 12, -day / 4, -day, -365 * day, -3000 * day} {
		for _, first := range []bool{true, false} {
			for seed := range uint64(4) {
				r := rand.New(rand.NewPCG(seed, 1))
				p := &setting{first: first, at: at, by: by}
				s := new(Series)
				for i := range int64(1000) {
					sent := 10*ms*i + r.Int64N(ms)
					p.message(s, Side(i%2), sent, sent+20_000+r.Int64N(80_000))
				}
				f := s.Fit()
				if !f.OK || len(f.parts) != 2 || len(f.Cuts) != 1 {
					t.Fatalf("a clock that is set by %d s gets %d parts and %d cuts, first %v, seed %d", by/1_000_000_000, len(f.parts), len(f.Cuts), first, seed)
				}
				c := s.Corridor(f, f.Cap)
				if c.open {
					t.Errorf("nothing is known of a clock that is set by %d s, first %v, seed %d", by/1_000_000_000, first, seed)
				}
				for _, stretch := range [][2]int64{{0, 10_000 * ms}, {at - 30*ms, at + 30*ms}} {
					if err := p.bounded(c, stretch[0], stretch[1], (stretch[1]-stretch[0])/500); err != nil {
						t.Errorf("set by %d s, first %v, seed %d: %v", by/1_000_000_000, first, seed, err)
					}
				}
				if by < 0 && !first {
					continue // behind a step back the path stays where it is
				}
				if err := p.followed(s, f, c, 0, 10_000*ms, 10*ms, func(t int64) bool { return t > at-100*ms && t < at+100*ms }); err != nil {
					t.Errorf("set by %d s, first %v, seed %d: %v", by/1_000_000_000, first, seed, err)
				}
			}
		}
	}
}
