package handlers

import (
	"fmt"
	"testing"

	"synchroscope/ingest"
	"synchroscope/internal/raced"
	"synchroscope/simulate/simulatetest"
)

// A set that is made of another has its files, and takes more; one of a set that is not there, or not ready, is refused.
func TestMadeOf(t *testing.T) {
	raced.Elsewhere(t, "TestPartlyDamaged")
	s := newSite(t, Options{})
	empty := s.create("empty")
	if a := s.want(409, "POST", "/api/sets", fmt.Sprintf(`{"from":%q}`, empty)); a.sentence() != "empty is not imported to its end, so no set can be made of it." {
		t.Errorf("of an empty set: %s", a.body)
	}
	if a := s.want(404, "POST", "/api/sets", `{"name":"x","from":"nothing"}`); a.sentence() != `There is no trace set "nothing" to make another of.` {
		t.Errorf("of none: %s", a.body)
	}
	s.want(400, "POST", "/api/sets", `{"name":" ","from":"nothing"}`)
	first := s.create("shop")
	s.want(200, "PUT", "/api/sets/"+first+"/files/shop.tar.gz", string(simulatetest.Shop(t, 2).Archive))
	s.want(202, "POST", "/api/sets/"+first+"/import", "")
	set, _ := s.engine.Set(first)
	if err := set.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	made := s.want(201, "POST", "/api/sets", fmt.Sprintf(`{"from":%q}`, first))
	st := decode[ingest.Status](t, made)
	if made.header.Get("Location") != "/api/sets/"+st.ID || st.Name != "shop (2)" || st.State != ingest.Uploading || len(st.Files) != 1 || !st.Files[0].Given {
		t.Errorf("made is %s at %s", made.body, made.header.Get("Location"))
	}
	if got := decode[ingest.Status](t, s.want(201, "POST", "/api/sets", fmt.Sprintf(`{"name":"other","from":%q}`, first))).Name; got != "other" {
		t.Errorf("it is called %q", got)
	}
	s.want(200, "PUT", "/api/sets/"+st.ID+"/files/synchroscope-states", "calls work\nbegin a:b\nend a:e\n")
	s.want(202, "POST", "/api/sets/"+st.ID+"/import", "")
	set, _ = s.engine.Set(st.ID)
	if err := set.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, want := set.Status(), 2; len(got.Files) != want || got.Files[1] != (ingest.FileStatus{Name: "synchroscope-states", Size: 29, Received: 29}) {
		t.Errorf("its files are %+v", got.Files)
	}
}
