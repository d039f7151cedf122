package handlers

import (
	"io"
	"net/http"

	"synchroscope/ingest"
)

// exportSet answers GET export: the whole set as one archive, streamed.
func (s *Server) exportSet(w http.ResponseWriter, r *http.Request) {
	set, err := s.set(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	if _, err := query(r); err != nil {
		s.fail(w, r, err)
		return
	}
	s.stream(w, r, set, "the archive of a whole set", func() {
		w.Header().Set("Content-Type", "application/zstd")
		w.Header().Set("Content-Disposition", attachment(set.Status().Name+".synchroscope.tar.zst"))
	}, func(out io.Writer) error { return set.Export(r.Context(), out) })
}

// stream sends what is written, for as long as its reader takes it, behind headers of its own. What goes wrong before the first byte is answered in its
// place; later the answer breaks off.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, set *ingest.Set, what string, headers func(), write func(io.Writer) error) {
	out := &begun{w: &patient{w, http.NewResponseController(w)}, begin: func() {
		w.Header().Set("Cache-Control", "no-store")
		headers()
	}}
	err := write(out)
	switch {
	case err == nil:
	case !out.any:
		s.fail(w, r, err)
	default:
		err = s.damaged(r, err)
		if r.Context().Err() == nil {
			s.log.Error("an answer broke off", "set", set.ID(), "what", what, "err", err)
		}
		panic(http.ErrAbortHandler) // its reader must not take it for whole
	}
}

// A begun writer calls begin before the first byte.
type begun struct {
	w     *patient
	begin func()
	any   bool
}

func (b *begun) Write(p []byte) (int, error) {
	if !b.any {
		b.any = true
		b.begin()
	}
	return b.w.Write(p)
}
