package simulate_test

import (
	"os"
	"testing"
	"time"

	"synchroscope/simulate"
	"synchroscope/simulate/scenario"
)

// BenchmarkRun is everything from the scenario to the files.
func BenchmarkRun(b *testing.B) {
	for _, bench := range []struct {
		scenario string
		duration time.Duration
	}{
		{"web", 30 * time.Second},
		{"cluster-60", 2 * time.Second},
		{"s2", 10 * time.Minute},
		{"scp", 5 * time.Second},
		{"syscall-storm", time.Second},
		{"many-threads-20k", 10 * time.Second},
	} {
		b.Run(bench.scenario, func(b *testing.B) {
			s, err := scenario.Load(bench.scenario, scenario.Options{Seed: 7, Duration: int64(bench.duration)})
			if err != nil {
				b.Fatal(err)
			}
			var events int64
			for b.Loop() {
				dir, err := os.MkdirTemp(b.TempDir(), "")
				if err != nil {
					b.Fatal(err)
				}
				sum, err := simulate.Run(b.Context(), s, simulate.Options{Seed: 7, Out: dir})
				if err != nil {
					b.Fatal(err)
				}
				events += sum.Events
				os.RemoveAll(dir)
			}
			b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
		})
	}
}
