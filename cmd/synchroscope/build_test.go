package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"synchroscope/ingest"
)

// The recording that is built into the program, imported without a server: the report has what
// is known of it, and the directory is one that a server can open.
func TestBuild(t *testing.T) {
	dir := t.TempDir()
	var out, errs bytes.Buffer
	if code := buildCommand([]string{"--json", "--data", dir, "--name", "shop", filepath.Join("demo", "shop-4hosts.tar.gz")}, &out, &errs); code != exitOK {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	var r buildReport
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	if r.Events != 770375 || len(r.Hosts) != 4 || r.Messages < 10000 {
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
		{[]string{"--data", t.TempDir(), "--name", "x", text}, exitFault, "cannot be read"},
		{[]string{"--data", t.TempDir(), "--name", "x", "build.go"}, exitFault, "build.go"},
	} {
		var out, errs bytes.Buffer
		if code := buildCommand(test.args, &out, &errs); code != test.code || !strings.Contains(errs.String(), test.says) {
			t.Errorf("build %v: exit %d, %q", test.args, code, errs.String())
		}
	}
}
