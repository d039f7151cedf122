package handlers

import (
	"os"
	"slices"
	"strings"
	"testing"

	"synchroscope/internal/raced"
	"synchroscope/sync/network"
)

// Two hosts of a ready set are compared along their way, with a bound that is tighter than those of both to the
// reference; by a method that bounds nothing the comparison has none, and is of the same clocks, as well as it knows them.
func TestBetween(t *testing.T) {
	raced.Elsewhere(t, "TestTables")
	archive, err := os.ReadFile(demoArchive)
	if err != nil {
		t.Fatal(err)
	}
	s := newSite(t, Options{})
	id := s.create("shop")
	path := "/api/sets/" + id + "/between?a=client&b=db"
	if got := s.want(409, "GET", path, "").sentence(); !strings.Contains(got, "ready") {
		t.Errorf("before the import: %s", got)
	}
	s.want(200, "PUT", "/api/sets/"+id+"/files/shop.tar.gz", string(archive))
	s.want(202, "POST", "/api/sets/"+id+"/import", "")
	set, _ := s.engine.Set(id)
	if err := set.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	type answer struct {
		Version int64 `json:"version"`
		network.ComparisonReport
	}
	solution := decode[network.Report](t, s.get("/api/sets/"+id+"/sync"))
	bound := make(map[string]int64)
	for _, h := range solution.Hosts {
		bound[h.Name] = h.Error.Max
	}
	got := decode[answer](t, s.get(path))
	if got.Version != solution.Version || !slices.Equal(got.Path, []string{"client", "web", "db"}) {
		t.Errorf("version %d, path %v", got.Version, got.Path)
	}
	if got.Error == nil || got.Error.Max >= bound["client"]+bound["db"]+1000 || len(got.Bounds) < 2 || len(got.Map) == 0 {
		t.Errorf("error %+v of %v, %d pieces", got.Error, bound, len(got.Map))
	}
	// Of a host and the reference the same is told as in the solution, from the first entry to the last.
	direct := decode[answer](t, s.get("/api/sets/"+id+"/between?a=db&b=web"))
	for _, h := range solution.Hosts {
		if h.Name == "db" && (!slices.Equal(direct.Bounds, h.Bounds) || *direct.Error != *h.Error || len(direct.Map) != len(h.Map) || direct.Map[0].BEnd != h.Map[0].ReferenceEnd) {
			t.Errorf("db to web is known to %v, db to %v", direct.Bounds, h.Bounds)
		}
	}
	s.want(200, "POST", "/api/sets/"+id+"/sync", `{"method": "regression"}`)
	other := decode[answer](t, s.get(path))
	if off := other.Offset.Middle - got.Offset.Middle; other.Error != nil || len(other.Bounds) > 0 || max(off, -off) > 2_000_000 {
		t.Errorf("by regression %+v, by hulls %+v", other, got)
	}
	s.want(200, "POST", "/api/sets/"+id+"/sync", `{"exclude": [["db", "web"]]}`)
	if around := decode[answer](t, s.get(path)); !slices.Equal(around.Path, []string{"client", "db"}) {
		t.Errorf("without the link between db and web the path is %v", around.Path)
	}

	for q, sentence := range map[string]string{
		"":                `"a" and "b" must be the names of two hosts.`,
		"?a=db":           `"a" and "b" must be the names of two hosts.`,
		"?a=db&b=db":      `"db" is to be compared with itself.`,
		"?a=db&b=nobody":  `There is no host "nobody".`,
		"?a=db&b=web&c=1": `There is no parameter "c" here; there are a, b.`,
	} {
		if got := s.want(400, "GET", "/api/sets/"+id+"/between"+q, "").sentence(); got != sentence {
			t.Errorf("%s: %s, want %s", q, got, sentence)
		}
	}
	s.want(404, "GET", "/api/sets/0000000000000000/between?a=x&b=y", "")
}
