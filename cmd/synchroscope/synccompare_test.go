package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"synchroscope/internal/raced"
	"synchroscope/sync/baseline"
	"synchroscope/sync/network"
)

// outliers simulates four hosts some of whose messages are late, for so long, and returns the folder.
func outliers(t *testing.T, duration string) string {
	t.Helper()
	dir := t.TempDir() + "/set"
	if _, code := output(t, "simulate", "--out", dir, "--scenario", "outliers", "--duration", duration); code != exitOK {
		t.Fatalf("simulate: exit code %d", code)
	}
	return dir
}

// A simulated pair by every method: what has no bound says so, in the form of every solution, and the comparison
// holds all of them against the truth beside the traces.
func TestSyncByEveryMethod(t *testing.T) {
	raced.Elsewhere(t, "TestSyncWindow")
	dir := outliers(t, "10s")
	for _, method := range baseline.Names() {
		var r network.Report
		text, code := output(t, "sync", "--json", "--method", method, "--reference", "node-3", dir)
		if err := json.Unmarshal([]byte(text), &r); err != nil || code != exitOK {
			t.Fatalf("%s: exit code %d, %v", method, code, err)
		}
		if r.Reference != "node-3" || len(r.Hosts) != 4 || len(r.Links) != 3 {
			t.Errorf("%s: reference %q, %d hosts, %d links", method, r.Reference, len(r.Hosts), len(r.Links))
		}
		for _, h := range r.Hosts {
			bounded := h.Error != nil && len(h.Bounds) > 0
			if want := method == network.MethodHull; bounded != want || len(h.Map) == 0 {
				t.Errorf("%s: %s is bounded: %v; %d pieces", method, h.Name, bounded, len(h.Map))
			}
		}
		for _, l := range r.Links {
			if (l.Error != nil) != (method == network.MethodHull) || l.Segments == 0 {
				t.Errorf("%s: link %s - %s has the error %v and %d pieces", method, l.A, l.B, l.Error, l.Segments)
			}
		}
	}

	var c comparison
	text, code := output(t, "sync", "--compare", "--json", "--paths", "all-pairs", dir)
	if err := json.Unmarshal([]byte(text), &c); err != nil || code != exitOK {
		t.Fatalf("--compare: exit code %d, %v", code, err)
	}
	var names []string
	for i, o := range c.Methods {
		names = append(names, o.Method)
		switch {
		case o.Truth == nil || o.Truth.Instants < 1000 || o.Truth.Worst < o.Truth.Median:
			t.Errorf("%s: truth %+v", o.Method, o.Truth)
		case (o.Truth.Bounded > 0) != (i == 0) || i == 0 && o.Truth.Outside > 0:
			t.Errorf("%s: %d instants have a bound, %d are outside", o.Method, o.Truth.Bounded, o.Truth.Outside)
		}
		if o.Reference != c.Methods[0].Reference || len(o.Hosts) != 4 || len(o.Links) != 3 || o.Cost <= 0 {
			t.Errorf("%s: %+v", o.Method, o)
		}
	}
	if !slices.Equal(names, baseline.Names()) || c.Messages == 0 || c.Thinned || c.Methods[0].Violations > 0 {
		t.Errorf("%v of %d messages", names, c.Messages)
	}
	if text, code = output(t, "sync", "--compare", dir); code != exitOK || strings.Count(text, "window-replace") != 1+4+3 || !strings.Contains(text, "TRUE ERROR") {
		t.Errorf("exit code %d, %s", code, text)
	}
}

func output(t *testing.T, args ...string) (stdout string, code int) {
	t.Helper()
	var out, errs strings.Builder
	code = run(args, &out, &errs)
	if errs.Len() > 0 {
		t.Logf("%v: %s", args, &errs)
	}
	return out.String(), code
}
