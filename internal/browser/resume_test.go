package browser

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"synchroscope/ingest"
	"synchroscope/trace/archive"
)

// A folder of traces that is dropped is uploaded as it is, with names of any length.
func TestUploadFolder(t *testing.T) {
	s := newSite(t, ingest.Options{})
	long := strings.Repeat("très-long-", 12)
	dir := filepath.Join(t.TempDir(), "shop")
	if err := os.MkdirAll(filepath.Join(dir, long), 0o755); err != nil {
		t.Fatal(err)
	}
	unpack(t, filepath.Join(dir, long))
	p := NewPage(t)
	p.Open(s.url)
	p.Says("No trace sets yet.")
	p.Drop(dir)
	p.Find("heading", "Control flow")
	for _, host := range fourHosts.hosts {
		p.hostRow("Communication", host)
	}
	sets := s.engine.Sets()
	if len(sets) != 1 {
		t.Fatalf("%d sets", len(sets))
	}
	s.ready(sets[0])
	if st := sets[0].Status(); st.Name != "shop" || len(st.Hosts) != 4 || st.Anomalies != 0 {
		t.Errorf("the set is %+v", st)
	}

	// What is no trace is refused before anything is sent.
	other := filepath.Join(t.TempDir(), "pictures")
	if err := os.MkdirAll(other, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(other, "x.png"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	p.Open(s.url)
	p.Find("link", "shop")
	p.Drop(other)
	p.Says("pictures holds no trace and no archive")
	if n := len(s.engine.Sets()); n != 1 {
		t.Errorf("%d sets", n)
	}
}

// A server that is away when all of an archive has arrived is asked again; who stops and dismisses meanwhile loses nothing.
func TestUploadServerAway(t *testing.T) {
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
	p.Drop(absolute(t, demoArchive))
	p.Says("The server cannot be reached. Trying again…")
	p.Find("button", "Stop").Click()
	p.Says("shop-4hosts is stopped")
	p.Find("button", "Go on").Click()
	p.Says("The server cannot be reached. Trying again…")
	p.Find("button", "Stop").Click()
	p.Find("button", "Dismiss").Click()
	p.Matches(`upload not finished · 5\.7 MiB of 5\.7 MiB here`)

	p.Drop(absolute(t, demoArchive))
	p.Says("The server cannot be reached. Trying again…")
	away.Store(false)
	p.Find("heading", "Control flow")
	sets := s.engine.Sets()
	if len(sets) != 1 {
		t.Fatalf("%d sets", len(sets))
	}
	s.ready(sets[0])
}

// Of a drop that broke off all archives count, and what is missing is named where the rest can be imported without it.
func TestImportWithoutMissing(t *testing.T) {
	s := newSite(t, ingest.Options{})
	first := "/files/" + filepath.Base(demoArchive)
	s.between = func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPut && !strings.HasSuffix(r.URL.Path, first) {
				panic(http.ErrAbortHandler)
			}
			next.ServeHTTP(w, r)
		})
	}
	dir := t.TempDir()
	paths := []string{absolute(t, demoArchive)}
	for _, name := range []string{"db.tar", "web.tar"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, make([]byte, 2<<20), 0o644); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	p := NewPage(t)
	p.Open(s.url)
	p.Says("No trace sets yet.")
	p.Drop(paths...)
	p.Says("The server cannot be reached. Trying again…")
	p.Reload()
	p.Matches(`upload not finished · 5\.7 MiB of 9\.7 MiB here`)
	p.Says("1 of 3 archives is here; db.tar and web.tar are missing.")
	if *statesDir != "" {
		p.keep(*statesDir, "upload-missing")
	}
	p.Find("button", "Import what is here (1 of 3)").Click()
	p.Find("link", "shop-4hosts and 2 more").Click()
	p.Find("heading", "Control flow")
}

func unpack(t *testing.T, dir string) {
	t.Helper()
	f, err := os.Open(demoArchive)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := archive.Extract(context.Background(), root, demoArchive, f, info.Size(), archive.Limits{}, func(int64) {}); err != nil {
		t.Fatal(err)
	}
}

// An upload whose page is closed in the middle goes on where it stopped when the same file is dropped again, and nothing
// is sent twice.
func TestResumeUpload(t *testing.T) {
	const most = 3 << 20 // of the archive reach the server before the page is closed
	s := newSite(t, ingest.Options{})
	var sent atomic.Int64
	block := make(chan struct{})
	var through atomic.Bool
	s.between = func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPut {
				r.Body = &counted{r.Body, &sent, func(n int64) {
					if !through.Load() && n >= most {
						<-block
					}
				}}
			}
			next.ServeHTTP(w, r)
		})
	}
	p := NewPage(t)
	p.Open(s.url)
	p.Says("No trace sets yet.")
	p.Drop(absolute(t, demoArchive))
	p.Says("Uploading shop-4hosts")
	p.Await("a part of the archive at the server", func() (any, bool) {
		sets := s.engine.Sets()
		if len(sets) == 0 {
			return nil, false
		}
		return sent.Load(), sent.Load() >= most
	})
	p.Open("about:blank")
	through.Store(true)
	close(block)
	p.Open(s.url)
	p.Matches(`upload not finished · [\d.]+ MiB of 5\.7 MiB here .* kept until `)
	held := s.engine.Sets()[0].Status().Files[0].Received
	if held < most/2 {
		t.Fatalf("%d bytes were kept", held)
	}

	// Another file of this name is none to go on with.
	changed := filepath.Join(t.TempDir(), "shop-4hosts.tar.gz")
	if err := os.WriteFile(changed, []byte("another"), 0o644); err != nil {
		t.Fatal(err)
	}
	p.Find("button", "Go on…").Click()
	p.Upload("Trace archives", changed)
	p.Says("shop-4hosts.tar.gz had 5.7 MiB when the upload began and has 7 B now")

	sent.Store(0)
	p.Drop(absolute(t, demoArchive))
	p.Find("heading", "Control flow")
	sets := s.engine.Sets()
	if len(sets) != 1 {
		t.Fatalf("%d sets", len(sets))
	}
	info, err := os.Stat(demoArchive)
	if err != nil {
		t.Fatal(err)
	}
	if sent.Load() != info.Size()-held {
		t.Errorf("%d bytes were sent to go on behind %d of %d", sent.Load(), held, info.Size())
	}
	s.ready(sets[0])
}

// A body that counts what is read of it.
type counted struct {
	io.ReadCloser
	n    *atomic.Int64
	then func(n int64)
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.ReadCloser.Read(b[:min(len(b), 64<<10)])
	c.then(c.n.Add(int64(n)))
	return n, err
}
