// Package traces keeps simulated traces for benchmarks: each set is made once, and found again by what it was made of.
package traces

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// A Key is what traces are made of. Equal keys are equal traces.
type Key struct {
	Scenario string // of the library
	Seed     int
	Length   time.Duration // of simulated time
}

// Flags lets the flags of a program say what k is; by default it is what the benchmarks are of.
func (k *Key) Flags() {
	flag.StringVar(&k.Scenario, "scenario", "cluster-20", "the scenario that is simulated")
	flag.DurationVar(&k.Length, "length", 30*time.Minute, "how long the simulated cluster runs")
	flag.IntVar(&k.Seed, "seed", 7, "the seed of the simulation")
}

// String is the key as part of a file name.
func (k Key) String() string { return fmt.Sprintf("%s-%d-%s", k.Scenario, k.Seed, k.Length) }

// Program returns the path of the program to measure: the one given, or where none is, synchroscope built from the sources here into the
// directory, which is made if need be.
func Program(ctx context.Context, dir, given string) (string, error) {
	if given != "" {
		return given, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	program := filepath.Join(dir, "synchroscope")
	return program, Run(ctx, "go", "build", "-o", program, "./cmd/synchroscope")
}

// Keep returns the directory with the traces of a key, below dir. The program simulates them if they are not there.
func Keep(ctx context.Context, dir, program string, k Key) (string, error) {
	kept := filepath.Join(dir, k.String()+"-traces")
	if _, err := os.Stat(kept); !errors.Is(err, fs.ErrNotExist) {
		return kept, err
	}
	// They are made beside their name and then given it, so that what was interrupted is made anew.
	fresh := kept + ".part"
	if err := os.RemoveAll(fresh); err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	err := Run(ctx, program, "simulate", "-scenario", k.Scenario, "-seed", fmt.Sprint(k.Seed), "-duration", k.Length.String(), "-out", fresh)
	if err != nil {
		return "", err
	}
	return kept, os.Rename(fresh, kept)
}

// Run runs a command and says so on standard error, where its own goes too.
func Run(ctx context.Context, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stderr = os.Stderr
	fmt.Fprintln(os.Stderr, strings.Join(cmd.Args, " "))
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
	}
	return nil
}

// MachineLoad is how many processes ran or waited for a CPU in the last minute, as a figure beside those of a benchmark.
func MachineLoad() string {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.Fields(string(b))[0]
}
