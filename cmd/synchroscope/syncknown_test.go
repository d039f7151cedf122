package main

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"synchroscope/internal/raced"
)

// The files of a report tell how well two hosts are known against each other as the page does: by their own messages alone or by the links in use between them,
// whichever is better, and never as the sum of what both are off a third.
func TestReportOfPairs(t *testing.T) {
	raced.Elsewhere(t, "TestSyncWindow")
	dir := t.TempDir()
	page := filepath.Join(dir, "report.html")
	var stdout, stderr bytes.Buffer
	if code := run([]string{"sync", "--reference", "client", "--csv", dir, "--report", page, "demo/shop-4hosts.tar.gz"}, &stdout, &stderr); code != exitOK {
		t.Fatalf("exit %d: %s", code, stderr.String())
	}
	rows := func(name string) []map[string]string {
		t.Helper()
		f, err := os.Open(filepath.Join(dir, name+".csv"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		all, err := csv.NewReader(f).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		var out []map[string]string
		for _, row := range all[1:] {
			cells := make(map[string]string)
			for i, cell := range row {
				cells[all[0][i]] = cell
			}
			out = append(out, cells)
		}
		return out
	}
	number := func(cells map[string]string, column string) int64 {
		t.Helper()
		n, err := strconv.ParseInt(cells[column], 10, 64)
		if err != nil {
			t.Fatalf("%s of %v: %v", column, cells, err)
		}
		return n
	}
	least := make(map[string]int64) // by host
	for _, h := range rows("hosts") {
		least[h["host"]] = number(h, "error_min_ns")
	}
	better := 0
	for _, l := range rows("links") {
		known := number(l, "known_median_ns")
		switch l["known_by"] {
		case "this link":
			if known != number(l, "error_median_ns") {
				t.Errorf("by itself %v", l)
			}
		case "links in use":
			if l["error_median_ns"] != "" && known >= number(l, "error_median_ns") {
				t.Errorf("its own line is better: %v", l)
			}
			better++
		default:
			t.Errorf("known by %q", l["known_by"])
		}
		if known < number(l, "known_min_ns") || known > number(l, "known_max_ns") {
			t.Errorf("no median: %v", l)
		}
	}
	if better == 0 {
		t.Error("no pair is known by the links in use")
	}
	messages := 0
	for _, m := range rows("messages") {
		if from, to := m["from"], m["to"]; from != "client" && to != "client" {
			messages++
			if e := number(m, "latency_error_ns"); from+to == "dbweb" && e >= least["db"]+least["web"] {
				t.Fatalf("± %d ns, where both are known to ± %d and ± %d ns at best: %v", e, least["db"], least["web"], m)
			}
		}
	}
	if messages == 0 {
		t.Error("no message between two that are no reference")
	}
	html, err := os.ReadFile(page)
	if err != nil || !strings.Contains(string(html), "by the links in use between the two") {
		t.Errorf("%v: the page does not say by what a pair is known", err)
	}
}
