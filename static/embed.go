// Package static holds the assets the browser loads, built from web/ and
// committed, and serves them.
//
// Every asset carries a hash of its content in its name, so an answer never goes
// stale and may be kept forever; pages ask Path for the name of the day.
package static

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"strings"
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

// Handler serves the assets below Prefix. What bears a hash may be kept for a year
// without asking again; directories and unknown names are 404.
func Handler() http.Handler {
	known := make(map[string]bool, len(names))
	for _, hashed := range names {
		known[hashed] = true
	}
	files := http.StripPrefix(Prefix, http.FileServerFS(FS))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !known[strings.TrimPrefix(r.URL.Path, Prefix)] {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		files.ServeHTTP(w, r)
	})
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
