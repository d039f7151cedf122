package browser

import (
	"io"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"synchroscope/ingest"
)

// A gate lets so many bytes of a body through and holds the rest: until it breaks off what it holds, or is opened for all.
type gate struct {
	most   atomic.Int64
	sent   atomic.Int64 // of all bodies
	mu     sync.Mutex
	broken chan struct{}
}

func newGate(most int64) *gate {
	g := &gate{broken: make(chan struct{})}
	g.most.Store(most)
	return g
}

// gated is a gate before all uploads of the site.
func (s *site) gated(most int64) *gate {
	g := newGate(most)
	s.between = g.before
	s.t.Cleanup(g.open) // or the server would wait for what is held, also where the test fails, and for what still comes
	return g
}

// open breaks off what the gate holds, and it holds nothing any more.
func (g *gate) open() {
	g.most.Store(math.MaxInt64)
	g.breakOff()
}

func (g *gate) before(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut {
			g.mu.Lock()
			r.Body = &gated{ReadCloser: r.Body, gate: g, broken: g.broken}
			g.mu.Unlock()
		}
		next.ServeHTTP(w, r)
	})
}

func (g *gate) breakOff() {
	g.mu.Lock()
	defer g.mu.Unlock()
	close(g.broken)
	g.broken = make(chan struct{})
}

type gated struct {
	io.ReadCloser
	gate   *gate
	broken chan struct{}
	n      int64
}

func (b *gated) Read(p []byte) (int, error) {
	if b.n >= b.gate.most.Load() {
		<-b.broken
		return 0, io.ErrUnexpectedEOF
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), 64<<10)])
	b.n += int64(n)
	b.gate.sent.Add(int64(n))
	return n, err
}

// boxes are the names of the uploads on a home page, in their order.
func (p *Page) boxes() string {
	p.t.Helper()
	return Eval[string](p, `[...document.querySelectorAll(".upload")].map((x) => x.querySelector(".stage").textContent).join("; ")`)
}

func (p *Page) awaitBoxes(want string) {
	p.t.Helper()
	p.Await("the boxes "+want, func() (any, bool) {
		got := p.boxes()
		return got, got == want
	})
}

// The same files once more go on in the box that they had, and are not sent beside themselves: not while they are on their
// way, in this tab or another, nor after a stop. Files that are others, by date alone, are another set.
func TestDropAgain(t *testing.T) {
	s := newSite(t, ingest.Options{})
	const piece = 1 << 20
	g := s.gated(piece)
	dir := t.TempDir()
	path := filepath.Join(dir, "shop.tar.gz")
	whole, err := os.ReadFile(demoArchive)
	if err != nil {
		t.Fatal(err)
	}
	write := func(path string, content []byte, at time.Time) {
		t.Helper()
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	then := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	write(path, whole, then)
	sets := func(want int) {
		t.Helper()
		if n := len(s.engine.Sets()); n != want {
			t.Fatalf("there are %d sets, want %d", n, want)
		}
	}
	// stopped presses Stop and waits until the server has let go what it was reading.
	stopped := func(p *Page) {
		t.Helper()
		p.Find("button", "Stop").Click()
		p.Says("is stopped")
		g.breakOff()
		p.Await("nothing on its way", func() (any, bool) {
			for _, set := range s.engine.Sets() {
				if set.Status().Expires == "" {
					return set.Status(), false
				}
			}
			return nil, true
		})
	}
	holds := func(p *Page, want int64) {
		t.Helper()
		p.Await("bytes at the server", func() (any, bool) { return g.sent.Load(), g.sent.Load() >= want })
	}

	p := NewPage(t)
	p.Open(s.url)
	p.Says("No trace sets yet.")
	p.Drop(path)
	p.awaitBoxes("Uploading shop")
	holds(p, piece)
	p.Drop(path)
	p.Says("shop is being uploaded already.")
	beside := p.Beside()
	beside.Open(s.url)
	beside.Matches(`shop being uploaded in another tab`)
	beside.Drop(path)
	beside.Says("shop is being uploaded in another tab already.")
	sets(1)
	p.awaitBoxes("Uploading shop")
	beside.awaitBoxes("")

	// What was stopped here goes on there, and not in both.
	stopped(p)
	g.sent.Store(0)
	beside.Drop(path)
	beside.awaitBoxes("Going on with shop")
	holds(beside, piece)
	p.Find("button", "Go on").Click()
	p.Says("It is being uploaded in another tab of this browser.")
	stopped(beside)
	beside.Find("button", "Dismiss").Click()
	sets(1)

	// Another file of the same name and size, by its date, has a box and a set of its own.
	other := filepath.Join(dir, "other", "shop.tar.gz")
	if err := os.Mkdir(filepath.Dir(other), 0o755); err != nil {
		t.Fatal(err)
	}
	write(other, whole, then.Add(time.Hour))
	g.sent.Store(0)
	p.Drop(other)
	p.awaitBoxes("shop is stopped here; Uploading shop (2)")
	holds(p, piece)
	stopped(p)
	sets(2)

	// One that was changed where it lies is not sent behind the bytes of the old.
	write(other, append([]byte(nil), whole[:len(whole)-1]...), then.Add(2*time.Hour))
	p.All("button", "Go on")[1].Click()
	p.Says("shop.tar.gz was changed or moved since it was chosen. Drop it once more; if it is another file now, it becomes a new set.")
	p.All("button", "Dismiss")[1].Click()

	// The first one goes on in its box, from where it stood.
	held := map[string]int64{}
	for _, set := range s.engine.Sets() {
		held[set.ID()] = set.Status().Files[0].Received
	}
	g.most.Store(1 << 40)
	g.sent.Store(0)
	p.Drop(path)
	p.Find("heading", "Control flow")
	sets(2)
	id := strings.TrimPrefix(Eval[string](p, "location.pathname"), "/sets/")
	if left := int64(len(whole)) - held[id]; g.sent.Load() != left {
		t.Errorf("%d bytes were sent to go on behind %d of %d", g.sent.Load(), held[id], len(whole))
	}
}
