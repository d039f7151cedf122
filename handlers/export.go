package handlers

import "net/http"

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
	out := &begun{w: &patient{w, http.NewResponseController(w)}, begin: func() {
		w.Header().Set("Content-Type", "application/zstd")
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Content-Disposition", attachment(set.Status().Name+".synchroscope.tar.zst"))
	}}
	err = set.Export(r.Context(), out)
	switch {
	case err == nil:
	case !out.any:
		s.fail(w, r, err)
	default:
		if r.Context().Err() == nil {
			s.log.Error("the archive of a whole set broke off", "set", set.ID(), "err", err)
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
