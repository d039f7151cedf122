package scenario_test

import (
	"testing"

	"synchroscope/simulate/scenario"
	"synchroscope/simulate/workload"
)

// TestWorkloadsOfLibrary: what the library asks of machines, they can do.
func TestWorkloadsOfLibrary(t *testing.T) {
	for _, name := range scenario.Names() {
		if _, err := scenario.Load(name, scenario.Options{Seed: 7, Workload: workload.Check}); err != nil {
			t.Error(err)
		}
	}
}
