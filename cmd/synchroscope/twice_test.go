package main

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"synchroscope/simulate/simulatetest"
	"synchroscope/sync/network"
)

// recordAgain copies a simulated trace of the kernel as if a second session had recorded the same at the same time.
func recordAgain(t *testing.T, from, to string) {
	t.Helper()
	metadata, err := os.ReadFile(filepath.Join(from, "metadata"))
	if err != nil {
		t.Fatal(err)
	}
	again := simulatetest.Again(t, metadata)
	if err := os.MkdirAll(to, 0o755); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(from)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		b, err := os.ReadFile(filepath.Join(from, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(to, f.Name()), again(b), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// What two sessions recorded at once of the kernel of one machine is matched, and counted, as if one had.
func TestRecordedTwiceAtOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	ask(t, &struct{}{}, "simulate", "--json", "--scenario", "chain-8", "--seed", "7", "--duration", "3s", "--out", dir)
	kernels, err := filepath.Glob(filepath.Join(dir, "*", "kernel"))
	if err != nil || len(kernels) != 8 {
		t.Fatal(kernels, err)
	}
	says := func() (matched network.MatchingReport, links []any, c checkReport) {
		var s struct {
			Links    []any                  `json:"links"`
			Matching network.MatchingReport `json:"matching"`
		}
		ask(t, &s, "sync", "--json", dir)
		ask(t, &c, "check", "--json", dir)
		if c.Messages == nil || *c.Messages != s.Matching {
			t.Errorf("check counts %+v, sync %+v", c.Messages, s.Matching)
		}
		return s.Matching, s.Links, c
	}
	matched, links, once := says()
	recordAgain(t, kernels[3], filepath.Join(dir, "again", "kernel"))
	again, linksAgain, twice := says()
	if len(twice.Traces) != len(once.Traces)+1 || twice.Events <= once.Events {
		t.Fatalf("%d traces with %d events became %d with %d", len(once.Traces), once.Events, len(twice.Traces), twice.Events)
	}
	if matched != again || !reflect.DeepEqual(links, linksAgain) {
		t.Errorf("recorded once %+v, twice %+v, or other links", matched, again)
	}
}
