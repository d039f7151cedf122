package browser

import (
	"cmp"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"synchroscope/ingest"
)

// seen notes when the page got what it draws first, and when it drew rows with states first, in ms of the system's clock.
const seen = `(() => {
	const now = () => performance.timeOrigin + performance.now()
	const first = window.first = {}
	const names = {1: "set", 3: "clocks", 4: "states", 10: "rows"}
	const Plain = WebSocket
	window.WebSocket = class extends Plain {
		constructor(...args) {
			super(...args)
			first.socket ??= now()
			this.addEventListener("message", (e) => {
				const n = names[new Uint8Array(e.data)[0]]
				if (n) first[n] ??= now()
				if (n !== "set") return
				const set = JSON.parse(new TextDecoder().decode(new Uint8Array(e.data, 8)))
				if (set.preview) first.preview ??= now()
				else if (set.events > 0) first.whole ??= now()
			})
		}
	}
	addEventListener("drawn", (e) => {
		if (e.detail.rows > 0) first.listed ??= now()
		if (e.detail.rows > e.detail.blank) first.drawn ??= now()
	}, true)
})()`

// An archive that takes long to unpack is looked at before it is: rows are drawn from what is there, said to be a first look,
// and the whole set takes their place in the same page.
//
// For docs/performance.md it prints when what came, after the answer to the last piece of the upload. With
// SYNCHROSCOPE_FIRST_ROWS, archives separated by colons, it does so for them and promises nothing; SYNCHROSCOPE_BESIDE is
// one that is imported beside them.
func TestFirstRows(t *testing.T) {
	if testing.Short() {
		t.Skip("a short run: this unpacks a large recording")
	}
	paths := filepath.SplitList(os.Getenv("SYNCHROSCOPE_FIRST_ROWS"))
	measured := len(paths) > 0
	if !measured {
		stress := archiveOf("stress-1host.tar.xz")
		if stress == "" {
			t.Skip("the recording is not there")
		}
		paths = []string{stress}
	}
	s := newSite(t, ingest.Options{})
	if beside := os.Getenv("SYNCHROSCOPE_BESIDE"); beside != "" {
		s.add("beside", beside)
	}
	var mu sync.Mutex
	var uploaded, asked, answered, opened time.Time
	s.between = func(app http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			begin := time.Now()
			app.ServeHTTP(w, r)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case r.Method == http.MethodPut:
				uploaded = time.Now()
			case r.Method == http.MethodPost && filepath.Base(r.URL.Path) == "import":
				asked, answered = begin, time.Now()
			case filepath.Base(filepath.Dir(r.URL.Path)) == "sets" && opened.IsZero() && filepath.Dir(filepath.Dir(r.URL.Path)) == "/":
				opened = begin
			}
		})
	}
	p := NewPage(t)
	if _, err := chromedp.Call(p.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: seen}); err != nil {
		t.Fatal(err)
	}
	p.Open(s.url)
	p.Find("heading", "New trace set")
	p.Upload("Trace archives", paths...)
	p.Await("rows", func() (any, bool) {
		drawn := Eval[float64](p, "window.first?.drawn ?? 0")
		return drawn, drawn > 0
	})
	loaded := p.Loaded()
	if !measured {
		// Nothing is added up of a first look, and nothing is said of what there is not.
		p.Find("tab", "Statistics").Click()
		p.Says("What was done is added up once the import reads it.")
		if words := p.Text(); strings.Contains(words, "No CPU is known") || strings.Contains(words, "No thread ran") {
			t.Errorf("of a first look the page says %s", words)
		}
		p.Find("tab", "Timeline").Click()
		p.Await("the whole set in the place of the first look", func() (any, bool) {
			words := p.Find("contentinfo", "").Text()
			return words, strings.Contains(words, "final")
		})
		if looked := Eval[bool](p, "window.first.preview < window.first.whole && window.first.drawn < window.first.whole"); !looked {
			t.Error("nothing was drawn before all was unpacked")
		}
		p.Says("Whole set")
		p.Says("3 619 815 events")
		if p.Loaded() != loaded {
			t.Error("the page was loaded again")
		}
	}
	first := Eval[map[string]float64](p, "window.first")
	at := Eval[map[string]float64](p, `(() => { const [n] = performance.getEntriesByType("navigation"), o = performance.timeOrigin; return {navigated: o, page: o + n.responseEnd, scripts: o + n.domContentLoadedEventStart} })()`)
	mu.Lock()
	defer mu.Unlock()
	at["import asked"], at["import answered"], at["viewer served"] = ms(asked), ms(answered), ms(opened)
	for name, time := range first {
		at["first "+name] = time
	}
	for _, name := range sortedBy(at, func(a, b string) int { return cmp.Compare(at[a], at[b]) }) {
		t.Logf("%7.0f ms %s", at[name]-ms(uploaded), name)
	}
}

func ms(t time.Time) float64 { return float64(t.UnixMicro()) / 1000 }

func sortedBy(m map[string]float64, compare func(a, b string) int) []string {
	return slices.SortedFunc(maps.Keys(m), compare)
}
