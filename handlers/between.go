package handlers

import (
	"net/http"
	"time"

	"synchroscope/sync/network"
)

// betweenAnswer is the body of GET between.
type betweenAnswer struct {
	Version int64 `json:"version"` // of the synchronization
	network.ComparisonReport
}

// between answers GET between: two hosts of a ready set are compared directly, without what both have
// in common on their ways to the reference.
func (s *Server) between(w http.ResponseWriter, r *http.Request) {
	set, err := s.set(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	q, err := query(r, "a", "b")
	if err == nil && (!q.Has("a") || !q.Has("b")) {
		err = badRequest(`"a" and "b" must be the names of two hosts.`)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	begun := time.Now()
	c, version, err := set.Compare(r.Context(), q.Get("a"), q.Get("b"))
	if err != nil {
		s.fail(w, r, err)
		return
	}
	s.metrics.observe("between", time.Since(begun))
	ok(w, betweenAnswer{version, c.Report()})
}
