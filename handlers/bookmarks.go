package handlers

import (
	"net/http"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"

	"synchroscope/handlers/wire"
	"synchroscope/ingest"
	"synchroscope/sync/network"
)

// A bookmark is how bookmarks are answered.
type bookmark struct {
	ID        uint32     `json:"id"`
	Host      string     `json:"host"`
	TID       int64      `json:"tid"` // -1 for the row of the host
	LocalTime wire.Time  `json:"local_time"`
	Time      *wire.Time `json:"time"` // reference, by the newest clocks; null while they are not known
	Text      string     `json:"text"`
	Created   string     `json:"created"`

	LocalWindow *[2]wire.Time `json:"local_window,omitempty"` // that it was set in, by the host's own clock
}

func bookmarkOf(b ingest.Bookmark, hosts []*ingest.Host, solution *network.Solution) bookmark {
	out := bookmark{ID: b.ID, TID: b.TID, LocalTime: wire.Time(b.Time), Text: b.Text, Created: b.Created.Format(time.RFC3339)}
	if w := b.Window; w != nil {
		out.LocalWindow = &[2]wire.Time{wire.Time(w[0]), wire.Time(w[1])}
	}
	if int(b.Host) < len(hosts) {
		out.Host = hosts[b.Host].Name()
	}
	if solution != nil && int(b.Host) < len(solution.Hosts) {
		t := wire.Time(solution.Hosts[b.Host].Map.Reference(b.Time))
		out.Time = &t
	}
	return out
}

func (s *Server) listBookmarks(w http.ResponseWriter, r *http.Request) {
	set, err := s.set(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	list, err := set.Bookmarks()
	if err != nil {
		s.fail(w, r, err)
		return
	}
	out := []bookmark{}
	hosts, solution := set.Hosts(), set.Solution()
	for _, b := range list {
		out = append(out, bookmarkOf(b, hosts, solution))
	}
	ok(w, struct {
		Bookmarks []bookmark `json:"bookmarks"`
	}{out})
}

// A bookmarkRequest is the body of POST bookmarks.
type bookmarkRequest struct {
	Host      string  `json:"host"`
	TID       *int64  `json:"tid"`        // that of the host's row if left out
	LocalTime *string `json:"local_time"` // either this
	Time      *string `json:"time"`       // or this, of the reference host
	Text      string  `json:"text"`
	Key       string  `json:"key"` // of who asks; with one that is kept already it is that bookmark

	LocalWindow *[2]string `json:"local_window"` // by the host's own clock; none if left out
}

const bookmarkLike = `{"host": "HOST", "tid": 1, "local_time": "NS", "text": "..."} or the same with "time"`

func (s *Server) addBookmark(w http.ResponseWriter, r *http.Request) {
	set, err := s.set(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	var body bookmarkRequest
	if err := wholeBodyOf(w, r, bookmarkLike, &body); err != nil {
		s.fail(w, r, err)
		return
	}
	b, err := body.bookmark(set)
	if err == nil {
		b, err = set.AddBookmark(b)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	writeJSON(w, http.StatusCreated, bookmarkOf(b, set.Hosts(), set.Solution()))
}

// bookmark checks a request and takes its time to the host's own.
func (q bookmarkRequest) bookmark(set *ingest.Set) (b ingest.Bookmark, err error) {
	host, err := hostNamed(set, q.Host)
	switch {
	case err != nil:
		return b, err
	case (q.LocalTime == nil) == (q.Time == nil):
		return b, badRequest(`A bookmark has either "local_time" or "time".`)
	}
	b = ingest.Bookmark{Host: host.Index(), TID: -1, Text: q.Text, Key: q.Key}
	if q.TID != nil {
		b.TID = *q.TID
	}
	if w := q.LocalWindow; w != nil {
		b.Window = new([2]int64)
		for i, t := range w {
			if b.Window[i], err = timeParam(t, "local_window"); err != nil {
				return b, err
			}
		}
	}
	if q.LocalTime != nil {
		b.Time, err = timeParam(*q.LocalTime, "local_time")
		return b, err
	}
	t, err := timeParam(*q.Time, "time")
	if err != nil {
		return b, err
	}
	solution := set.Solution()
	if solution == nil || int(host.Index()) >= len(solution.Hosts) {
		return b, failure{http.StatusConflict, "The clocks of this trace set are not known yet."}
	}
	b.Time = solution.Hosts[host.Index()].Map.Local(t)
	return b, nil
}

func (s *Server) editBookmark(w http.ResponseWriter, r *http.Request) {
	set, id, err := s.bookmarkOfRoute(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	var body struct {
		Text *string `json:"text"`
	}
	const like = `{"text": "..."}`
	if err = wholeBodyOf(w, r, like, &body); err == nil && body.Text == nil {
		err = badRequest("The body must be %s.", like)
	}
	var b ingest.Bookmark
	if err == nil {
		b, err = set.EditBookmark(id, *body.Text)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	ok(w, bookmarkOf(b, set.Hosts(), set.Solution()))
}

func (s *Server) deleteBookmark(w http.ResponseWriter, r *http.Request) {
	set, id, err := s.bookmarkOfRoute(r)
	if err == nil {
		err = set.DeleteBookmark(id)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func (s *Server) bookmarkOfRoute(r *http.Request) (*ingest.Set, uint32, error) {
	set, err := s.set(r)
	if err != nil {
		return nil, 0, err
	}
	id, err := strconv.ParseUint(chi.URLParam(r, "bookmark"), 10, 32)
	if err != nil {
		return nil, 0, errNotFound
	}
	return set, uint32(id), nil
}
