package handlers

import "testing"

// A set that is not ready cannot be taken away, and nothing but a sentence is answered.
func TestExportRefused(t *testing.T) {
	s := newSite(t, Options{})
	path := "/api/sets/" + s.create("empty") + "/export"
	a := s.want(409, "GET", path, "")
	if a.sentence() != "The set is being imported; it can be taken away as a whole when it is ready." || a.header.Get("Content-Disposition") != "" {
		t.Errorf("%s %v", a.sentence(), a.header)
	}
	if got := s.want(400, "GET", path+"?traces=0", "").sentence(); got != `There is no parameter "traces" here, nor any other.` {
		t.Error(got)
	}
	s.want(404, "GET", "/api/sets/0000000000000000/export", "")
}
