package static_test

import (
	"compress/gzip"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"synchroscope/internal/peer"
	"synchroscope/static"
)

func TestHandlerServesWhatPathNames(t *testing.T) {
	srv := httptest.NewServer(static.Handler())
	defer srv.Close()
	for name, kind := range map[string]string{
		"home.js":     "text/javascript",
		"viewer.js":   "text/javascript",
		"head.js":     "text/javascript",
		"style.css":   "text/css",
		"favicon.svg": "image/svg+xml",
	} {
		resp, err := http.Get(srv.URL + static.Path(name))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusOK || !strings.HasPrefix(resp.Header.Get("Content-Type"), kind) {
			t.Errorf("%s: %s, %s", name, resp.Status, resp.Header.Get("Content-Type"))
		}
		if c := resp.Header.Get("Cache-Control"); !strings.Contains(c, "immutable") {
			t.Errorf("%s: Cache-Control %q", name, c)
		}
	}
	for _, path := range []string{"/static/", "/static/manifest.json", "/static/home.js", "/static/../embed.go", "/"} {
		resp, err := http.Get(srv.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s, want 404", path, resp.Status)
		}
	}
}

// Assets go compressed to who takes that, and are the same to who does not.
func TestCompressed(t *testing.T) {
	get := func(name, takes string) (header http.Header, body string) {
		t.Helper()
		r := httptest.NewRequest("GET", static.Path(name), nil)
		if takes != "" {
			r.Header.Set("Accept-Encoding", takes)
		}
		w := httptest.NewRecorder()
		static.Handler().ServeHTTP(w, r)
		if w.Code != http.StatusOK || w.Header().Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s to %q: %d, %v", name, takes, w.Code, w.Header())
		}
		if got := w.Header().Get("Content-Length"); got != strconv.Itoa(w.Body.Len()) {
			t.Errorf("%s to %q: %d bytes, said to be %s", name, takes, w.Body.Len(), got)
		}
		return w.Header(), w.Body.String()
	}
	for takes, want := range map[string]string{"": "", "br": "", "gzip;q=0": "", "deflate, gzip;q=0.0, *": "", "gzip;q=x": "", "gzip": "gzip", "deflate, GZIP ; q=0.5": "gzip", "gzip, deflate, br": "gzip"} {
		for name, kind := range map[string]string{"viewer.js": "text/javascript; charset=utf-8", "style.css": "text/css; charset=utf-8"} {
			header, body := get(name, takes)
			if header.Get("Content-Encoding") != want || header.Get("Content-Type") != kind {
				t.Errorf("%s to %q: %v", name, takes, header)
			}
			if want != "" {
				z, err := gzip.NewReader(strings.NewReader(body))
				if err != nil {
					t.Fatal(err)
				}
				if 2*len(body) > len(static.Text(name)) {
					t.Errorf("%s has %d bytes of %d", name, len(body), len(static.Text(name)))
				}
				plain, err := io.ReadAll(z)
				if err != nil {
					t.Fatal(err)
				}
				body = string(plain)
			}
			if body != static.Text(name) {
				t.Errorf("%s to %q is another", name, takes)
			}
		}
	}
}

func TestPathPanicsOnAnUnknownName(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	static.Path("none.js")
}

// The committed assets are those that the sources in web/ give.
func TestAssetsAreBuiltFromTheSources(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "dist")
	build(t, "-out", dir)
	fresh, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(fresh) == 0 {
		t.Fatal("nothing was built", err)
	}
	committed, err := fs.Glob(static.FS, "*")
	if err != nil {
		t.Fatal(err)
	}
	if len(committed) != len(fresh) {
		t.Errorf("%d assets are committed, %d are built", len(committed), len(fresh))
	}
	for _, path := range fresh {
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		got, err := fs.ReadFile(static.FS, filepath.Base(path))
		if err != nil || string(got) != string(want) {
			t.Errorf("%s is not what the sources give; run go generate ./static", filepath.Base(path))
		}
	}
}

// The scripts' own tests: decoding of the wire, arithmetic of time, pixels.
func TestScripts(t *testing.T) {
	node, ok := peer.Program(t, "node")
	if !ok {
		t.SkipNow()
	}
	dir := t.TempDir()
	build(t, "-tests", dir)
	files, err := filepath.Glob(filepath.Join(dir, "*.test.mjs"))
	if err != nil || len(files) == 0 {
		t.Fatal("no tests were built", err)
	}
	out, err := exec.Command(node, append([]string{"--test"}, files...)...).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func build(t *testing.T, args ...string) {
	t.Helper()
	readSources(t)
	if testing.Short() {
		t.Skip("building the bundler takes a while")
	}
	out, err := exec.Command("go", append([]string{"run", "-modfile=../tools.mod", "build.go"}, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// readSources lets go test know what the result depends on, or it would be taken
// from the cache after the sources changed.
func readSources(t *testing.T) {
	t.Helper()
	for _, dir := range []string{"../web/src", "../web/style", "../web/test", "../handlers/wire/testdata"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			_, err = os.ReadFile(path)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
