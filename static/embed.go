// Package static holds the assets the browser loads, built from web/ and
// committed, and serves them.
//
// Every asset carries a hash of its content in its name, so an answer never goes
// stale and may be kept forever; pages ask Path for the name of the day.
package static

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
)

//go:generate go run -modfile=../tools.mod build.go

// Prefix is where Handler expects to be mounted.
const Prefix = "/static/"

//go:embed dist
var dist embed.FS

// FS holds the built assets and manifest.json, which maps an asset's plain name
// ("viewer.js") to the hashed one.
var FS = must(fs.Sub(dist, "dist"))

var names = must(manifest(FS))

// Path is the address of an asset by its plain name, "/static/viewer-ABCD1234.js"
// for "viewer.js". It panics on a name that was not built: a page that asks for
// one is wrong for every visitor.
func Path(name string) string {
	hashed, ok := names[name]
	if !ok {
		panic(fmt.Sprintf("static: no asset %q; run go generate ./static", name))
	}
	return Prefix + hashed
}

// Text is the content of an asset by its plain name, for a page that stands alone. It panics on a name that was not built.
func Text(name string) string {
	return string(must(fs.ReadFile(FS, strings.TrimPrefix(Path(name), Prefix))))
}

// Handler serves the assets below Prefix, compressed where that is less and the browser takes it. What bears a hash may be kept for a year
// without asking again; directories and unknown names are 404.
func Handler() http.Handler {
	compressed := make(map[string]func() []byte, len(names))
	for _, hashed := range names {
		compressed[hashed] = sync.OnceValue(func() []byte { return gzipped(hashed) })
	}
	files := http.StripPrefix(Prefix, http.FileServerFS(FS))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, Prefix)
		small, known := compressed[name]
		if !known {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Vary", "Accept-Encoding")
		if TakesGzip(r.Header.Values("Accept-Encoding")) {
			if b := small(); b != nil {
				w.Header().Set("Content-Encoding", "gzip")
				w.Header().Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
				w.Header().Set("Content-Length", strconv.Itoa(len(b)))
				w.Write(b)
				return
			}
		}
		files.ServeHTTP(w, r)
	})
}

// gzipped is an asset as gzip has it, nil where that is no less.
func gzipped(name string) []byte {
	plain := must(fs.ReadFile(FS, name))
	var b bytes.Buffer
	z := must(gzip.NewWriterLevel(&b, gzip.BestCompression))
	if _, err := z.Write(plain); err != nil || z.Close() != nil || b.Len() >= len(plain) {
		return nil
	}
	return b.Bytes()
}

// TakesGzip tells whether values of Accept-Encoding name gzip, and do not rule it out (RFC 9110, 12.5.3).
func TakesGzip(values []string) bool {
	for coding := range strings.SplitSeq(strings.Join(values, ","), ",") {
		name, weight, _ := strings.Cut(coding, ";")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			_, q, weighed := strings.Cut(weight, "=")
			n, err := strconv.ParseFloat(strings.TrimSpace(q), 64)
			return !weighed || err == nil && n > 0
		}
	}
	return false
}

func manifest(assets fs.FS) (map[string]string, error) {
	b, err := fs.ReadFile(assets, "manifest.json")
	if err != nil {
		return nil, err
	}
	var names map[string]string
	err = json.Unmarshal(b, &names)
	return names, err
}

func must[T any](v T, err error) T {
	if err != nil {
		panic("static: " + err.Error())
	}
	return v
}
