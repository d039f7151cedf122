package hull

import (
	"math/rand/v2"
	"sync"
	"testing"
)

// The links of many hosts ask at the same time for the doubts of one that is on the way of all: asking leaves nothing in the corridor.
func TestDoubtsLeaveTheCorridor(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	p := &setting{first: true, at: 5_000*ms + 7*ms, by: 300 * ms}
	s := new(Series)
	for i := range int64(1000) {
		sent := 10*ms*i + r.Int64N(ms)
		p.message(s, Side(i%2), sent, sent+20_000+r.Int64N(80_000))
	}
	f := s.Fit()
	c := s.Corridor(f, f.Cap).Clone()
	want := c.Clone().Doubts()
	if len(want) != 1 || !want[0].Known {
		t.Fatalf("%+v", want)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if got := c.Doubts(); len(got) != 1 || got[0] != want[0] {
				t.Errorf("%+v, by itself %+v", got, want)
			}
		})
	}
	wg.Wait()
	if c.bounds.ceiling != nil || c.bounds.floor != nil {
		t.Error("bands were computed in the corridor itself")
	}
}
