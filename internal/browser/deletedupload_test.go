package browser

import (
	"net/http"
	"testing"

	"synchroscope/ingest"
)

// An upload whose set is deleted meanwhile ends: that is said, and stays said, and the list has the way back.
func TestUploadOfADeletedSet(t *testing.T) {
	s := newSite(t, ingest.Options{})
	const piece = 1 << 20
	g := s.gated(piece)
	p := NewPage(t)
	p.Open(s.url)
	p.Says("No trace sets yet.")
	p.Drop(absolute(t, demoArchive))
	p.Await("bytes at the server", func() (any, bool) { return g.sent.Load(), g.sent.Load() >= piece })
	deleted := make(chan error, 1)
	go func() { deleted <- s.engine.Discard(s.named("shop-4hosts").ID()) }()
	g.breakOff()
	p.endsDeleted()
	if err := <-deleted; err != nil {
		t.Fatal(err)
	}
}

// The same ahead of a piece, which is refused: nothing else is said of it, not even for a moment.
func TestUploadIntoADeletedSet(t *testing.T) {
	s := newSite(t, ingest.Options{})
	s.between = func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPut {
				if err := s.engine.Discard(s.named("shop-4hosts").ID()); err != nil {
					t.Error(err)
				}
			}
			next.ServeHTTP(w, r)
		})
	}
	p := NewPage(t)
	p.Open(s.url)
	p.Says("No trace sets yet.")
	Eval[bool](p, `(() => {
		window.failed = false;
		new MutationObserver(() => (failed ||= document.querySelector("#uploads").textContent.includes("was not imported"))).observe(document.querySelector("#uploads"), { subtree: true, childList: true, characterData: true });
		return true;
	})()`)
	p.Drop(absolute(t, demoArchive))
	p.endsDeleted()
	if Eval[bool](p, "failed") {
		t.Error("it is said that it was not imported, and gone at once")
	}
}

func (p *Page) endsDeleted() {
	p.t.Helper()
	const words = "shop-4hosts was deleted, and nothing of it is sent any more."
	p.Says(words)
	p.Await("no card of it", func() (any, bool) { return p.boxes(), p.boxes() == "" })
	p.Matches(`“shop-4hosts” was deleted\. .*Undo`)
	p.Says(words)
}
