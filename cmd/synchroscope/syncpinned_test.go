package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"synchroscope/internal/raced"
)

// Whoever pins a reference that is not the best is told what it costs.
func TestPinnedReference(t *testing.T) {
	raced.Elsewhere(t, "TestSyncWindow")
	dir := filepath.Join(t.TempDir(), "chain")
	if text, code := output(t, "simulate", "--scenario", "chain-8", "--duration", "10s", "--out", dir); code != exitOK {
		t.Fatal(text)
	}
	var r struct {
		Reference string
		Pinned    *struct {
			Host, Best string
			Hosts      int
			Loss       *int64 `json:"loss_ns"`
		}
	}
	text, _ := output(t, "sync", "--json", dir)
	if err := json.Unmarshal([]byte(text), &r); err != nil || r.Pinned != nil {
		t.Fatalf("%v, pinned %v", err, r.Pinned)
	}
	best := r.Reference
	text, _ = output(t, "sync", "--json", "--reference", "node-8", dir)
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatal(err)
	}
	if p := r.Pinned; p == nil || p.Host != "node-8" || p.Best != best || p.Hosts != 8 || p.Loss == nil || *p.Loss <= 0 {
		t.Fatalf("the best is %s, pinned %+v", best, p)
	}
	if text, _ = output(t, "sync", "--reference", "node-8", dir); !strings.Contains(text, "node-8 is pinned; "+best+" would be the better reference: the errors of the 8 hosts add up to ") {
		t.Error(text)
	}
}
