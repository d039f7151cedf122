package handlers

import (
	"compress/gzip"
	"io"
	"strings"
	"testing"

	"synchroscope/static"
)

// Pages, answers and errors go compressed to who takes that, and are the same to who does not; what is compressed already goes as it is.
func TestAnswersGoCompressed(t *testing.T) {
	s := newSite(t, Options{})
	set := s.create("web <1>")
	for _, path := range []string{"/", "/sets/" + set, "/api/sets", "/api/sets/" + set, static.Path("viewer.js")} {
		plain := s.do("GET", path, nil, "Accept-Encoding", "identity")
		if coding := plain.header.Get("Content-Encoding"); coding != "" {
			t.Errorf("%s: %s to who takes none", path, coding)
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
