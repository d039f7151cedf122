package kernel_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"synchroscope/simulate/scenario"
)

// Where the file of a CPU's stream is missing, or is empty since every packet of it was lost, nothing is wrong at any time: what the threads do that
// were put into its queue, and all that could be there, is unknown from the beginning of the history on. So it is in a recording of half a second, also of one that is
// read in parts, and it is told of.
func TestTruthWithoutAStream(t *testing.T) {
	for name, c := range map[string]struct {
		harm    func(string) error
		restart int
	}{
		"missing": {os.Remove, 0},
		"empty":   {func(path string) error { return os.Truncate(path, 0) }, 3000},
	} {
		t.Run(name, func(t *testing.T) {
			really := make(lives)
			short := func(s *scenario.Scenario) { spared(s); s.Duration = 5e8 }
			for _, traces := range seeded(t, "web", 1, short, really) {
				dir := traces.Traces[0].Dir()
				if err := c.harm(filepath.Join(dir, "channel0_1")); err != nil {
					t.Fatal(err)
				}
				built := build(t, hosts(t, dir)[0], c.restart)
				h := built.Writer.History()
				begin, end := h.Bounds()
				for _, until := range []int64{begin + 1e6, end} {
					got := compareAt(lookWithin(t, h, begin, until), really[traces.Name], nil, true)
					t.Logf("%s, %d ms: %+v, %d wrong", traces.Name, (until-begin)/1e6, got.tally, got.wrong)
					if got.right == 0 {
						t.Errorf("%s: nothing is known of the first %d ns", traces.Name, until-begin)
					}
				}
				if a, ok := built.Model.Missing(); !ok || a.Kind != "no-stream" || a.Count != 1 || !strings.HasPrefix(a.Message, "CPU 1: ") {
					t.Errorf("%s: %v, %+v is told of CPU 1", traces.Name, ok, a)
				}
			}
		})
	}
}

// By the first three of these every packet of a CPU is lost. By the others its last ones are, within the millisecond in which all streams end.
func TestTruthWherePacketsAreLost(t *testing.T) {
	for _, c := range []struct {
		name, host string
		seed       uint64
	}{
		{"lost-events", "sound", 433}, {"s8", "mover", 407}, {"s8", "mover", 425},
		{"web", "db", 107}, {"web", "web", 234}, {"lost-events", "holes", 217}, {"lost-events", "cut", 231},
	} {
		t.Run(fmt.Sprint(c.name, c.seed), func(t *testing.T) {
			really := make(lives)
			for _, traces := range seeded(t, c.name, c.seed, overflowing(c.seed), really) {
				if traces.Name != c.host {
					continue
				}
				if got := compare(t, build(t, traces, 0).Writer.History(), really[traces.Name], nil, true); got.right == 0 {
					t.Errorf("%+v, want some right", got.tally)
				}
			}
		})
	}
}

// All that a CPU recorded is lost, and in the first moments other CPUs take threads from its queue, and put none into it: what runs there is unknown from the
// beginning on.
func TestTruthOfPulledThreads(t *testing.T) {
	really := make(lives)
	lossy := func(s *scenario.Scenario) {
		s.Duration = 3_446_305_640
		h := &s.Hosts[0].Tracing
		h.SubBuffer, h.SubBuffers, h.Rate, h.Wake, h.Loss = 64<<10, 2, 50_000, 200e6, 0.02
	}
	for _, traces := range seeded(t, "syscall-storm", 2018, lossy, really) {
		if traces.Name != "storm" {
			continue
		}
		built := build(t, traces, 0)
		got := compareAt(lookWithin(t, built.Writer.History(), 1767225599000094294, 1767225599000094294+20e6), really[traces.Name], nil, true)
		t.Logf("%+v, %d wrong", got.tally, got.wrong)
		if a, ok := built.Model.Missing(); !ok || !strings.HasPrefix(a.Message, "CPU 1: ") {
			t.Errorf("%v, %+v is told of CPU 1", ok, a)
		}
	}
}

// overflowing has the tracers of a scenario overflow and lose packets, as the chance of a seed has it.
func overflowing(seed uint64) func(*scenario.Scenario) {
	dice := rand.New(rand.NewPCG(seed, 7))
	return func(s *scenario.Scenario) {
		s.Duration = min(s.Duration, 2e9+dice.Int64N(4e9))
		for i := range s.Hosts {
			h := &s.Hosts[i].Tracing
			h.SubBuffer, h.SubBuffers, h.Wake = (4<<10)<<dice.IntN(4), 2+dice.IntN(6), 20e6
			h.Rate = []int64{0, 50_000, 150_000, 400_000}[dice.IntN(4)]
			h.Loss = []float64{0, 0.02, 0.1, 0.3}[dice.IntN(4)]
			h.Cut = dice.IntN(3) == 0
		}
	}
}
