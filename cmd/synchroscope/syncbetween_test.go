package main

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"synchroscope/internal/raced"
	"synchroscope/sync/network"
)

// Hosts that are compared stand beside the report that is printed without them, with the way between them; the
// bound of neighbours far from the reference is tighter than what both have to it.
func TestBetween(t *testing.T) {
	raced.Elsewhere(t, "TestSyncWindow")
	dir := filepath.Join(t.TempDir(), "chain")
	if text, code := output(t, "simulate", "--scenario", "chain-8", "--duration", "10s", "--out", dir); code != exitOK {
		t.Fatal(text)
	}
	plain, _ := output(t, "sync", "--json", dir)
	if strings.Contains(plain, `"between"`) {
		t.Error("a comparison that nobody asked for")
	}
	text, code := output(t, "sync", "--json", "--between", "node-7,node-8", "--between", "node-3,node-1", dir)
	var r syncReport
	if err := json.Unmarshal([]byte(text), &r); err != nil || code != exitOK || len(r.Between) != 2 {
		t.Fatalf("exit code %d, %v, %d comparisons", code, err, len(r.Between))
	}
	var alone network.Report
	if err := json.Unmarshal([]byte(plain), &alone); err != nil {
		t.Fatal(err)
	}
	a, _ := json.Marshal(alone)
	if b, _ := json.Marshal(r.Report); string(a) != string(b) {
		t.Error("the report is another beside a comparison")
	}
	worst := make(map[string]int64)
	for _, h := range r.Hosts {
		worst[h.Name] = h.Error.Max
	}
	near, far := r.Between[0], r.Between[1]
	if !slices.Equal(near.Path, []string{"node-7", "node-8"}) || near.Error == nil || near.Error.Max >= worst["node-7"] || near.Error.Max >= worst["node-8"] {
		t.Errorf("neighbours: %v, %+v; to the reference %v", near.Path, near.Error, worst)
	}
	if !slices.Equal(far.Path, []string{"node-3", "node-2", "node-1"}) {
		t.Errorf("the way is %v", far.Path)
	}
	if text, _ = output(t, "sync", "--between", "node-3,node-1", dir); !strings.Contains(text, "node-1 less node-3 by node-3 - node-2 - node-1: ") {
		t.Error(text)
	}
	text, _ = output(t, "sync", "--json", "--method", "regression", "--between", "node-3,node-1", dir)
	if err := json.Unmarshal([]byte(text), &r); err != nil || len(r.Between) != 1 || r.Between[0].Error != nil {
		t.Errorf("by regression %v, %+v", err, r.Between)
	}
	if _, code = output(t, "sync", "--between", "node-3,nobody", dir); code != exitFault {
		t.Errorf("exit code %d for a host that is not there", code)
	}
	if _, code = output(t, "sync", "--between", "node-3", dir); code != exitUsage {
		t.Errorf("exit code %d for one host", code)
	}
}
