package handlers

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"synchroscope/ingest"
	"synchroscope/views"
)

// A failure is an error with its HTTP status, made here. What is answered is a whole sentence: it begins with a
// capital letter or a name, and ends with a full stop.
type failure struct {
	status   int
	sentence string
}

func (f failure) Error() string { return f.sentence }

// A wrongParameter is a failure that one value of a parameter is to blame for. What is wrong with it is said without its
// name as well, for a page that asked for the value by another.
type wrongParameter struct {
	failure
	Parameter string `json:"parameter"`
	Index     int    `json:"index"` // of its values, from 0
	Fault     string `json:"fault"`
}

func (w *wrongParameter) Unwrap() error { return w.failure }

var (
	errNotFound = failure{http.StatusNotFound, "There is nothing at this address."}
	errNoSet    = failure{http.StatusNotFound, "There is no trace set with this id."}
	errInternal = failure{http.StatusInternalServerError, "Internal error."}
)

// faultStatus is the HTTP status of each kind of fault.
var faultStatus = map[ingest.FaultKind]int{
	ingest.Invalid:  http.StatusBadRequest,
	ingest.NotFound: http.StatusNotFound,
	ingest.Conflict: http.StatusConflict,
	ingest.TooLarge: http.StatusRequestEntityTooLarge,
	ingest.Damage:   http.StatusInternalServerError,
	ingest.NoRoom:   http.StatusInsufficientStorage,
}

// explain turns an error into a status and a sentence. known is false where
// the error is ours and must be logged.
func explain(err error) (f failure, known bool) {
	var fault *ingest.Fault
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &f):
		return f, true
	case errors.As(err, &fault):
		return failure{faultStatus[fault.Kind], fault.Sentence()}, true
	case errors.As(err, &tooLarge):
		return failure{http.StatusRequestEntityTooLarge, "What was sent is larger than this server accepts."}, true
	case errors.Is(err, context.DeadlineExceeded):
		return failure{http.StatusServiceUnavailable, "The answer took too long; ask for less."}, true
	case errors.Is(err, context.Canceled):
		return failure{http.StatusServiceUnavailable, "The request was given up."}, true
	}
	return errInternal, false
}

// fail answers with an error: JSON below /api, a page elsewhere.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	err = s.damaged(r, err)
	f, known := explain(err)
	if !known {
		s.log.Error("a request failed", "method", r.Method, "path", r.URL.Path, "err", err)
	}
	w.Header().Set("Cache-Control", "no-store")
	if strings.HasPrefix(r.URL.Path, "/api/") {
		var wrong *wrongParameter
		errors.As(err, &wrong)
		writeJSON(w, f.status, struct {
			Error string `json:"error"`
			*wrongParameter
		}{f.sentence, wrong})
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(f.status)
	views.Fault(f.status, f.sentence).Render(r.Context(), w)
}

// damaged is an error, or the sentence about a file of the set that is asked about where that is to blame.
func (s *Server) damaged(r *http.Request, err error) error {
	if chi.URLParam(r, "id") == "" {
		return err
	}
	if set, _ := s.set(r); set != nil {
		if fault := set.Damaged(err); fault != nil {
			return fault
		}
	}
	return err
}

// answered sends what of makes of the set that is asked about, and counts by a name how long that took.
func answered[T any](s *Server, name string, of func(*http.Request, *ingest.Set) (T, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		set, err := s.set(r)
		if err != nil {
			s.fail(w, r, err)
			return
		}
		begun := time.Now()
		answer, err := of(r, set)
		if err != nil {
			s.fail(w, r, err)
			return
		}
		s.metrics.observe(name, time.Since(begun))
		ok(w, answer)
	}
}

// ok answers with JSON, which is never kept: most of it changes while an import runs.
func ok(w http.ResponseWriter, body any) {
	w.Header().Set("Cache-Control", "no-store")
	writeJSON(w, http.StatusOK, body)
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.Encode(body) // an error is a reader that went away
}

// unprocessable tells faults of what an archive holds (422) from those of the request (400).
func unprocessable(err error) error {
	var fault *ingest.Fault
	if errors.As(err, &fault) && fault.Kind == ingest.Invalid {
		return failure{http.StatusUnprocessableEntity, fault.Sentence()}
	}
	return err
}
