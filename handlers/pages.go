package handlers

import (
	"io"
	"net/http"

	"github.com/a-h/templ"
	"github.com/go-chi/chi/v5"

	"synchroscope/handlers/live"
	"synchroscope/ingest"
	"synchroscope/views"
)

func (s *Server) home(w http.ResponseWriter, r *http.Request) {
	s.page(w, r, views.Home(s.engine.Notices()))
}

func (s *Server) viewer(w http.ResponseWriter, r *http.Request) {
	set, err := s.set(r)
	if err != nil {
		if d, ok := s.discarded(chi.URLParam(r, "id")); ok {
			s.deletedPage(w, r, d)
			return
		}
		s.fail(w, r, err)
		return
	}
	s.page(w, r, views.Viewer(set.ID(), set.Status().Name))
}

func (s *Server) deletedPage(w http.ResponseWriter, r *http.Request, d ingest.Discarded) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusNotFound)
	views.Deleted(d.Name, untilWords(d.Until)).Render(r.Context(), w)
}

// bringBack is Undo of the page of a deleted set: it leads to the set, which may have been had back from elsewhere meanwhile.
func (s *Server) bringBack(w http.ResponseWriter, r *http.Request) {
	id := chi.URLParam(r, "id")
	if _, there := s.engine.Set(id); !there {
		if _, ok := s.discarded(id); !ok {
			s.fail(w, r, errNoSet)
			return
		}
		if _, err := s.engine.Recover(id); err != nil {
			s.fail(w, r, err)
			return
		}
	}
	http.Redirect(w, r, r.URL.RequestURI(), http.StatusSeeOther)
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
