package browser

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"synchroscope/ingest"
)

// focused waits until the focus is on what has a name, that of its label or else its words.
func (p *Page) focused(want string) {
	p.t.Helper()
	p.Await("the focus on "+want, func() (any, bool) {
		words := spaces.Replace(Eval[string](p, `(() => {
			const e = document.activeElement;
			return e === document.body ? "nothing" : e.getAttribute("aria-label") ?? (e.getAttribute("role") === "tabpanel" ? "the tab " + e.id : e.innerText.trim());
		})()`))
		return words, words == want
	})
}

// at gives the focus to the button with a name.
func (p *Page) at(button string) {
	p.t.Helper()
	must[any](p.Find("button", button), "function() { this.focus(); return null }")
}

// An upload is stopped, gone on with, given up and imported by keys alone, and the focus is never lost.
func TestFocusOfAnUpload(t *testing.T) {
	s := newSite(t, ingest.Options{})
	var away atomic.Bool
	s.between = func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if away.Load() && r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/import") {
				panic(http.ErrAbortHandler)
			}
			next.ServeHTTP(w, r)
		})
	}
	away.Store(true)
	p := NewPage(t)
	p.Open(s.url)
	p.Says("No trace sets yet.")
	notes := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(notes, []byte("no archive\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p.Drop(notes, absolute(t, demoArchive))
	p.focused("Upload shop-4hosts.tar.gz alone")
	p.Press("Enter")
	p.focused("Choose files…")
	p.Says("The server cannot be reached. Trying again…")
	p.at("Stop")
	p.Press("Enter")
	p.focused("Go on")
	p.Press("Enter")
	p.focused("Stop")
	p.Says("The server cannot be reached. Trying again…")
	p.focused("Stop")
	p.Press("Enter")
	p.focused("Go on")
	p.Press("Tab")
	p.focused("Dismiss")
	p.Press("Enter")
	p.focused("Choose files…")
	away.Store(false)
	p.at("Import what is here")
	p.Press("Enter")
	p.focused("shop-4hosts")
}
