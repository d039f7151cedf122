package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"synchroscope/catalog"
	"synchroscope/internal/raced"
)

// Of 20 machines that are read in turn a build has in use little for each, and what the clocks are told by. It is looked at in a process of its own:
// other tests leave memory in use.
func TestInUseOfManyMachines(t *testing.T) {
	raced.Elsewhere(t, "TestBuild")
	const alone = "SYNCHROSCOPE_TEST_IN_USE"
	if os.Getenv(alone) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestInUseOfManyMachines$", "-test.v")
		cmd.Env = append(os.Environ(), alone+"=1")
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "--- PASS: TestInUseOfManyMachines") {
			t.Errorf("%v\n%s", err, out)
		}
		t.Logf("%s", out)
		return
	}
	dir := t.TempDir()
	traces := filepath.Join(dir, "traces")
	if code := run([]string{"simulate", "-scenario", "cluster-20", "-duration", "6m", "-seed", "7", "-out", traces}, io.Discard, os.Stderr); code != exitOK {
		t.Fatalf("simulate: %d", code)
	}
	var most atomic.Int64
	var over atomic.Bool
	afterEach(func() bool {
		most.Store(max(most.Load(), inUse()-catalog.Aside))
		return !over.Load()
	})
	if code := run([]string{"build", "-data", filepath.Join(dir, "data"), "-name", "many", "-workers", "2", traces}, io.Discard, os.Stderr); code != exitOK {
		t.Fatalf("build: %d", code)
	}
	over.Store(true)
	t.Logf("%.1f MiB", float64(most.Load())/(1<<20))
	if bound := int64(mostInUse); most.Load() > bound {
		t.Errorf("%.1f MiB are in use, at most %.1f are wanted", float64(most.Load())/(1<<20), float64(bound)/(1<<20))
	}
}

const mostInUse = 40 << 20
