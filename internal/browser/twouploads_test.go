package browser

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"synchroscope/ingest"
)

// The first of two uploads that has arrived does not take the page away from the other, and nor does who opens its set from the list.
func TestUploadBesideAnother(t *testing.T) {
	s := newSite(t, ingest.Options{})
	const piece = 1 << 20
	g := newGate(piece)
	s.between = func(next http.Handler) http.Handler {
		held := g.before(next)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/files/slow.tar.gz") {
				held.ServeHTTP(w, r)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
	t.Cleanup(g.breakOff)
	whole, err := os.ReadFile(demoArchive)
	if err != nil {
		t.Fatal(err)
	}
	slow := filepath.Join(t.TempDir(), "slow.tar.gz")
	if err := os.WriteFile(slow, whole, 0o644); err != nil {
		t.Fatal(err)
	}

	p := NewPage(t)
	p.Open(s.url)
	p.Says("No trace sets yet.")
	loaded := p.Loaded()
	p.Drop(slow)
	p.Await("bytes at the server", func() (any, bool) { return g.sent.Load(), g.sent.Load() >= piece })
	p.Drop(absolute(t, demoArchive))
	p.Await("the set in the list, and the other upload going on", func() (any, bool) {
		saw := p.Address() + " " + p.boxes()
		return saw, saw == s.url+"/ Uploading slow" && len(p.All("link", "shop-4hosts")) == 1
	})
	p.Matches(`shop-4hosts ready`)

	// Its set is opened in another tab.
	p.Find("link", "shop-4hosts").Click()
	var beside *Page
	p.Await("another tab with the set", func() (any, bool) {
		all, err := chromedp.Call(p.ctx, target.GetTargets, target.GetTargetsParams{})
		if err != nil {
			t.Fatal(err)
		}
		var saw []string
		for _, tab := range all.TargetInfos {
			if saw = append(saw, tab.URL); strings.HasPrefix(tab.URL, s.url+"/sets/") {
				beside = newPage(t, p.ctx, chromedp.WithTargetID(tab.TargetID))
			}
		}
		return saw, beside != nil
	})
	beside.Find("heading", "Control flow")
	if got := p.boxes(); got != "Uploading slow" || p.Loaded() != loaded {
		t.Errorf("the page says %q, loaded anew: %v", got, p.Loaded() != loaded)
	}

	// The last one that has arrived leads to its set, as one that is alone.
	p.Find("button", "Stop").Click()
	p.Says("slow is stopped")
	g.breakOff()
	p.Await("nothing on its way", func() (any, bool) { return nil, s.named("slow").Status().Expires != "" })
	g.most.Store(1 << 40)
	p.Find("button", "Go on").Click()
	p.Find("heading", "Control flow")
	set := s.named("slow")
	s.ready(set)
	if want := s.url + "/sets/" + set.ID(); p.Address() != want {
		t.Errorf("the page is at %s, not at %s", p.Address(), want)
	}
}

// named is the set of a name.
func (s *site) named(name string) *ingest.Set {
	s.t.Helper()
	for _, set := range s.engine.Sets() {
		if set.Status().Name == name {
			return set
		}
	}
	s.t.Fatalf("no set is called %s", name)
	return nil
}
