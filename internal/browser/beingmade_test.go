package browser

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"synchroscope/ingest"
)

// A set may be in the list of sets before the page hears that the server made it for its upload: it is none that somebody left unfinished.
func TestListedBeforeItIsKnown(t *testing.T) {
	s := newSite(t, ingest.Options{})
	uploads := s.gated(0)
	begun, made, known := make(chan struct{}), make(chan struct{}), make(chan struct{})
	tell := sync.OnceFunc(func() { close(known) })
	t.Cleanup(tell) // or the server would wait for what is held, also where the test fails
	s.between = func(app http.Handler) http.Handler {
		app = uploads.before(app)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.Method == http.MethodPost && r.URL.Path == "/api/sets":
				close(begun)
				answer := httptest.NewRecorder()
				app.ServeHTTP(answer, r)
				close(made)
				<-known
				maps.Copy(w.Header(), answer.Header())
				w.WriteHeader(answer.Code)
				_, _ = w.Write(answer.Body.Bytes())
				return
			case r.Method == http.MethodGet && r.URL.Path == "/api/sets":
				select {
				case <-begun:
					<-made
				default:
				}
			}
			app.ServeHTTP(w, r)
		})
	}
	p := NewPage(t)
	p.Open(s.url)
	p.Says("No trace sets yet.")
	Eval[bool](p, `(() => {
		window.said = [];
		new MutationObserver(() => said.push(document.querySelector(".set .state")?.textContent ?? "")).observe(document.querySelector("main"), {subtree: true, childList: true, characterData: true});
		return true;
	})()`)
	p.Drop(absolute(t, demoArchive))
	<-made
	// What the page asks itself from now on has the set; it has shown what it asked before this when it has shown this.
	Eval[bool](p, `(async () => {
		document.dispatchEvent(new Event("visibilitychange"));
		for (let i = 0; i < 5; i++) await fetch("/api/sets");
		await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
		return true;
	})()`)
	tell()
	p.Await("the set in the list", func() (any, bool) {
		said := Eval[[]string](p, `said.filter((x) => x)`)
		return said, len(said) > 0
	})
	for _, said := range Eval[[]string](p, `said.filter((x) => x)`) {
		if said[:min(len(said), 6)] != "being " {
			t.Errorf("of the set it says %q", said)
		}
	}
}
