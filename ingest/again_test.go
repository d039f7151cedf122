package ingest

import (
	"os"
	"testing"
	"time"

	"synchroscope/internal/raced"
)

// The law of order holds too where the set has more endpoints than are kept in memory: the messages and the
// solution are then made once more, in an order that the endpoints give.
func TestOrderDoesNotMatterWithLittleMemory(t *testing.T) {
	raced.Elsewhere(t, "TestOrderDoesNotMatter")
	var want string
	for _, o := range []Options{{Workers: 1}, {Workers: 4}, {Workers: 4, saveEvery: time.Millisecond}} {
		dir := t.TempDir()
		o.maxPending = 100
		e := openEngine(t, dir, o)
		s := importPath(t, e, "demo", shop(t).File(t))
		if want == "" {
			want = answers(t, s)
			c := s.Solution().Counts
			t.Logf("%+v", c)
			if c.Matched < c.Sent/4 || c.Evicted == 0 {
				t.Errorf("%+v: the hosts were not read in step, or nothing was dropped", c)
			}
		}
		equal(t, "little memory", answers(t, s), want)
		closeEngine(t, e)
		if err := os.Remove(e.Sets()[0].path("solution")); err != nil {
			t.Fatal(err)
		}
		e = openEngine(t, dir, o)
		equal(t, "little memory, solved again", answers(t, e.Sets()[0]), want)
		closeEngine(t, e)
	}
}
