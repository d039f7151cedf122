package scenario

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLibrary: every scenario that is promised is there, is called as its file, and can be read for other seeds and
// durations; those with a number of hosts can have others.
func TestLibrary(t *testing.T) {
	want := strings.Fields(`asymmetric chain-8 cluster-20 cluster-60 islands late-join late-start loss-10 loss-20 loss-30 lost-events
		many-threads-20k outliers pair-drift reboot s1 s2 s3 s4 s5 s6 s7 s8 s9 s10 scp syscall-storm thermal-4h web`)
	if got := Names(); strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("the library has %v", got)
	}
	for _, name := range Names() {
		s, err := Load(name, Options{Seed: 7})
		if err != nil {
			t.Error(err)
			continue
		}
		if s.Name != name || s.About == "" || len(s.Workloads) == 0 {
			t.Errorf("%s is called %q, %q, and has %d workloads", name, s.Name, s.About, len(s.Workloads))
		}
		if _, err := Load(name, Options{Seed: 8, Duration: 1e9}); err != nil {
			t.Error(err)
		}
		more := len(s.Hosts) + 3
		grown, err := Load(name, Options{Seed: 7, Hosts: more})
		switch {
		case err != nil && !strings.Contains(err.Error(), "the number of its hosts is fixed"):
			t.Error(err)
		case err == nil && len(grown.Hosts) < more:
			t.Errorf("%s with %d hosts has %d", name, more, len(grown.Hosts))
		}
	}
}

// TestCluster20: as promised, 61 pairs of 20 machines talk for 25 minutes.
func TestCluster20(t *testing.T) {
	s, err := Load("cluster-20", Options{Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	pairs := make(map[[2]string]bool)
	for _, w := range s.Workloads {
		if a, b := w.Params["from"], w.Params["to"]; a != "" {
			pairs[[2]string{min(a, b), max(a, b)}] = true
		}
	}
	if len(pairs) != 61 || len(s.Hosts) != 20 || s.Duration != 25*60e9 {
		t.Errorf("%d pairs of %d hosts talk for %d ns", len(pairs), len(s.Hosts), s.Duration)
	}
}

// TestFile: a path is read where no name is meant, and what is neither is told with the names there are.
func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "own.scenario")
	if err := os.WriteFile(path, []byte(small), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := Load(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	a, _ := json.Marshal(s)
	b, _ := json.Marshal(parse(t, small, Options{}))
	if !bytes.Equal(a, b) {
		t.Error("the file is read as something else")
	}
	if _, err := Load("wob", Options{}); err == nil || !strings.Contains(err.Error(), `there is no scenario "wob"; there are asymmetric, `) {
		t.Error(err)
	}
}
