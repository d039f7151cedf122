package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"synchroscope/internal/raced"
)

// What the terminal and the report call the rate of a host is what the page calls so: how much faster its clock runs than the reference's. That
// is the other way round than the rate of its map in JSON, which says how fast reference time passes by the clock of the host.
func TestRatesHaveOneSense(t *testing.T) {
	raced.Elsewhere(t, "TestSyncWindow")
	page := filepath.Join(t.TempDir(), "report.html")
	said := func(args ...string) string {
		t.Helper()
		var stdout, stderr bytes.Buffer
		if code := run(append(append([]string{"sync"}, args...), "demo/shop-4hosts.tar.gz"), &stdout, &stderr); code != exitOK {
			t.Fatalf("%v: exit %d: %s", args, code, stderr.String())
		}
		return stdout.String()
	}
	ppmOf := func(text, before string) float64 {
		t.Helper()
		m := regexp.MustCompile(`(?m)` + before + `([+-][\d.]+) ppm`).FindStringSubmatch(text)
		if m == nil {
			t.Fatalf("no rate is behind %s", before)
		}
		v, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if d := got - want; d < -0.06 || d > 0.06 {
			t.Errorf("%s: %+.3f ppm, want %+.3f", what, got, want)
		}
	}
	var solved struct {
		Hosts []struct {
			Name string
			Map  []struct{ Rate float64 }
		}
		Links []struct {
			A, B  string
			Alpha float64
		}
	}
	if err := json.Unmarshal([]byte(said("--json")), &solved); err != nil {
		t.Fatal(err)
	}
	text, compared := said("--report", page), said("--compare")
	for _, head := range []string{"RATE AGAINST THE REFERENCE", "RATE OF THE SECOND AGAINST THE FIRST"} {
		if !strings.Contains(text, head) || !strings.Contains(compared, head) {
			t.Errorf("%q heads no rates", head)
		}
	}
	html, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	report := strings.NewReplacer("\u202f", " ", "\u00a0", " ", "\u2212", "-", "&#43;", "+").Replace(string(html))
	for _, h := range solved.Hosts {
		if h.Name == "web" {
			continue
		}
		want := 1e6 * (1/h.Map[0].Rate - 1)
		near(h.Name+" on the terminal", ppmOf(text, `^`+h.Name+` +0 +`), want)
		near(h.Name+" in the comparison", ppmOf(compared, `^`+h.Name+` +hull +`), want)
		near(h.Name+" in the report", ppmOf(report, `(?s)<td[^>]*>`+h.Name+` ?</td>.{0,300}?>`), want)
	}
	for _, l := range solved.Links {
		near(l.A+" - "+l.B, ppmOf(text, `^`+l.A+` - `+l.B+`.*  `), 1e6*(l.Alpha-1))
	}
}
