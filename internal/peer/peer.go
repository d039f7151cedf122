// Package peer finds the programs that tests run beside ours.
package peer

import (
	"os"
	"os/exec"
	"testing"
)

// Program is where a program is. Where it is not installed ok is false, which the log of the test says; in CI, where all are, the test fails at once.
func Program(t testing.TB, name string) (path string, ok bool) {
	t.Helper()
	path, err := exec.LookPath(name)
	if err == nil {
		return path, true
	}
	if os.Getenv("CI") != "" {
		t.Fatalf("%s is not installed, but this run needs it", name)
	}
	t.Logf("%s is not installed", name)
	return "", false
}
