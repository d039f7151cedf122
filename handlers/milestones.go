package handlers

import (
	"net/http"

	"synchroscope/ingest"
)

// milestones answers with how the clocks became known while the set was imported.
func (s *Server) milestones(w http.ResponseWriter, r *http.Request) {
	set, err := s.set(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	list := set.Milestones()
	if list == nil {
		list = []ingest.Milestone{}
	}
	ok(w, list)
}
