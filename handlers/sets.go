package handlers

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"synchroscope/ingest"
)

// set is the trace set of the route's {id}.
func (s *Server) set(r *http.Request) (*ingest.Set, error) {
	id := chi.URLParam(r, "id")
	set, ok := s.engine.Set(id)
	if ok {
		return set, nil
	}
	if d, ok := s.discarded(id); ok {
		return nil, failure{http.StatusNotFound, fmt.Sprintf("The trace set “%s” was deleted. Until %s it can be had back: the list of all trace sets has Undo.", d.Name, untilWords(d.Until))}
	}
	return nil, errNoSet
}

// discarded is what is known of a set that was deleted and can be had back.
func (s *Server) discarded(id string) (ingest.Discarded, bool) {
	list := s.engine.Discarded()
	i := slices.IndexFunc(list, func(d ingest.Discarded) bool { return d.ID == id })
	if i < 0 {
		return ingest.Discarded{}, false
	}
	return list[i], true
}

// untilWords is the minute of a time as a sentence has it.
func untilWords(at string) string {
	t, err := time.Parse(time.RFC3339, at)
	if err != nil {
		return at
	}
	return t.UTC().Format("15:04 UTC")
}

// readable refuses what is asked about the traces of a set whose import failed or has stopped: it has no hosts then, and none of them would be a wrong answer.
func (s *Server) readable(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if set, err := s.set(r); err == nil {
			if fault := set.Failed(); fault != nil {
				s.fail(w, r, fault)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

func (s *Server) listSets(w http.ResponseWriter, r *http.Request) {
	list := []ingest.Status{}
	for _, set := range s.engine.Sets() {
		list = append(list, set.Status())
	}
	ok(w, list)
}

func (s *Server) createSet(w http.ResponseWriter, r *http.Request) {
	set, err := s.made(w, r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	w.Header().Set("Location", "/api/sets/"+set.ID())
	writeJSON(w, http.StatusCreated, set.Status())
}

// made is a new set: an empty one of a name, or one of what another was made of.
func (s *Server) made(w http.ResponseWriter, r *http.Request) (*ingest.Set, error) {
	var body struct {
		Name *string `json:"name"`
		From *string `json:"from"`
	}
	const like = `{"name": "..."}`
	if err := bodyOf(w, r, like, &body); err != nil {
		return nil, err
	}
	if body.Name == nil && body.From == nil {
		return nil, badRequest("The body must be %s.", like)
	}
	name := ""
	if body.Name != nil {
		var err error
		if name, err = nameFrom(*body.Name); err != nil {
			return nil, err
		}
	}
	if body.From == nil {
		return s.engine.Create(name)
	}
	from, ok := s.engine.Set(*body.From)
	if !ok {
		return nil, failure{http.StatusNotFound, fmt.Sprintf("There is no trace set %.80q to make another of.", *body.From)}
	}
	return s.engine.CreateFrom(name, from)
}

func (s *Server) showSet(w http.ResponseWriter, r *http.Request) {
	set, err := s.set(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	ok(w, set.Status())
}

func (s *Server) renameSet(w http.ResponseWriter, r *http.Request) {
	set, err := s.set(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	name, err := readName(w, r)
	if err == nil {
		err = set.Rename(name)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	ok(w, set.Status())
}

func (s *Server) deleteSet(w http.ResponseWriter, r *http.Request) {
	set, err := s.set(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	s.hub.Forget(set.ID())       // or its views would ask files that are being closed
	defer s.hub.Forget(set.ID()) // those that came meanwhile
	if err := s.engine.Discard(set.ID()); err != nil {
		s.fail(w, r, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// listDeleted answers with the sets that can be had back.
func (s *Server) listDeleted(w http.ResponseWriter, r *http.Request) {
	ok(w, s.engine.Discarded())
}

// recoverSet takes a deletion back.
func (s *Server) recoverSet(w http.ResponseWriter, r *http.Request) {
	set, err := s.engine.Recover(chi.URLParam(r, "id"))
	if err != nil {
		s.fail(w, r, err)
		return
	}
	ok(w, set.Status())
}

// removeSet takes a deleted set off the disk before its time is over.
func (s *Server) removeSet(w http.ResponseWriter, r *http.Request) {
	id := chi.URLParam(r, "id")
	if _, ok := s.discarded(id); !ok {
		s.fail(w, r, failure{http.StatusNotFound, "There is no deleted trace set with this id."})
		return
	}
	if err := s.engine.Delete(id); err != nil {
		s.fail(w, r, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// nameLimit is the longest name of a set in bytes.
const nameLimit = 200

// readName reads {"name": "..."}.
func readName(w http.ResponseWriter, r *http.Request) (string, error) {
	var body struct {
		Name *string `json:"name"`
	}
	const like = `{"name": "..."}`
	if err := bodyOf(w, r, like, &body); err != nil {
		return "", err
	}
	if body.Name == nil {
		return "", badRequest("The body must be %s.", like)
	}
	return nameFrom(*body.Name)
}

// nameFrom is the name of a set that somebody gave.
func nameFrom(text string) (string, error) {
	name := strings.ToValidUTF8(strings.TrimSpace(text), "\uFFFD")
	switch {
	case name == "":
		return "", failure{http.StatusBadRequest, "A trace set needs a name."}
	case len(name) > nameLimit:
		return "", failure{http.StatusBadRequest, fmt.Sprintf("The name of a trace set has at most %d bytes.", nameLimit)}
	}
	return name, nil
}
