package handlers

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"synchroscope/ingest"
)

// What was found damaged is on the page of all sets, and nothing is there where nothing was.
func TestHomeTellsOfDamage(t *testing.T) {
	dir := t.TempDir()
	get := func(path string) string {
		t.Helper()
		engine, err := ingest.Open(dir, ingest.Options{Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		defer engine.Close(t.Context())
		w := httptest.NewRecorder()
		New(engine, Options{Log: slog.New(slog.DiscardHandler)}).ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if w.Code != http.StatusOK {
			t.Fatalf("status %d", w.Code)
		}
		return w.Body.String()
	}
	if strings.Contains(get("/"), "Found damaged") {
		t.Error("something is damaged in an empty directory")
	}
	host := filepath.Join(dir, "sets", "00000000000000aa", "hosts", "0")
	if err := os.MkdirAll(host, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(host, "history.tree"), []byte("of a set"), 0o600); err != nil {
		t.Fatal(err)
	}
	// It is told when it is found, and the set is in the list then.
	if got := get("/"); !strings.Contains(got, "Found damaged") || !strings.Contains(got, "There is nothing in its folder that a set can be made of") {
		t.Errorf("the page is\n%s", got)
	}
	for range 2 {
		if got := get("/api/sets"); !strings.Contains(got, `"state":"failed"`) || !strings.Contains(got, "There is nothing in its folder, sets/00000000000000aa, that a set can be made of") {
			t.Errorf("the sets are\n%s", got)
		}
	}
}
