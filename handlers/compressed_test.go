package handlers

import (
	"compress/gzip"
	"io"
	"strings"
	"testing"

	"synchroscope/static"
)

// Pages and answers go compressed to who takes that, and are the same to who does not; what is compressed already goes as it is.
func TestAnswersGoCompressed(t *testing.T) {
	s := newSite(t, Options{})
	set := s.create("web <1>")
	for _, path := range []string{"/", "/sets/" + set, "/api/sets", "/api/sets/" + set, static.Path("viewer.js")} {
		plain := s.do("GET", path, nil, "Accept-Encoding", "identity")
		for _, takes := range []string{"identity", "gzip;q=0", "xgzip, deflate", "identity;q=1, gzip; q=0.0"} {
			a := s.do("GET", path, nil, "Accept-Encoding", takes)
			if h := a.header; a.body != plain.body || h.Get("Content-Encoding") != "" || !strings.Contains(h.Get("Vary"), "Accept-Encoding") {
				t.Errorf("%s to who takes %s: %v", path, takes, h)
			}
		}
		small := s.do("GET", path, nil, "Accept-Encoding", "gzip")
		if h := small.header; small.status != plain.status || h.Get("Content-Encoding") != "gzip" || !strings.Contains(h.Get("Vary"), "Accept-Encoding") {
			t.Errorf("%s: %d, %v", path, small.status, h)
			continue
		}
		z, err := gzip.NewReader(strings.NewReader(small.body))
		if err != nil {
			t.Fatal(path, err)
		}
		if b, err := io.ReadAll(z); err != nil || string(b) != plain.body {
			t.Errorf("%s: %.200q (%v), want %.200q", path, b, err, plain.body)
		}
	}
	if a := s.do("HEAD", "/api/sets", nil, "Accept-Encoding", "gzip"); a.status != 200 || a.body != "" {
		t.Errorf("HEAD: %d %q", a.status, a.body)
	}
}
