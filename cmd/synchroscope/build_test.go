package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"synchroscope/ingest"
	"synchroscope/internal/raced"
	"synchroscope/simulate/simulatetest"
	"synchroscope/trace"
)

// The recording that is built into the program, imported without a server: the report has what
// is known of it, and the directory is one that a server can open.
func TestBuild(t *testing.T) {
	dir, from := t.TempDir(), filepath.Join("demo", "shop-4hosts.tar.gz")
	events, messages := int64(770375), int64(10000)
	if testing.Short() {
		// What goroutines do to each other is the same in a smaller set.
		small := simulatetest.Shop(t, 1)
		from, events, messages = small.File(t), small.Events, 100
	}
	var out, errs bytes.Buffer
	if code := buildCommand([]string{"--json", "--data", dir, "--name", "shop", from}, &out, &errs); code != exitOK {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	var r buildReport
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	if r.Events != events || len(r.Hosts) != 4 || r.Messages < messages {
		t.Errorf("%d events, %d hosts, %d messages", r.Events, len(r.Hosts), r.Messages)
	}
	for _, kind := range []string{"traces", "history", "endpoints", "messages"} {
		if r.Bytes[kind] == 0 {
			t.Errorf("no %s in %v", kind, r.Bytes)
		}
	}
	engine, err := ingest.Open(dir, ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close(t.Context())
	set, ok := engine.Set(r.Set)
	if !ok || set.Status().State != ingest.Ready || set.Status().Name != "shop" {
		t.Errorf("the set is not ready in the directory: %v", ok)
	}
}

// Compressed histories take less, and the microscope says that they are compressed.
func TestBuildCompressed(t *testing.T) {
	raced.Elsewhere(t, "TestBuild", "TestSyncWindow")
	traces := filepath.Join(t.TempDir(), "web")
	var out, errs bytes.Buffer
	if code := simulateCommand([]string{"--scenario", "web", "--duration", "2s", "--out", traces}, &out, &errs); code != exitOK {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	sizes := make(map[string]int64)
	for _, flag := range []string{"--json", "--compress"} {
		dir := t.TempDir()
		if code := buildCommand([]string{flag, "--data", dir, "--name", "web", traces}, &out, &errs); code != exitOK {
			t.Fatalf("exit %d: %s", code, errs.String())
		}
		files, err := filepath.Glob(filepath.Join(dir, "sets", "*", "hosts", "*", "history.tree"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%q, %v", files, err)
		}
		for _, name := range files {
			info, err := os.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			sizes[flag] += info.Size()
			out.Reset()
			if code := treeCommand([]string{"check", name}, &out, &errs); code != exitOK {
				t.Fatalf("exit %d: %s", code, errs.String())
			}
			if code := treeCommand([]string{"stats", name}, &out, &errs); code != exitOK {
				t.Fatalf("exit %d: %s", code, errs.String())
			}
			if strings.Contains(out.String(), "S2") != (flag == "--compress") {
				t.Errorf("%s:\n%s", flag, out.String())
			}
		}
	}
	if plain, small := sizes["--json"], sizes["--compress"]; small >= plain {
		t.Errorf("histories of %d bytes, compressed %d", plain, small)
	}
}

// What was odd is told in words and with its place, and what did not come about by a mistake of the user's is among it.
func TestBuildTellsWhatWasOdd(t *testing.T) {
	raced.Elsewhere(t, "TestBuild", "TestSyncWindow")
	traces := filepath.Join(t.TempDir(), "traces")
	var out, errs bytes.Buffer
	if code := simulateCommand([]string{"--scenario", "lost-events", "--duration", "2s", "--out", traces}, &out, &errs); code != exitOK {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	if err := os.WriteFile(filepath.Join(traces, "synchroscope-states"), []byte("calls work\nbegin a as=waiting\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	out.Reset()
	if code := buildCommand([]string{"--data", t.TempDir(), "--name", "odd", traces}, &out, &errs); code != exitOK {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	for _, want := range []string{
		`(?m)^A file that declares what events mean, or what functions are called, cannot be understood\. The set was read without it\.$`,
		`(?m)^  unreadable-declarations, traces/synchroscope-states:2: as is user, syscall, blocked or wait, not "waiting"$`,
		`(?m)^Events were lost by the tracer\. It wrote faster`,
		`(?m)^  lost-events, \d+ times, first on \w+, in \S+ at byte \d+: \d+ events were lost by the end of this packet$`,
	} {
		if !regexp.MustCompile(want).MatchString(out.String()) {
			t.Errorf("%s is not in\n%s", want, out.String())
		}
	}

	places := slices.Repeat([]ingest.HostAnomaly{{Host: "web"}}, 7)
	out.Reset()
	if err := (&buildReport{Odd: []ingest.Oddity{{Kind: "many", Places: places, Others: 3}}}).oddities(&out); err != nil || !strings.HasSuffix(out.String(), "  and in 5 other places\n") {
		t.Errorf("%v:\n%s", err, out.String())
	}
}

// A set whose import was interrupted is finished by the next build on the directory, whatever that builds, and whether or not it can.
func TestBuildFinishesOthers(t *testing.T) {
	raced.Elsewhere(t, "TestBuild", "TestSyncWindow")
	long, short, none := filepath.Join(t.TempDir(), "long"), filepath.Join(t.TempDir(), "short"), t.TempDir()
	var out, errs bytes.Buffer
	for traces, duration := range map[string]string{long: "15s", short: "10ms"} {
		if code := simulateCommand([]string{"--scenario", "web", "--duration", duration, "--out", traces}, &out, &errs); code != exitOK {
			t.Fatalf("exit %d: %s", code, errs.String())
		}
	}
	for other, want := range map[string]int{short: exitOK, none: exitFault} {
		dir := t.TempDir()
		engine, err := ingest.Open(dir, ingest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		set, err := engine.ImportPaths("interrupted", long)
		if err == nil {
			err = engine.Close(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		if set.Status().State == ingest.Ready {
			t.Fatal("the import was not interrupted")
		}
		if code := buildCommand([]string{"--json", "--data", dir, "--name", "other", other}, &out, &errs); code != want {
			t.Fatalf("exit %d, want %d: %s", code, want, errs.String())
		}
		if engine, err = ingest.Open(dir, ingest.Options{}); err != nil {
			t.Fatal(err)
		}
		ready := 0
		for _, s := range engine.Sets() {
			if s.Status().State == ingest.Ready {
				ready++
			} else if s.ID() == set.ID() || want == exitOK {
				t.Errorf("%s is %s", s.Status().Name, s.Status().State)
			}
		}
		if all := map[int]int{exitOK: 2, exitFault: 1}[want]; ready != all {
			t.Errorf("%d sets are ready, want %d", ready, all)
		}
		if err := engine.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

func TestBuildRefuses(t *testing.T) {
	text := filepath.Join("testdata", "no-such-file")
	for _, test := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"--name", "x", "y"}, exitUsage, "--data is missing"},
		{[]string{"--data", t.TempDir(), "y"}, exitUsage, "--name is missing"},
		{[]string{"--data", t.TempDir(), "--name", "x"}, exitUsage, "a PATH is missing"},
		{[]string{"--data", t.TempDir(), "--name", "x", "--memory", "63", "y"}, exitUsage, "--memory needs at least 64"},
		{[]string{"--data", t.TempDir(), "--name", "x", text}, exitFault, "cannot be read"},
		{[]string{"--data", t.TempDir(), "--name", "x", "build.go"}, exitFault, "build.go"},
	} {
		var out, errs bytes.Buffer
		if code := buildCommand(test.args, &out, &errs); code != test.code || !strings.Contains(errs.String(), test.says) {
			t.Errorf("build %v: exit %d, %q", test.args, code, errs.String())
		}
	}
}

// A host that could not be read to its end is left out in part: it is told by name, and build exits 1 by that.
func TestBuildTellsOfAFailedHost(t *testing.T) {
	failed := ingest.HostAnomaly{Host: "web", Anomaly: trace.Anomaly{Kind: "host-failed", Message: "kernel_0: input/output error", Count: 1}}
	lost := ingest.HostAnomaly{Host: "web", Anomaly: trace.Anomaly{Kind: "lost-events", Message: "5 events", Count: 5}}
	r := buildReport{Odd: []ingest.Oddity{{Kind: lost.Kind, Places: []ingest.HostAnomaly{lost}}, {Kind: failed.Kind, Places: []ingest.HostAnomaly{failed}}}}
	if got := r.leftOut(); len(got) != 1 || got[0] != "web could not be read to its end: kernel_0: input/output error" {
		t.Errorf("left out are %q", got)
	}
}
