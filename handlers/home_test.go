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
	page := func() string {
		t.Helper()
		engine, err := ingest.Open(dir, ingest.Options{Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		defer engine.Close(t.Context())
		w := httptest.NewRecorder()
		New(engine, Options{Log: slog.New(slog.DiscardHandler)}).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
		if w.Code != http.StatusOK {
			t.Fatalf("status %d", w.Code)
		}
		return w.Body.String()
	}
	if strings.Contains(page(), "Found damaged") {
		t.Error("something is damaged in an empty directory")
	}
	host := filepath.Join(dir, "sets", "00000000000000aa", "hosts", "0")
	if err := os.MkdirAll(host, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(host, "history.tree"), []byte("of a set"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got := page(); !strings.Contains(got, "Found damaged") || !strings.Contains(got, "Its folder sets/00000000000000aa is left as it is") {
			t.Errorf("the page is\n%s", got)
		}
	}
}
