package handlers

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-chi/chi/v5"

	"synchroscope/ingest"
)

// upload appends the body to an archive of a set. The body goes to the disk as
// it arrives; nothing of it is buffered here.
func (s *Server) upload(w http.ResponseWriter, r *http.Request) {
	set, err := s.set(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	filename, err := url.PathUnescape(chi.URLParam(r, "filename"))
	if err != nil || strings.ContainsAny(filename, `/\`) {
		s.fail(w, r, failure{http.StatusBadRequest, "The file name in the address must be one name, without folders."})
		return
	}
	p, err := pieceOf(r)
	if err == nil && (p.total > s.options.MaxUpload || p.offset > s.options.MaxUpload) {
		err = failure{http.StatusRequestEntityTooLarge, fmt.Sprintf("An archive may have %d bytes.", s.options.MaxUpload)}
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	body := &arriving{
		body:       http.MaxBytesReader(w, r.Body, s.options.MaxUpload-p.offset),
		controller: http.NewResponseController(w),
		left:       p.length,
	}
	stop := set.AfterClose(body.end)
	defer stop()
	received, err := set.Upload(r.Context(), filename, p.offset, p.total, body)
	s.metrics.uploaded.Add(float64(body.read))
	if body.err != nil { // tells more than what became of it
		err = body.err
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	ok(w, ingest.FileStatus{Name: filename, Size: p.total, Received: received})
}

// A piece is which part of the archive the body is.
type piece struct {
	offset int64
	length int64 // -1 unknown
	total  int64 // of the archive, -1 unknown
}

var contentRange = regexp.MustCompile(`^bytes (\d{1,18})-(\d{1,18})/(\d{1,18}|\*)$`)

// pieceOf reads the Content-Range of a request; without one the body is the whole archive.
func pieceOf(r *http.Request) (piece, error) {
	header := r.Header.Get("Content-Range")
	if header == "" {
		return piece{0, r.ContentLength, r.ContentLength}, nil
	}
	wrong := failure{http.StatusBadRequest, fmt.Sprintf("Content-Range must be \"bytes FIRST-LAST/TOTAL\", not %.80q.", header)}
	m := contentRange.FindStringSubmatch(header)
	if m == nil {
		return piece{}, wrong
	}
	first, _ := strconv.ParseInt(m[1], 10, 64) // the form leaves no room for an error
	last, _ := strconv.ParseInt(m[2], 10, 64)
	p := piece{offset: first, length: last - first + 1, total: -1}
	if m[3] != "*" {
		p.total, _ = strconv.ParseInt(m[3], 10, 64)
	}
	if last < first || p.total >= 0 && last >= p.total {
		return piece{}, wrong
	}
	if r.ContentLength >= 0 && r.ContentLength != p.length {
		return piece{}, failure{http.StatusBadRequest, fmt.Sprintf("Content-Range announces %d bytes and Content-Length %d.", p.length, r.ContentLength)}
	}
	return p, nil
}

// arriving is a body that may take any time, but must not stand still, and
// must have the length that was announced.
type arriving struct {
	body       io.Reader
	controller *http.ResponseController
	left       int64 // -1 unknown
	read       int64
	err        error // of the body, other than its end
	ended      atomic.Bool
}

// end has nothing read any more, nor waited for.
func (a *arriving) end() {
	a.ended.Store(true)
	a.controller.SetReadDeadline(time.Now())
}

func (a *arriving) Read(b []byte) (int, error) {
	a.controller.SetReadDeadline(time.Now().Add(uploadSilent))
	if a.ended.Load() { // end may have come before that deadline
		a.controller.SetReadDeadline(time.Now())
	}
	if a.left == 0 {
		n, err := a.body.Read(make([]byte, 1))
		if n > 0 {
			err = a.fail(failure{http.StatusBadRequest, "The body is longer than was announced."})
		}
		return 0, err
	}
	if a.left > 0 {
		b = b[:min(int64(len(b)), a.left)]
	}
	n, err := a.body.Read(b)
	a.read += int64(n)
	if a.left > 0 {
		a.left -= int64(n)
	}
	switch {
	case err == io.EOF && a.left > 0:
		return n, a.fail(failure{http.StatusBadRequest, "The body is shorter than was announced."})
	case err != nil && err != io.EOF && !a.ended.Load():
		return n, a.fail(broken(err))
	}
	return n, err
}

// broken words why a body ends before its end.
func broken(err error) error {
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return err
	case errors.Is(err, os.ErrDeadlineExceeded):
		return failure{http.StatusRequestTimeout, fmt.Sprintf("The upload stood still for %v.", uploadSilent)}
	}
	return failure{http.StatusBadRequest, "The upload broke off."}
}

func (a *arriving) fail(err error) error {
	a.err = err
	return err
}

// startImport answers once it is known whether there is anything to import: what
// is wrong with the archives is the answer of this request. With until=rows it answers once there are rows to look
// at, which may be before that.
func (s *Server) startImport(w http.ResponseWriter, r *http.Request) {
	set, err := s.set(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	q, err := query(r, "until")
	if err != nil {
		s.fail(w, r, err)
		return
	}
	ready := set.Prepare
	switch until := q.Get("until"); until {
	case "":
	case "rows":
		ready = set.Look
	default:
		s.fail(w, r, badRequest(`"until" is %.40q; there is nothing to wait for but "rows".`, until))
		return
	}
	if err := ready(r.Context()); err != nil {
		s.fail(w, r, unprocessable(err))
		return
	}
	if err := set.Import(); err != nil {
		s.fail(w, r, unprocessable(err))
		return
	}
	w.Header().Set("Location", "/api/sets/"+set.ID())
	writeJSON(w, http.StatusAccepted, set.Status())
}
