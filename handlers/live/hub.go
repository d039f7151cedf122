// Package live serves the websocket of a set: views ask for pixels, the server
// answers, and answers again while the import runs. The messages are those of
// docs/format/wire.md.
//
// A view wants the newest state, not a log of states. So nothing here is a
// queue. A session has an outbox of slots, in which a newer message replaces the one
// that was not sent; a view has at most one answer in the air until the
// browser says that it has drawn it; and the next answer is not even computed
// before that. A browser that draws ten times a second is answered ten times a
// second, one that has stopped drawing costs nothing, and no client can make the
// server hold more than one answer per view.
//
// Goroutines of a session: the reader (the HTTP handler's own), the write pump
// that alone writes to the connection, the pusher (set, report, clocks, rows),
// and one per view. All end with the session's context.
package live

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"synchroscope/handlers/wire"
)

// Options of a hub; zero fields take the default.
type Options struct {
	Heavy   int                                      // queries at once that read a history, 2 if 0
	Log     *slog.Logger                             // slog.Default if nil
	Observe func(op wire.Op, duration time.Duration) // called after each query

	// Refuse answers a request that is not upgraded, http.Error if nil.
	Refuse func(w http.ResponseWriter, r *http.Request, status int, sentence string)
}

// A Hub is what all sessions share.
type Hub struct {
	heavy   chan struct{} // a semaphore
	log     *slog.Logger
	observe func(wire.Op, time.Duration)

	upgrader websocket.Upgrader

	crowds *crowds
	shelf  *shelf
	strips *strips
	flows  int // connections that are counted at once

	ctx    context.Context
	cancel context.CancelFunc

	mu       sync.Mutex
	closed   bool
	tables   map[string]*table // by set, kept until Forget so that ids stay
	sessions map[*session]struct{}
	running  sync.WaitGroup
}

// NewHub returns a hub without sessions.
func NewHub(o Options) *Hub {
	if o.Heavy == 0 {
		o.Heavy = 2
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Observe == nil {
		o.Observe = func(wire.Op, time.Duration) {}
	}
	ctx, cancel := context.WithCancel(context.Background())
	return &Hub{
		heavy: make(chan struct{}, o.Heavy), log: o.Log, observe: o.Observe, upgrader: newUpgrader(o.Refuse),
		ctx: ctx, cancel: cancel, crowds: newCrowds(), shelf: newShelf(shelfBytes), strips: newStrips(stripsBytes), flows: flowLimit,
		tables: make(map[string]*table), sessions: make(map[*session]struct{}),
	}
}

// newUpgrader makes the upgrader of a hub. A page with rows on screen sends small requests and
// takes large answers. The origin check is the library's: the page's own origin only.
func newUpgrader(refuse func(http.ResponseWriter, *http.Request, int, string)) websocket.Upgrader {
	if refuse == nil {
		refuse = func(w http.ResponseWriter, _ *http.Request, status int, sentence string) {
			http.Error(w, sentence, status)
		}
	}
	return websocket.Upgrader{
		ReadBufferSize: 4 << 10, WriteBufferSize: 32 << 10, EnableCompression: true,
		Error: func(w http.ResponseWriter, r *http.Request, status int, _ error) {
			sentence := "This address is for websockets: the request must ask for an upgrade to version 13."
			switch {
			case status == http.StatusForbidden:
				sentence = "Another site's page may not look at the traces here."
			case status >= http.StatusInternalServerError:
				sentence = "This connection cannot become a websocket."
			}
			refuse(w, r, status, sentence)
		},
	}
}

// Serve upgrades the request and runs a session until either side ends it. focus
// may be nil.
func (h *Hub) Serve(w http.ResponseWriter, r *http.Request, set Set, focus *Focus) {
	conn, err := h.upgrader.Upgrade(w, r, nil)
	if err != nil {
		return // it is answered
	}
	s := h.join(conn, set, focus)
	if s == nil {
		refuse(conn, websocket.CloseGoingAway, "the server is stopping")
		return
	}
	defer h.leave(s)
	s.run()
}

// enter takes a place among the queries that read, as soon as one is free; exit gives it back.
func (h *Hub) enter(ctx context.Context) error {
	select {
	case h.heavy <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (h *Hub) exit() { <-h.heavy }

// Sessions is the number of open connections.
func (h *Hub) Sessions() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.sessions)
}

// Forget ends the sessions of a set that was deleted and drops its rows.
func (h *Hub) Forget(set string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.tables, set)
	h.crowds.forget(set)
	h.shelf.forget(set)
	h.strips.forget(set)
	for s := range h.sessions {
		if s.set.ID() == set {
			s.end(websocket.CloseNormalClosure, "the trace set was deleted")
		}
	}
}

// Close ends all sessions with the close code "going away" and waits for them,
// at most until ctx is done. http.Server.Shutdown does neither.
func (h *Hub) Close(ctx context.Context) error {
	h.crowds.cancel()
	h.mu.Lock()
	h.closed = true
	for s := range h.sessions {
		s.end(websocket.CloseGoingAway, "the server is stopping")
	}
	h.mu.Unlock()
	gone := make(chan struct{})
	go func() {
		h.running.Wait()
		close(gone)
	}()
	defer h.cancel()
	select {
	case <-gone:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (h *Hub) join(conn *websocket.Conn, set Set, focus *Focus) *session {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil
	}
	t, ok := h.tables[set.ID()]
	if !ok || t.set != set {
		t = newTable(set, t)
		h.tables[set.ID()] = t
	}
	s := newSession(h, conn, set, t, focus)
	h.sessions[s] = struct{}{}
	h.running.Add(1)
	return s
}

func (h *Hub) leave(s *session) {
	defer h.running.Done()
	_, passing := s.set.(Passing)
	first := passing && s.set.Status().Preview
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.sessions, s)
	if id := s.set.ID(); first && h.tables[id] == s.rows {
		h.tables[id] = newTable(nil, s.rows) // the rows stay, but not what else is in memory of a first look that is over
	}
}
