package browser

import (
	"math"
	"testing"

	"synchroscope/ingest"
)

// A stopped upload shows what has arrived, as the list below does, and not what had left the page.
func TestStoppedUpload(t *testing.T) {
	s := newSite(t, ingest.Options{})
	const piece = 1 << 20
	g := s.gated(piece)
	p := NewPage(t)
	p.Open(s.url)
	p.Says("No trace sets yet.")
	p.Drop(absolute(t, demoArchive))
	shown := func() int {
		return Eval[int](p, `Number(document.querySelector(".upload .file [role=progressbar]").ariaValueNow)`)
	}
	p.Await("bytes at the server", func() (any, bool) { return g.sent.Load(), g.sent.Load() >= piece })
	p.Await("more that has left the page", func() (any, bool) { return shown(), shown() > 20 })
	p.Find("button", "Stop").Click()
	p.Says("shop-4hosts is stopped")
	g.breakOff()
	p.Await("what has arrived", func() (any, bool) {
		f := s.named("shop-4hosts").Status().Files
		if len(f) == 0 {
			return f, false
		}
		want := int(math.Round(100 * float64(f[0].Received) / float64(f[0].Size)))
		return []int{shown(), want}, want > 0 && want < 20 && shown() == want
	})
}
