// Package handlers is the application as the network sees it: pages, the JSON
// API and the live websocket, over one ingest engine.
//
// Rules that hold for every route:
//
//   - An error is one sentence: {"error": "..."} below /api, a page elsewhere. The
//     message of an *ingest.Fault is the user's own input speaking and is shown as it
//     is; of any other error the log gets the text and the user "Internal error.".
//   - Nothing changes on GET. What changes something is refused when another site's
//     page sends it (http.CrossOriginProtection), the websocket when another site's page
//     opens it. A server on a loopback address answers to loopback names only, or
//     a stranger's DNS record could point a browser at it.
//   - Deadlines are set per route: an upload may take hours as long as bytes arrive, a
//     page may not. http.TimeoutHandler would buffer, and cut websockets.
package handlers

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"synchroscope/handlers/live"
	"synchroscope/ingest"
	"synchroscope/static"
)

// Options of a server; zero fields take the default.
type Options struct {
	Log       *slog.Logger          // slog.Default if nil
	Hosts     []string              // names that a request's Host may have, any if empty
	MaxUpload int64                 // bytes of one archive, 64 GiB
	Focus     map[string]live.Focus // by set id: what the viewer opens on
}

const (
	defaultMaxUpload = 64 << 30

	bodyLimit    = 64 << 10         // of JSON bodies
	answerTime   = 30 * time.Second // for a page or a JSON answer, query included
	uploadSilent = 60 * time.Second // an upload may pause that long
)

// A Server answers requests. Its zero value is not usable.
type Server struct {
	engine  *ingest.Engine
	log     *slog.Logger
	options Options
	hub     *live.Hub
	metrics *metrics
	tallies tallies
	hunts   lately[hunt]
	mux     *chi.Mux
	handler http.Handler
}

// New returns a server for an engine, which stays the caller's to close.
func New(engine *ingest.Engine, o Options) *Server {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.MaxUpload == 0 {
		o.MaxUpload = defaultMaxUpload
	}
	s := &Server{engine: engine, log: o.Log, options: o, metrics: newMetrics()}
	s.hub = live.NewHub(live.Options{Log: o.Log, Observe: s.metrics.query, Refuse: s.refuse})
	s.metrics.watch(engine, s.hub)
	s.tallies.atOnce, s.tallies.most = talliedAtOnce, tallyBytes
	s.mux = s.routes()
	s.handler = s.wrap(s.mux)
	return s
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Close ends the websockets, which http.Server.Shutdown leaves open, and
// waits for them until ctx is done.
func (s *Server) Close(ctx context.Context) error { return s.hub.Close(ctx) }

func (s *Server) routes() *chi.Mux {
	mux := chi.NewMux()
	mux.Use(middleware.GetHead)
	mux.NotFound(func(w http.ResponseWriter, r *http.Request) {
		s.fail(w, r, errNotFound)
	})
	mux.MethodNotAllowed(s.methodNotAllowed)
	mux.Group(func(mux chi.Router) {
		mux.Use(bounded, compressed)
		mux.Method("GET", static.Prefix+"*", static.Handler())
		mux.Get("/", s.home)
		mux.Get("/sets/{id}", s.viewer)
		mux.Post("/sets/{id}", s.bringBack)
		mux.Get("/healthz", s.healthz)
		mux.Method("GET", "/metrics", s.metrics.handler())
		mux.Get("/api/sets", s.listSets)
		mux.Post("/api/sets", s.createSet)
		mux.Get("/api/deleted", s.listDeleted)
		mux.Delete("/api/deleted/{id}", s.removeSet)
		mux.Post("/api/deleted/{id}/recover", s.recoverSet)
		mux.Get("/api/sets/{id}", s.showSet)
		mux.Patch("/api/sets/{id}", s.renameSet)
		mux.Delete("/api/sets/{id}", s.deleteSet)
		mux.Get("/api/sets/{id}/report", s.report)
		mux.Get("/api/sets/{id}/bookmarks", s.listBookmarks)
		mux.Patch("/api/sets/{id}/bookmarks/{bookmark}", s.editBookmark)
		mux.Delete("/api/sets/{id}/bookmarks/{bookmark}", s.deleteBookmark)
		read := mux.With(s.readable)
		read.Get("/api/sets/{id}/sync", s.sync)
		read.Post("/api/sets/{id}/sync", s.synchronize)
		read.Get("/api/sets/{id}/sync/milestones", s.milestones)
		read.Get("/api/sets/{id}/between", s.between)
		read.Get("/api/sets/{id}/state", s.state)
		read.Get("/api/sets/{id}/state/level", s.level)
		read.Get("/api/sets/{id}/state/change", s.change)
		read.Get("/api/sets/{id}/events", s.events)
		read.Get("/api/sets/{id}/events/count", answered(s, "count of events", countEvents))
		read.Get("/api/sets/{id}/losses", answered(s, "losses", lossesOf))
		read.Get("/api/sets/{id}/statistics", answered(s, "statistics", statisticsOf))
		read.Get("/api/sets/{id}/sums", answered(s, "sums", sumsOf))
		read.Get("/api/sets/{id}/calls", answered(s, "calls", callsOf))
		read.Get("/api/sets/{id}/messages", answered(s, "messages of all pairs", s.trafficOf))
		read.Get("/api/sets/{id}/messages/between", answered(s, "messages of a pair", s.latenciesOf))
		read.Get("/api/sets/{id}/messages/requests", answered(s, "requests", s.requestsOf))
		read.Post("/api/sets/{id}/bookmarks", s.addBookmark)
	})
	mux.Group(func(mux chi.Router) {
		mux.Use(unbounded)
		mux.Put("/api/sets/{id}/files/{filename}", s.upload)
		mux.Post("/api/sets/{id}/import", s.startImport)
		mux.Get("/api/sets/{id}/live", s.live)
		read := mux.With(s.readable)
		read.Get("/api/sets/{id}/export", s.exportSet)
		read.Get("/api/sets/{id}/states.csv", s.statesTable)
		read.Get("/api/sets/{id}/events.csv", s.eventsTable)
		read.Get("/api/sets/{id}/messages.csv", s.messagesTable)
	})
	return mux
}

func (s *Server) methodNotAllowed(w http.ResponseWriter, r *http.Request) {
	var allowed []string
	for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"} {
		if s.mux.Match(chi.NewRouteContext(), method, r.URL.Path) {
			allowed = append(allowed, method)
		}
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	s.fail(w, r, failure{http.StatusMethodNotAllowed, r.Method + " is not possible here."})
}

// bounded gives the whole exchange answerTime.
func bounded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		end := time.Now().Add(answerTime)
		c := http.NewResponseController(w)
		c.SetReadDeadline(end)
		c.SetWriteDeadline(end.Add(5 * time.Second)) // so that "it took too long" still gets out
		ctx, cancel := context.WithDeadline(r.Context(), end)
		defer cancel()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// unbounded takes back what bounded set for an earlier request of the connection:
// net/http leaves a write deadline as it is.
func unbounded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := http.NewResponseController(w)
		c.SetReadDeadline(time.Time{})
		c.SetWriteDeadline(time.Time{})
		next.ServeHTTP(w, r)
	})
}
