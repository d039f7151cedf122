package handlers

import (
	"io"
	"net/http"

	"github.com/a-h/templ"

	"synchroscope/handlers/live"
	"synchroscope/views"
)

func (s *Server) home(w http.ResponseWriter, r *http.Request) {
	s.page(w, r, views.Home(s.engine.Notices()))
}

func (s *Server) viewer(w http.ResponseWriter, r *http.Request) {
	set, err := s.set(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	s.page(w, r, views.Viewer(set.ID(), set.Status().Name))
}

func (s *Server) page(w http.ResponseWriter, r *http.Request, c templ.Component) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache") // its assets have the hash of the day in their names
	if err := c.Render(r.Context(), w); err != nil {
		s.log.Debug("a page was not sent", "path", r.URL.Path, "err", err)
	}
}

func (s *Server) healthz(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	io.WriteString(w, "ok\n")
}

func (s *Server) live(w http.ResponseWriter, r *http.Request) {
	set, err := s.set(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	var focus *live.Focus
	if f, ok := s.options.Focus[set.ID()]; ok {
		focus = &f
	}
	s.hub.Serve(w, r, live.Ingested(set), focus)
}

// refuse answers a request for the websocket that is not upgraded.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, status int, sentence string) {
	s.fail(w, r, failure{status, sentence})
}
