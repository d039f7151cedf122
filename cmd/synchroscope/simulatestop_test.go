package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A simulation that is told to end does, also where hardly any true time passes for all that happens; what it leaves
// is not taken for a whole one.
func TestStopSimulation(t *testing.T) {
	dir := t.TempDir()
	file, out := filepath.Join(dir, "storm.scenario"), filepath.Join(dir, "out")
	err := os.WriteFile(file, []byte(`scenario storm "More in an hour than anybody waits for"
duration 1h
host node-{1..100} cpus=8
workload storm threads=16 call=100ns between=0s`), 0o644)
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd := exec.Command("synchroscope", "simulate", "--scenario", file, "--out", out)
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	for { // until it has begun to write, and so listens to signals
		_, err := os.Stat(filepath.Join(out, "node-100", "kernel"))
		if err == nil {
			break
		}
		if !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Millisecond)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitInterrupt {
		t.Errorf("the exit code is %d, not %d", code, exitInterrupt)
	}
	if !strings.Contains(stderr.String(), "interrupted; what is in "+out+" is no whole simulation") {
		t.Errorf("it says %q", stderr.String())
	}
	if _, err := os.Stat(filepath.Join(out, "truth.json")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("there is a truth of what did not come to its end: %v", err)
	}
	if err := exec.Command("synchroscope", "simulate", "--validate", out).Run(); err == nil {
		t.Error("it is said to be consistent")
	}
}
