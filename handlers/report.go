package handlers

import "net/http"

// report answers with what was odd in the traces of a set and what they lack.
func (s *Server) report(w http.ResponseWriter, r *http.Request) {
	set, err := s.set(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	ok(w, set.Report())
}
