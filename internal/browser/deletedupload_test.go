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
	g := newGate(piece)
	s.between = func(next http.Handler) http.Handler { return g.before(next) }
	t.Cleanup(g.breakOff)
	p := NewPage(t)
	p.Open(s.url)
	p.Says("No trace sets yet.")
	p.Drop(absolute(t, demoArchive))
	p.Await("bytes at the server", func() (any, bool) { return g.sent.Load(), g.sent.Load() >= piece })
	deleted := make(chan error, 1)
	go func() { deleted <- s.engine.Discard(s.named("shop-4hosts").ID()) }()
	g.most.Store(1 << 40)
	g.breakOff()
	p.Says("shop-4hosts was deleted, and nothing of it is sent any more.")
	if err := <-deleted; err != nil {
		t.Fatal(err)
	}
	p.Await("no card of it", func() (any, bool) { return p.boxes(), p.boxes() == "" })
	p.Matches(`“shop-4hosts” was deleted\. .*Undo`)
	p.Says("shop-4hosts was deleted, and nothing of it is sent any more.")
}
