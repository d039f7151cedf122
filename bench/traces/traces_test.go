package traces_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"synchroscope/bench/traces"
)

// Traces are made once; what was left half made is made anew.
func TestKeep(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "program")
	// The last argument is where it is to write; it fails the first time, half way.
	script := "#!/bin/sh\nfor out; do :; done\nmkdir \"$out\" || exit 1\necho $@ >> " + dir + "/runs\n[ $(wc -l < " + dir + "/runs) -gt 1 ]\n"
	if err := os.WriteFile(program, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	key := traces.Key{Scenario: "web", Seed: 3, Length: time.Minute}
	cache := filepath.Join(dir, "cache")
	if _, err := traces.Keep(t.Context(), cache, program, key); err == nil {
		t.Fatal("a program that failed has made traces")
	}
	for range 2 {
		got, err := traces.Keep(t.Context(), cache, program, key)
		if want := filepath.Join(cache, "web-3-1m0s-traces"); err != nil || got != want {
			t.Fatalf("%s, %v, want %s", got, err, want)
		}
	}
	args := "simulate -scenario web -seed 3 -duration 1m0s -out " + filepath.Join(cache, "web-3-1m0s-traces.part") + "\n"
	if runs, err := os.ReadFile(filepath.Join(dir, "runs")); err != nil || string(runs) != args+args {
		t.Errorf("it ran as %q, %v", runs, err)
	}
}
