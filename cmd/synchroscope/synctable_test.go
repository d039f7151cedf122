package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"synchroscope/internal/raced"
	"synchroscope/simulate"
	"synchroscope/simulate/scenario"
	"synchroscope/simulate/workload"
	"synchroscope/sync/baseline"
	"synchroscope/sync/network"
	"synchroscope/trace/ctf/writer"
)

// Scenarios that would take the most of the time are shortened.
var shortened = map[string]time.Duration{
	"cluster-20": 3 * time.Minute, "cluster-60": 20 * time.Second,
	"s2": 2 * time.Hour, "s5": 10 * time.Minute,
}

// These have a machine or two that do not talk, or next to nothing.
var silent = []string{"many-threads-20k", "syscall-storm"}

// Every scenario of the simulator that has messages, by every method, against the truth: no instant
// outside the bound, no message received before it is sent, no link that
// fails. With SYNCHROSCOPE_SYNC_SEEDS=20 (make bench-sync) it prints how the methods compare.
func TestSyncTable(t *testing.T) {
	raced.Elsewhere(t, "TestSyncWindow")
	seeds, scenarios := 1, []string{"islands", "loss-30", "outliers", "reboot", "web"}
	if n, err := strconv.Atoi(os.Getenv("SYNCHROSCOPE_SYNC_SEEDS")); err == nil {
		seeds, scenarios = n, scenario.Names()
	} else if testing.Short() {
		scenarios = []string{"islands", "web"}
	}
	if only := os.Getenv("SYNCHROSCOPE_SYNC_SCENARIOS"); only != "" {
		scenarios = strings.Split(only, ",")
	}
	table := syncTable{}
	for _, name := range scenarios {
		if slices.Contains(silent, name) {
			continue
		}
		row := &syncRow{scenario: name}
		for seed := range seeds {
			c, err := compareSimulated(t, name, uint64(seed+1))
			if err != nil {
				t.Fatalf("%s, seed %d: %v", name, seed+1, err)
			}
			row.add(t, uint64(seed+1), c)
		}
		table = append(table, row)
		row.print(os.Stderr)
	}
	if testing.Verbose() {
		table.print(os.Stdout)
	}
}

func compareSimulated(t *testing.T, name string, seed uint64) (*comparison, error) {
	dir := filepath.Join(t.TempDir(), fmt.Sprint(seed))
	defer os.RemoveAll(dir)
	s, err := scenario.Load(name, scenario.Options{Seed: seed, Duration: int64(shortened[name]), Workload: workload.Check})
	if err != nil {
		return nil, err
	}
	if _, err := simulate.Run(context.Background(), s, simulate.Options{Seed: seed, Out: dir, Format: writer.CTF18}); err != nil {
		return nil, err
	}
	opened := openPaths([]string{dir})
	defer opened.close()
	if len(opened.errs) > 0 {
		return nil, opened.errs[0]
	}
	return compareOpened(opened, "", network.Config{}, baseline.Config{}, []string{dir})
}
